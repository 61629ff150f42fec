"""Stems of words. Hooks use this module, so it imports a stemmer only on demand."""

import re
from collections.abc import Iterable, Iterator

from lamella.domain.text.languages import Language
from lamella.domain.text.languages.scripts import ARABIC

_AND = "و"
_LEAST_AFTER_AND = 4
_ARTICLE = re.compile("^[وف]?(?:ال|بال|كال|لل)(?=..)")
"""The Arabic article, alone or after particles that are joined to it."""


def new_stems(words: Iterable[str], language: Language) -> Iterator[str]:
    """Yield the stems of words in a language. Leave out stop words, and stems that equal their word."""
    lower = [low for word in words if (low := word.lower()) not in language.stop_words]
    bare = [noun for word in lower for noun in _as_nouns(word)] if language is ARABIC else lower
    known = set(lower)
    return (stem for stem in _snowball(bare, language.stemmer) if stem not in known)


def stems(words: Iterable[str], language: Language) -> list[str]:
    """Return the stem of each word in a language, in lower case. Leave out stop words of the language."""
    telling = [low for word in words if (low := word.lower()) not in language.stop_words]
    return _snowball(telling, language.stemmer or "english")


def _as_nouns(word: str) -> tuple[str, ...]:
    """Return an Arabic word as a noun with the article, so that all its forms with prefixes have the same stem.

    A first letter that may mean "and" stays, because it is just as often a part of the word itself.
    """
    bare = _ARTICLE.sub("", word)
    both = (bare, bare[1:]) if bare == word and word[0] == _AND and len(word) >= _LEAST_AFTER_AND else (bare,)
    return tuple(f"ال{each}" for each in both)


def _snowball(words: list[str], algorithm: str) -> list[str]:
    from Stemmer import Stemmer  # noqa: PLC0415 - most texts need none

    # Threads can't share a stemmer, so create one for each call. This takes less than a microsecond.
    made: list[str] = Stemmer(algorithm, 0).stemWords(words)
    return made
