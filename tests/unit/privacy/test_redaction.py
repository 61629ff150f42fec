import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.privacy import signs
from lamella.domain.privacy.redaction import REDACTED, Redacted, redact, without_private
from lamella.domain.privacy.signs import Signs
from tests.unit.privacy.lines.corpora import HOSTILE
from tests.unit.privacy.secret_corpus import BASE64, HEX, TOKENS, UPPER, drawn, of  # noqa: F401 - for the table
from tests.unit.support.steps import calls_of
from tests.unit.support.tables import cases
from tests.waiting import HANG_SECONDS

FORMATS = TOKENS | {"OpenAI oldest": of("sk-{48}"), "OpenAI project before": of("sk-proj-{74 url}")}
"""Secrets that are one from their first to their last character, by their format."""
SENTENCE = "The token is {}."
WITH_STOPS = {"PlanetScale"}
"""Formats that may end with a full stop: that of a sentence goes with them."""


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> random.Random:
    """A source of made-up values, of the same ones in every run and order of tests."""
    return random.Random(request.node.name)  # noqa: S311 - see above


def pem(chance: random.Random, kind: str = "RSA ") -> str:
    """A private key as files hold it."""
    body = "\n".join(drawn(chance, 64, BASE64) for _ in range(12))
    return f"-----BEGIN {kind}PRIVATE " + f"KEY-----\n{body}\n-----END {kind}PRIVATE " + "KEY-----"


@cases
def test_a_secret_of_each_public_format_is_taken_out_and_nothing_else(setting: str, chance: random.Random) -> None:
    names = [name for name in FORMATS if setting != SENTENCE or name not in WITH_STOPS]
    texts = {name: setting.format(FORMATS[name](chance)) for name in names}
    assert {name: redact(text) for name, text in texts.items()} == dict.fromkeys(
        names, Redacted(setting.format(REDACTED), 1)
    )


@pytest.mark.parametrize("kind", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
def test_a_private_key_is_taken_out_whole(kind: str, chance: random.Random) -> None:
    assert redact(f"before\n{pem(chance, kind)}\nafter") == Redacted("before\n[redacted]\nafter", 1)


def test_a_pgp_key_is_taken_out_whole(chance: random.Random) -> None:
    mark = "PGP PRIVATE " + "KEY BLOCK"
    key = f"-----BEGIN {mark}-----\n\n{drawn(chance, 64)}\n=abcd\n-----END {mark}-----"
    assert redact(f"a {key} b") == Redacted("a [redacted] b", 1)


@cases
def test_a_private_key_is_taken_out_as_far_as_it_goes(
    around: str, line_end: str, lost: int, left: str, chance: random.Random
) -> None:
    key = pem(chance)
    assert redact(around.format(key[: len(key) - lost].replace("\n", line_end))) == Redacted(left, 1)


def test_prose_about_private_keys_stays_and_hides_none(chance: random.Random) -> None:
    prose = "A file with -----BEGIN PRIVATE " + "KEY----- in it must never be committed."
    assert redact(prose) == Redacted(prose, 0)
    assert redact(f"{prose}\n{pem(chance)}") == Redacted(f"{prose}\n[redacted]", 1)


@cases
def test_what_stands_around_secrets_stays(form: str, left: str, count: int, chance: random.Random) -> None:
    assert redact(of(form)(chance)) == Redacted(left, count)


@cases
def test_ordinary_text_stays(text: str) -> None:
    assert redact(text) == Redacted(text, 0)


def test_a_key_of_putty_is_taken_out_and_its_public_half_stays(chance: random.Random) -> None:
    public, secret = (
        drawn(chance, 64, BASE64),
        "\n".join([drawn(chance, 64, BASE64), drawn(chance, 64, BASE64), drawn(chance, 20, BASE64)]),
    )
    told = f"Public-Lines: 1\n{public}\nPrivate-Lines: 3\n{secret}\nPrivate-MAC: {drawn(chance, 64, HEX)}"
    kept, _, rest = told.partition(f"\n{secret}")
    assert redact(told) == Redacted(f"{kept}[redacted]{rest}", 1)


def test_what_was_redacted_has_no_secrets(chance: random.Random) -> None:
    told = "\n".join(
        [*(make(chance) for make in FORMATS.values()), pem(chance), "ftp://a:pw1@h redis://:12345678901@h"]
    )
    assert redact(redact(told).text) == Redacted(redact(told).text, 0)


@given(st.text(st.characters(exclude_categories=())))
def test_no_text_raises_or_grows(text: str) -> None:
    assert len(redact(text).text) <= len(text)


@given(st.text(st.sampled_from("-BEGINPRVATKYO \n:/@a1*[eyJ.=_+"), max_size=300))
def test_pieces_of_marks_never_make_a_text_grow(text: str) -> None:
    assert len(redact(f"://{text}").text) <= len(text) + 3


@pytest.mark.no_cover
@pytest.mark.timeout(HANG_SECONDS)
@pytest.mark.parametrize("unit", HOSTILE)
def test_a_long_text_is_searched_for_formats_to_its_end(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A regular expression that takes quadratic time is still at it when the time-out comes.

    What finds secrets without regular expressions is left out: its steps can be counted.
    """
    for each in ("addresses", "calls", "commands", "evidence"):
        monkeypatch.setattr(Signs, f"of_{each}", lambda _: False)
    monkeypatch.setitem(signs._SIGNS, "names", [])
    length = 100_000
    text = (unit * length)[:length]
    assert len(redact(without_private(text)).text) <= length


@pytest.mark.no_cover
@pytest.mark.parametrize("unit", HOSTILE)
def test_a_text_of_four_times_the_length_takes_four_times_the_steps(unit: str) -> None:
    short, long = ((unit * length)[:length] for length in (300, 1_200))
    assert calls_of(lambda: redact(long)) < calls_of(lambda: redact(short)) * 5
