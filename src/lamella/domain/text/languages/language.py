"""A language: its name, stemmer and stop words."""

from typing import Any, NamedTuple

from lamella.domain.tables import read_table

WORDS = read_table(__file__, "stop_words.txt")
"""Stop words by language, and other lists of words."""


class Language(NamedTuple):
    """One language.

    `stemmer` names the Snowball algorithm that stems its words. A question in it loses its `stop_words`. For a
    language with a script of its own, `first` and `last` are the letters between which the script lies.
    `compounds` is true if it joins nouns to one word, which begins with the first of them. `synonyms` names its
    table of words of the same meaning.
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
