"""Secrets that no form or name tells of, but a word's look and the words beside it. All values are made up."""

from lamella.domain.privacy.evidence.chosen_words import CHOSEN, STRONG, WEAK, likeness  # noqa: F401 - for the table
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


@cases
def test_a_word_looks_more_or_less_like_a_secret(score: int, words: str) -> None:
    assert {word: likeness(word) for word in words.split()} == dict.fromkeys(words.split(), score)


@cases
def test_what_is_beside_a_secret_stays(told: str, kept: str) -> None:
    assert redact(told) == Redacted(kept, 1)
