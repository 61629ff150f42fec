"""Secrets that no form or name tells of, but a word's look and the words beside it. All values are made up."""

import pytest

from lamella.domain.privacy.evidence.chosen_words import CHOSEN, STRONG, WEAK, likeness
from lamella.domain.privacy.redaction import Redacted, redact
from tests.unit.privacy.lines.corpora import EVIDENT, EVIDENT_ORDINARY
from tests.unit.privacy.secret_corpus import is_left
from tests.unit.support.tables import cases

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


@cases
def test_what_is_beside_a_secret_stays(told: str, kept: str) -> None:
    assert redact(told) == Redacted(kept, 1)


@cases
def test_what_nothing_tells_of_stays(text: str) -> None:
    assert redact(text) == Redacted(text, 0)
