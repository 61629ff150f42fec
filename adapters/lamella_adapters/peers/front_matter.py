"""Markdown with front matter, as written by other programs."""

from collections.abc import Iterator, Mapping
from typing import Any

import yaml

_LIMIT = 64 * 1024
_MOST_MARKS = 6
_FENCES = ("---", "...")


def divided(text: str) -> tuple[Mapping[str, Any], str]:
    """Return the fields of the front matter, and the text after it.

    Front matter that isn't a mapping counts as text. Each value is a text, a list or a mapping. A title such as
    `2024-01-01` therefore stays a text.
    """
    lines = _lines(text[:_LIMIT])
    opened, _, begin = next(lines, ("", 0, 0))
    fence = next((each for each in lines if each[0] in _FENCES), None) if opened == "---" else None
    if fence is None:
        return {}, text.strip()
    _, end, rest = fence
    try:
        fields = yaml.load(text[begin:end], Loader=yaml.BaseLoader)  # noqa: S506 - the base loader creates only strings
    except (yaml.YAMLError, RecursionError, ValueError):
        return {}, text.strip()
    if not isinstance(fields, dict) and text[begin:end].strip():
        return {}, text.strip()
    return fields or {}, text[rest:].strip()


def repeated(text: str) -> str:
    """Return the first key that occurs twice in the front matter, and its line; empty text without such a key."""
    fields, known = divided(text)[0], set[str]()
    for number, (line, _, _) in enumerate(_lines(text[:_LIMIT]) if fields else (), 1):
        key = line.partition(":")[0]
        if key in known:
            return f"line {number}: {key}"
        if number > 1 and line in _FENCES:
            break
        known |= {key} & fields.keys()
    return ""


def heading(text: str) -> str:
    """Return the first heading of a text; empty if it has none."""
    for line, _, _ in _lines(text):
        said = line.lstrip("#")
        if said[:1].isspace() and len(line) - len(said) <= _MOST_MARKS and line != said:
            closed = said.rstrip("#")
            return (closed if closed[-1:].isspace() else said).strip()
    return ""


def _lines(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield each line without trailing space, its start, and its end.

    A regular expression would take quadratic time on long runs of spaces.
    """
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end].rstrip(), start, end
        start = end
