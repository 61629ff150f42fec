"""Split text into the words that are indexed and looked for. Hooks use this module, so it imports little."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

# Letters, digits, marks and `_`: all but white space, controls, punctuation and pictographs.
_WORD = (
    "[^\\s\x00-/:-@\\[-^`{-\xa9\xab-\xb4\xb6-\xb9\xbb-\xbf\xd7\xf7"
    "\u2000-\u206f\u2190-\u2bff\u3000-\u3004\u3008-\u3020\u3030\u30fb\ufe00-\ufe0f\ufeff\ufffd"
    "\U0001f000-\U0001faff]+"
)
_COMPOUND = re.compile(rf"(?:\.?/)?{_WORD}(?:(?:[-.]|::?|->|[/\\]){_WORD})*(?:\+\+|#)?")
_WORDS = re.compile(_WORD)
_BESIDES_PLAIN_WORDS = re.compile(r"(?:[A-Za-z][a-z]*+[.,;:!?()\"']*+\s++)*+(\S*+)\s*+")
"""Everything between white space except plain words, which have no form that the index does not see."""

_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^A-Za-z0-9_]+")
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\U00020000-\U0003ffff]+"
)
_PICTOGRAPH = re.compile("[\u2190-\u2bff\U0001f000-\U0001faff]")
_INVISIBLE = re.compile("[\xad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]")
_LANGUAGES = {"c++": "cpp", "c#": "csharp", "f#": "fsharp"}


class Word(NamedTuple):
    """One word of a query, in the forms under which a text may hold it.

    A form that the index splits is looked for as a phrase. `identifier` marks compounds: paths and names made
    of several parts. `near` are words of a project that stand in for one that it does not have.
    """

    forms: tuple[str, ...]
    identifier: bool = False
    near: tuple[str, ...] = ()


def query_words(text: str) -> tuple[Word, ...]:
    """Return the words to look for, each once, without stop words."""
    return tuple(word for word in dict.fromkeys(_query_words(text)) if word.forms[0].lower() not in STOP_WORDS)


def hidden_forms(text: str) -> Iterator[str]:
    """Yield what the index's own word splitter cannot see of a text, in its order."""
    normal = _normal(text)
    if normal != text:
        seen = set(_WORDS.findall(text))
        yield from (word for word in _WORDS.findall(normal) if word not in seen)
    for compound in _COMPOUND.findall(" ".join(_BESIDES_PLAIN_WORDS.findall(normal))):
        if not (compound.isalpha() and compound.islower()):
            yield from _compound_forms(compound)
    if not normal.isascii():
        for run in _UNSPACED.findall(normal):
            yield from _pieces(run)
            yield from (letter for letter in run if letter.isalnum())
        yield from _names(normal)


def _normal(text: str) -> str:
    """Return `text` composed, compatibility forms folded, without invisible characters."""
    return text if text.isascii() else _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))


def _query_words(text: str) -> Iterator[Word]:
    normal = _normal(text)
    for compound in _COMPOUND.findall(_UNSPACED.sub(" ", normal)):
        if language := _LANGUAGES.get(compound.lower()):
            # Its spelling is the letter C to the index, which is in every list of grades.
            yield Word((language,))
            continue
        forms = tuple(dict.fromkeys((compound, *_compound_forms(compound))))
        yield Word(forms, identifier=len(forms) > 1)
    for run in _UNSPACED.findall(normal):
        yield from (Word((piece,)) for piece in _pieces(run))
    yield from (Word((name,)) for name in _names(normal))


def _compound_forms(compound: str) -> Iterator[str]:
    """Yield the forms of one word or compound that its own spelling does not index."""
    if compound.isascii() and compound.isalpha() and not _inner_capital(compound):
        return
    language = _LANGUAGES.get(compound.lower())
    if language:
        yield language
    parts = [part for word in _WORDS.findall(compound) for part in _parts(word)]
    if len(parts) > 1:
        yield " ".join(parts)
        if "/" not in compound and "\\" not in compound:
            yield "".join(parts).lower()


def _parts(word: str) -> list[str]:
    """Return the parts of one word: `getÜbersicht` has two, `größer` and `ИМЯ` have one."""
    if word.isascii():
        return _PARTS.findall(word)
    cased = "".join("A" if each.isupper() else "a" if each.islower() else each for each in word)
    return [word[part.start() : part.end()] for part in _PARTS.finditer(cased)]


def _inner_capital(word: str) -> bool:
    return not (word.islower() or word[1:].islower() or word.isupper())


def _pieces(run: str) -> Iterator[str]:
    """Yield pairs of neighbouring letters of a script written without spaces; a lone letter is its own piece."""
    letters = [letter for letter in run if letter.isalnum()]
    yield from ("".join(pair) for pair in pairwise(letters)) if len(letters) > 1 else letters


def _names(text: str) -> Iterator[str]:
    """Return names of the pictographs in `text`: `rocket`."""
    return (name.lower() for each in _PICTOGRAPH.findall(text) if (name := unicodedata.name(each, "")))


STOP_WORDS = frozenset(
    # Words in running lines can be read and mended; a list of 170 literals cannot.
    """
    a about after again all also am an and any are aren as at be because been before being both but by
    can could couldn d did didn do does doesn doing don down during each few from further had hadn has hasn
    have haven having he her here hers herself him himself his how i in into is isn it its itself just
    ll m ma me might more most much must my myself no nor not now of off on once only or other our ours
    ourselves out over own re s same shall she should shouldn so some such t than that the their theirs
    them themselves then there these they this those through to too under until up upon us ve very was
    wasn we were weren what when where which who whom whose why will with won would wouldn you your yours
    yourself yourselves
    """.split()  # noqa: SIM905 - see above
)
