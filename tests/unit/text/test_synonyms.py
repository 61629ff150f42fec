"""Words of the same meaning are known by their inflection, in the language of the question."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from lamella.domain.text.languages import synonyms as module
from lamella.domain.text.languages.latin import ENGLISH
from lamella.domain.text.languages.synonyms import synonyms
from lamella.domain.text.words import query_words
from lamella_adapters.fts5 import bm25
from tests.unit.support.tables import cases

LINES: Sequence[Sequence[str]] = [
    line.split() for line in Path(module.__file__).with_name(ENGLISH.synonyms).read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("word", ["copy", "copies", "Copied", "copying"])
def test_every_inflection_of_a_word_has_the_same_ones(word: str) -> None:
    assert synonyms(word, ENGLISH.synonyms)[:2] == ("clone", "duplicate")


@cases
def test_letters_that_an_ending_doubles_or_takes_away_make_no_difference(word: str, other: str) -> None:
    assert other in synonyms(word, ENGLISH.synonyms)


@pytest.mark.parametrize("word", ["terminal2", "zzz", "s", ""])
def test_a_word_that_is_not_in_the_table_has_none(word: str) -> None:
    assert synonyms(word, ENGLISH.synonyms) == ()


def test_a_word_has_none_of_another_word_with_the_same_stem() -> None:
    assert "permission" in synonyms("authorization", ENGLISH.synonyms)
    assert "permission" not in synonyms("author", ENGLISH.synonyms)


def test_a_question_in_another_language_has_no_english_ones() -> None:
    named = {query: {word.synonyms for word in query_words(query)} for query in ("the tag", "Wann war der Tag?")}
    assert named == {"the tag": {ENGLISH.synonyms}, "Wann war der Tag?": {""}}


def test_a_line_of_the_table_has_a_word_and_others_of_different_stems() -> None:
    assert sorted(LINES, key=tuple) == LINES
    stems = {tuple(line): [token for word in line for token in bm25.tokens(word)] for line in LINES}
    assert {line for line, made in stems.items() if not len(line) == len(set(made)) == len(made) > 1} == set()
