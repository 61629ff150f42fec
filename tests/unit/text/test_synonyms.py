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

GROUPS: Sequence[Sequence[str]] = [
    line.split() for line in Path(module.__file__).with_name(ENGLISH.synonyms).read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("word", ["copy", "copies", "Copied", "copying"])
def test_every_inflection_of_a_word_has_the_same_ones(word: str) -> None:
    assert synonyms(word, ENGLISH.synonyms) == ("clone", "duplicate")


@cases
def test_letters_that_an_ending_doubles_or_takes_away_make_no_difference(word: str, other: str) -> None:
    assert other in synonyms(word, ENGLISH.synonyms)


@pytest.mark.parametrize("word", ["authoritative", "general", "wind", "terminal2", "s", ""])
def test_a_word_that_only_has_the_same_stem_has_none(word: str) -> None:
    assert synonyms(word, ENGLISH.synonyms) == ()


def test_a_question_in_another_language_has_no_english_ones() -> None:
    named = {query: {word.synonyms for word in query_words(query)} for query in ("the tag", "Wann war der Tag?")}
    assert named == {"the tag": {ENGLISH.synonyms}, "Wann war der Tag?": {""}}


def test_every_word_of_the_table_is_one_token_and_stands_in_its_group_once() -> None:
    assert all(len(group) > 1 and len(set(group)) == len(group) for group in GROUPS)
    assert {word: bm25.tokens(word) for group in GROUPS for word in group if len(bm25.tokens(word)) != 1} == {}
