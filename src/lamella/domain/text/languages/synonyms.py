"""Synonyms. If no memory contains a word of a question, its synonyms are searched for instead.

A line of a table is a group of words in their base form. Terms that engineers distinguish, although they are
similar, are in different groups. To add a language, write its table beside `english_synonyms.txt`, and set
`Language.synonyms` to the table's name.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

_ENDINGS = ("s", "es", "ed", "ing")
"""Endings of English words that don't change the meaning.

`-ization` isn't such an ending: compare `author` and `authorization`.
"""


def synonyms(word: str, table: str) -> tuple[str, ...]:
    """Return the words with the same meaning, in the order of the groups in the table.

    Args:
        word: A word, in any inflection.
        table: Name of the language's table of synonyms; empty without a table.
    """
    groups = _groups(table) if table else {}
    return next((groups[base] for base in _bases(word.lower()) if base in groups), ())


def _bases(word: str) -> Iterator[str]:
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
def _groups(table: str) -> Mapping[str, tuple[str, ...]]:
    """Map each word in the table to the other words of its groups."""
    text = Path(__file__).with_name(table).read_text("utf-8")
    groups: dict[str, dict[str, None]] = {}
    for group in map(str.split, text.splitlines()):
        for word in group:
            groups.setdefault(word, {}).update((each, None) for each in group if each != word)
    return {word: tuple(others) for word, others in groups.items()}
