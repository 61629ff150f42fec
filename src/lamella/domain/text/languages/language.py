"""A language: its name, stemmer and stop words."""

from typing import Any, NamedTuple

from lamella.domain.tables import read_table

WORDS = read_table(__file__, "stop_words.txt")
"""Stop words by language, and other lists of words."""


class Language(NamedTuple):
    """One language.

    `stemmer` names its Snowball algorithm. Questions in it lose its `stop_words`. `first` and `last` are the first
    and last letter of its own script, if it has one. `compounds` is true if it joins nouns to one word, the first
    noun in front. `synonyms` names its table of synonyms.
    """

    stemmer: str
    stop_words: frozenset[str]
    first: str = ""
    last: str = ""
    compounds: bool = False
    synonyms: str = ""


def language(name: str, **about: Any) -> Language:
    """Return a language with the stop words of its name; the Snowball algorithm has the same name."""
    return Language(**{"stemmer": name, "stop_words": frozenset(WORDS.get(name, "").split()), **about})
