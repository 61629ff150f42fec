"""Languages: their names, stemmers and stop words."""

from typing import Any, NamedTuple

from lamella.domain.tables import read_table

WORDS = read_table(__file__, "stop_words.txt")
"""Lists of words: stop words, keyed by the language's name, and others."""


class Language(NamedTuple):
    """Language of texts, with its stop words and stemmer.

    `stemmer` is the name of the language's Snowball algorithm. `stop_words` are removed from questions. `first`
    and `last` are the first and last letter of the script by which the language is recognised; empty for Latin.
    `compounds` is True if nouns are joined to one word, without changing the first noun. `synonyms` is the name of
    the table of synonyms.
    """

    stemmer: str
    stop_words: frozenset[str]
    first: str = ""
    last: str = ""
    compounds: bool = False
    synonyms: str = ""


def language(name: str, **about: Any) -> Language:
    """Return a language with the stop words listed under its name. Its Snowball algorithm has the same name."""
    return Language(**{"stemmer": name, "stop_words": frozenset(WORDS.get(name, "").split()), **about})
