"""Words of the same meaning, for words of a question that no memory has.

To add a language, write a table beside `english_synonyms.txt` and name it in `_TABLES`. A line is a group of words
in their base form, the most usual first. What engineers keep apart is in different groups.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files

_TABLES = ("english_synonyms.txt",)


def groups(beginning: str) -> Iterator[Sequence[str]]:
    """Yield the groups that have a word with this beginning, which consists of letters."""
    for line in re.findall(rf"^.*\b{beginning}.*$", _text(), re.MULTILINE):
        yield line.split()


@cache
def _text() -> str:
    folder = files(__package__)
    return "".join(folder.joinpath(name).read_text("utf-8") for name in _TABLES)
