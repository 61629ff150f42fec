"""Diffs of configuration files that show only lamella's changes."""

import json
import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from difflib import unified_diff

from lamella.domain.text.printing import visible
from lamella_adapters.cli.setup.entries import UnfitFileError
from lamella_adapters.cli.setup.formats.json_text import JSON

_VALUE = re.compile(
    r"""(?P<text>"(?:[^"\\]|\\.)*"|'[^']*')(?P<key>\s*[:=])?"""
    r"""|(?:(?<=[:=])|(?<=-)(?=[ ][^:]*$))\s*(?P<bare>[^\s"'\[{}\],][^"',}\]]*)"""
)
"""Text in quotes, or a value without quotes. If the text is a key, a colon or equals sign follows."""


def difference(name: str, before: str, after: str, own: Collection[str] = ()) -> Iterator[str]:
    """Yield the lines of a unified diff without context, because neighbouring lines may be secret.

    JSON may be on a single line. So if several parts are inserted or deleted, the JSON is first reformatted to one
    value per line. Unchanged values are not shown.

    Args:
        name: Name of the file for display.
        before: Present content of the file.
        after: New content of the file.
        own: Values that lamella wrote, which are always shown.
    """
    old, new = before.splitlines(), after.splitlines()
    names, lines = [f"--- {name}", f"+++ {name}"], _lines(old, new)
    if mixed := _is_mixed(lines):
        with suppress(UnfitFileError):
            old, new = _laid_out(before), _laid_out(after)
            names, lines = [f"{each} (a line for each value)" for each in names], _lines(old, new)
            mixed = _is_mixed(lines)

    stay = {value for line in old for value in _values(line)} & {value for line in new for value in _values(line)}

    def shown(found: re.Match[str]) -> str:
        value = _value(found)
        if found["key"] or value not in stay or value.strip("\"'") in own:
            return found[0]
        return '"…"' if found["text"] else " …"

    for line in names:
        yield visible(line)
    for line in lines:
        yield visible(line if not mixed or line.startswith("@@") else line[0] + _VALUE.sub(shown, line[1:]))


def _lines(old: list[str], new: list[str]) -> list[str]:
    return [*unified_diff(old, new, n=0, lineterm="")][2:]


def _is_mixed(lines: list[str]) -> bool:
    return len({line[0] for line in lines if not line.startswith("@@")}) > 1


def _laid_out(text: str) -> list[str]:
    return json.dumps(JSON.parsed(text), ensure_ascii=False, indent=2).splitlines()


def _values(line: str) -> Iterator[str]:
    yield from map(_value, _VALUE.finditer(line))


def _value(found: re.Match[str]) -> str:
    return found["text"] or found["bare"].strip()
