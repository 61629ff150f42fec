"""Split text into words for indexing and searching. Hooks use this module, so it imports little."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from operator import add
from typing import NamedTuple

from lamella.domain.text.languages import Language
from lamella.domain.text.languages.latin import ENGLISH, language_of
from lamella.domain.text.languages.scripts import KOREAN, meaningful, runs, with_korean_apart
from lamella.domain.text.languages.scripts import STOP_WORDS as STOP_WORDS_OF_SCRIPTS

STOP_WORDS = ENGLISH.stop_words
"""Words without meaning in an English question."""

# Letters, digits, marks and `_`, given as all characters but white space, controls, punctuation and pictographs.
_WORD = (
    "[^\\s\x00-/:-@\\[-^`{-\xa9\xab-\xb4\xb6-\xb9\xbb-\xbf\xd7\xf7"
    "\u055a-\u055f\u0589\u058a\u0609-\u060d\u061b\u061d-\u061f\u066a-\u066d\u06d4\u0964\u0965"
    "\u2000-\u206f\u2190-\u2bff\u3000-\u3004\u3008-\u3020\u3030\u30fb\ufe00-\ufe0f\ufeff\ufffd"
    "\U0001f000-\U0001faff]+"
)
_COMPOUND = re.compile(rf"(?:\.?/)?{_WORD}(?:(?:[-.]|::?|->|[/\\]){_WORD})*(?:\+\+|#)?")
# Use an atomic group instead of a possessive quantifier after the group: before Python 3.11.5, such a quantifier
# also consumes the text of a failed repetition.
_BESIDES_PLAIN_WORDS = re.compile(r"(?>(?:[A-Za-z][a-z]*+[.,;:!?()\"']*+\s++)*)(\S*+)\s*+")
"""Words that may have hidden forms: everything between white space that isn't a plain word."""

_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^A-Za-z0-9_]+")
_ASCII_LETTER = re.compile("[A-Za-z]")
# The patterns below stay strings: `re` compiles them on first use, and a program that only saves uses none.
_UNSPACED = (
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\U00020000-\U0003ffff]+"
)
_VERB_MAY = (
    r"(?<![\w-])(?<!\d )(?:may(?= [^\W\d])|May(?= (?:I|a|an|he|it|one|our|she|that|the|they|this|we|you)\b))"
)
"""Phrases with the verb `may`. Without this list, the verb would match the month in the dates of memories."""

_HIRAGANA = "[\u3041-\u309f]+"
"""Letters that Japanese endings and particles consist of. Nouns and verbs also have other letters."""

_PICTOGRAPH = "[\u2190-\u2bff\U0001f000-\U0001faff]"
_INVISIBLE = "[\xad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]"
_COMMIT = r"(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{8,40}"
_ABBREVIATED = range(7, 13)
"""Possible lengths of abbreviated commit ids."""

_LANGUAGES = {"c++": "cpp", "c#": "csharp", "f#": "fsharp"}


class Word(NamedTuple):
    """One word of a query, in all forms to look for.

    Attributes:
        forms: Forms of the word. If the index splits a form into several words, these are searched for as a
            phrase.
        identifier: True for compounds: paths, and names made of several parts.
        near: Words to search for instead, if no memory contains the word: similar words of the project.
        compounds: True if the language joins nouns to one word. `near` then has compounds that begin with the
            word.
        synonyms: Name of the language's table of synonyms.
    """

    forms: tuple[str, ...]
    identifier: bool = False
    near: tuple[str, ...] = ()
    compounds: bool = False
    synonyms: str = ""


def query_words(text: str) -> tuple[Word, ...]:
    """Return the distinct words to search for, without the stop words of the text's language.

    Returns:
        The words; empty if the text has only stop words.
    """
    normal = _normal(text)
    language = language_of(normal)
    if language is ENGLISH:
        normal = re.sub(_VERB_MAY, "", normal)
    stop_words = STOP_WORDS if language is ENGLISH else language.stop_words
    if not normal.isascii():
        stop_words |= STOP_WORDS_OF_SCRIPTS
    words = dict.fromkeys(_query_words(normal, language))
    return tuple(word for word in words if word.forms[0].lower() not in stop_words)


def is_list(text: str) -> bool:
    """Return True if a question is a list of keywords, not a sentence: it has no stop words of its language."""
    normal = _normal(text)
    words = normal.lower().split()
    stop_words = STOP_WORDS, language_of(normal).stop_words, STOP_WORDS_OF_SCRIPTS
    return all(each.isdisjoint(words) for each in stop_words)


def hidden_forms(text: str) -> Iterator[str]:
    """Yield the forms of a text's words that the index's own tokenizer can't find, in order."""
    normal = _normal(text)
    if normal != text:
        seen = set(re.findall(_WORD, text))
        yield from (word for word in re.findall(_WORD, normal) if word not in seen)
    for compound in _COMPOUND.findall(" ".join(_BESIDES_PLAIN_WORDS.findall(normal))):
        if not _single(compound):
            yield from _compound_forms(compound)
    yield from _stems_of_text(normal)
    if not normal.isascii():
        for run in re.findall(_UNSPACED, normal):
            yield from _pieces(run)
            yield from (letter for letter in run if letter.isalnum())
        yield from _names(normal)


def _normal(text: str) -> str:
    """Return `text` in Unicode's normal form NFKC, without invisible characters."""
    return text if text.isascii() else re.sub(_INVISIBLE, "", unicodedata.normalize("NFKC", text))


def _stems_of_text(text: str) -> Iterator[str]:
    """Yield the stems that the index's own stemmer doesn't produce, and pairs of Korean syllables."""
    language = language_of(text)
    if language is not ENGLISH:
        yield from _new_stems(filter(_plain, dict.fromkeys(re.findall(_WORD, text))), language)
    if not text.isascii():
        for own, words in runs(text).items():
            if own is KOREAN:
                yield from (pair for run in words for pair in _pieces(run))
            else:
                yield from _new_stems(words, own)


def _query_words(text: str, language: Language) -> Iterator[Word]:
    spaced = text if text.isascii() else with_korean_apart(re.sub(_UNSPACED, " ", text))
    for compound in _COMPOUND.findall(spaced):
        small = compound.lower()
        if known := _LANGUAGES.get(small):
            # Otherwise, `C++` and `C#` would match every single letter C.
            yield Word((known,))
            continue
        if language.stop_words.issuperset([small] if language is ENGLISH else small.split("-")):
            continue
        cut = (compound[:length] for length in _ABBREVIATED) if re.fullmatch(_COMMIT, compound) else ()
        forms = tuple(dict.fromkeys((compound, *_compound_forms(compound), *cut)))
        spoken = {} if language is ENGLISH and compound.isascii() else dict(_spoken(compound, language))
        stem = spoken.pop(compound, ())
        yield Word(
            (*forms, *stem), identifier=len(forms) > 1, compounds=language.compounds, synonyms=language.synonyms
        )
        yield from (Word((word, *stem), compounds=language.compounds) for word, stem in spoken.items())
    yield from (Word((piece,)) for piece in _unspaced_pieces(text))
    yield from (Word((name,)) for name in _names(text))


def _unspaced_pieces(text: str) -> list[str]:
    """Return the pairs of letters to search for, from words in scripts without spaces.

    Pairs in Japanese endings are returned only if there are no other pairs.
    """
    pieces = [piece for run in re.findall(_UNSPACED, text) for part in meaningful(run) for piece in _pieces(part)]
    return [piece for piece in pieces if not re.fullmatch(_HIRAGANA, piece)] or pieces


def _new_stems(words: Iterable[str], language: Language) -> Iterator[str]:
    from lamella.domain.text.languages.stems import new_stems  # noqa: PLC0415 - English texts need none

    return new_stems(words, language)


def _spoken(compound: str, language: Language) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the non-English words of a compound, each with its stem unless the stem equals the word."""
    if language is not ENGLISH:
        yield from ((word, tuple(_new_stems([word], language))) for word in compound.split("-") if _plain(word))
    for own, words in runs(compound).items():
        if own is KOREAN:
            yield from (
                (piece, ()) for run in words if run not in own.stop_words for piece in (run, *_pieces(run))
            )
        else:
            yield from ((word, tuple(_new_stems([word], own))) for word in words)


def _compound_forms(compound: str) -> Iterator[str]:
    """Yield the hidden forms of one word or compound."""
    if compound.isascii() and compound.isalpha() and not _inner_capital(compound):
        return
    language = _LANGUAGES.get(compound.lower())
    if language:
        yield language
    parts = [part for word in re.findall(_WORD, compound) for part in _parts(word)]
    if len(parts) > 1:
        yield " ".join(parts)
        if "/" not in compound and "\\" not in compound:
            yield "".join(parts).lower()


def _single(compound: str) -> bool:
    """Return True for a compound of a single plain word."""
    if compound.isascii():
        return compound.isalpha() and compound.islower()
    one_case = compound.islower() or compound.lower() == compound.upper()
    return one_case and compound.isalpha() and not _ASCII_LETTER.search(compound)


def _parts(word: str) -> list[str]:
    """Return the parts of one word: `getÜbersicht` has two, `größer` and `ИМЯ` have one."""
    if word.isascii():
        return _PARTS.findall(word)
    cased = "".join("A" if each.isupper() else "a" if each.islower() else each for each in word)
    return [word[part.start() : part.end()] for part in _PARTS.finditer(cased)]


def _plain(word: str) -> bool:
    """Return True for a word in Latin script, except identifiers."""
    return word.isalpha() and word[0] < "\u0370" and not _inner_capital(word)


def _inner_capital(word: str) -> bool:
    return not (word.islower() or word[1:].islower() or word.isupper())


def _pieces(run: str) -> Iterator[str]:
    """Return pairs of neighbouring letters of a script written without spaces; a lone letter is its own piece."""
    letters = run if run.isalnum() else "".join(filter(str.isalnum, run))
    return map(add, letters, letters[1:]) if len(letters) > 1 else iter(letters)


def _names(text: str) -> Iterator[str]:
    """Return the names of the pictographs in `text`, such as `rocket`."""
    return (name.lower() for each in re.findall(_PICTOGRAPH, text) if (name := unicodedata.name(each, "")))
