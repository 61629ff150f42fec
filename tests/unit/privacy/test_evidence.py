"""Secrets that no form or name tells of, but a word's look and the words beside it. All values are made up."""

import pytest

from lamella.domain.privacy.evidence.chosen_words import CHOSEN, STRONG, WEAK, likeness
from lamella.domain.privacy.redaction import Redacted, redact
from tests.unit.privacy.lines.evident import EVIDENT, EVIDENT_ORDINARY
from tests.unit.privacy.secret_corpus import is_left

LEAST_CAUGHT = 0.93


def test_nearly_every_secret_that_words_beside_it_tell_of_is_taken_out() -> None:
    left = [(line, secret) for line, secret in EVIDENT if is_left(secret, redact(line).text)]
    assert len(left) <= len(EVIDENT) * (1 - LEAST_CAUGHT), left


def test_a_line_where_nothing_tells_of_a_secret_stays() -> None:
    assert [line for line in EVIDENT_ORDINARY if redact(line).secrets] == []


@pytest.mark.parametrize(
    ("score", "words"),
    [
        (STRONG, "n1mbleGoat Marigold!88 7LoKWX2z13fd Sp1r@eaBush daf9bb42187bee7255fb796608967759"),
        (CHOSEN, "p1pperroot tulipBulb_90 Harvest33 fritz-Eibe-66 2f12cb22-15ed-4458-9009-e3d72f7ee9bb"),
        (WEAK, "lantern55 Harvest3 83b1a7f0c5"),
        (
            0,
            "getUser2Name 1.2.3-4 12345678 lantern abcdefgh1 $HOME1x sha256-9f3a7c2eX ${a1b2} v1.2 OAuth2Bearer",
        ),
    ],
)
def test_a_word_looks_more_or_less_like_a_secret(score: int, words: str) -> None:
    assert {word: likeness(word) for word in words.split()} == dict.fromkeys(words.split(), score)


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ("Passwort: „drei rote Rosen 7“.", "Passwort: „[redacted]“."),
        ('the passphrase is "seven quiet herons"', 'the passphrase is "[redacted]"'),
        ("GET /hooks?key=Kr7vQ2mXz9LpT4&x=1", "GET /hooks?key=[redacted]&x=1"),
        ("fyi creds: webmaster // tulipBulb_90, ok?", "fyi creds: webmaster // [redacted], ok?"),
        ("the admin is ops\\nroot pw gr4phPaper\\nok", "the admin is ops\\nroot pw [redacted]\\nok"),
    ],
)
def test_what_is_beside_a_secret_stays(told: str, kept: str) -> None:
    assert redact(told) == Redacted(kept, 1)


@pytest.mark.parametrize(
    "text",
    [
        "the item n1mbleGoat is gone",
        "Klick auf „drei rote Rosen“, dann auf „Passwort vergessen“",
        "login https://acme.example/n1mbleGoat?next=https://acme.example/p1pp4Parsley",
        "request_id=daf9bb42187bee7255fb796608967759 login",
        'ObjectId("daf9bb42187bee7255fb7966") is the key',
        "region: Zone3Alpha; user: ada",
        "git config user.signingkey B0DC7E6406A7191A",
        "password=[redacted] user=n1mbleGoat",
        "n1mbleGoat\nthe password",
        "call user.n1mbleGoat.login and n1mbleGoat(user)",
    ],
)
def test_what_nothing_tells_of_stays(text: str) -> None:
    assert redact(text) == Redacted(text, 0)
