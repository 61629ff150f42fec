"""Synonyms. If no memory contains a word of a question, its synonyms are searched for instead.

A line of a table is a word in its base form, followed by its synonyms, best first. Lines are sorted. The English
table is written by `bench/quality/synonyms.py`; the licence of WordNet, one of its sources, is beside it. To add a
language, write its table beside `english_synonyms.txt`, and set `Language.synonyms` to the table's name.
"""

from bisect import bisect
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

_ENDINGS = ("s", "es", "ed", "ing")
"""Endings of English words that don't change the meaning.

`-ization` isn't such an ending: compare `author` and `authorization`.
"""


def synonyms(word: str, table: str) -> tuple[str, ...]:
    """Return the words with the same or a near meaning, best first.

    Args:
        word: A word, in any inflection.
        table: Name of the language's table of synonyms; empty without a table.
    """
    lines = _lines(table) if table else ()
    for base in bases(word.lower()):
        place = bisect(lines, f"{base} ")
        if place < len(lines) and lines[place].startswith(f"{base} "):
            return tuple(lines[place].split()[1:])
    return ()


def bases(word: str) -> Iterator[str]:
    """Yield possible base forms of a word, as `copy` for `copies` and `drop` for `dropped`."""
    yield word
    for ending in filter(word.endswith, _ENDINGS):
        base = word[: -len(ending)]
        yield base
        if ending in ("ed", "ing"):
            yield f"{base}e"
            if base[-2:-1] == base[-1:]:
                yield base[:-1]
    if word.endswith(("ies", "ied")):
        yield f"{word[:-3]}y"


@cache
def _lines(table: str) -> Sequence[str]:
    """Return the lines of a table. Only lines that are found are parsed: parsing all would take longer."""
    return Path(__file__).with_name(table).read_text("utf-8").splitlines()
