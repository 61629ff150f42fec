"""Edits of JSON text with optional comments and trailing commas, as allowed in clients' settings."""

import json
import re
from typing import Any

from attrs import define, field

from lamella_adapters.cli.setup.entries import Format, Path, UnfitFileError, newline_of

_SPACE = re.compile(r"(?:[ \t\r\n\ufeff]|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_DECODER = json.JSONDecoder()
_BLANK = " \t\r\n"


@define
class _Node:
    """A value and its span in the text, with the parts of a mapping or list in order."""

    start: int
    end: int = 0
    value: Any = None
    parts: "list[tuple[str | int, int, _Node]]" = field(factory=list)
    """Key or position, its offset, and the value."""

    def part(self, key: str | int) -> int | None:
        """Return the index of the part with a key. If the key occurs several times, the last part counts."""
        return next((at for at in reversed(range(len(self.parts))) if self.parts[at][0] == key), None)


def _root(text: str) -> _Node:
    try:
        start = _after(text, 0)
        if start == len(text):
            return _Node(0, value={})
        root = _node(text, start)
        if _after(text, root.end) == len(text):
            return root
        reason = f"something follows its end, at character {root.end}"
    except RecursionError:
        reason = "it is nested too deeply"
    except (ValueError, IndexError) as error:
        reason = str(error) if isinstance(error, ValueError) else "it ends too early"
    raise UnfitFileError(f"it cannot be parsed as JSON: {reason}")


def _after(text: str, at: int) -> int:
    """Return the first offset after spaces and comments."""
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _node(text: str, at: int) -> _Node:
    node = _Node(at)
    if text[at] in "{[":
        _fill(node, text, _after(text, at + 1))
    else:
        node.value, node.end = _DECODER.raw_decode(text, at)
    return node


def _fill(node: _Node, text: str, at: int) -> None:
    """Parse the parts of a mapping or list, the first of which begins at `at`."""
    mapping = text[node.start] == "{"
    close = "}" if mapping else "]"
    node.value = {} if mapping else []
    while text[at] != close:
        start, key = at, len(node.parts)
        if mapping:
            if text[at] != '"':
                raise ValueError(f"no key at character {at}")
            key, at = _DECODER.raw_decode(text, at)
            at = _after(text, at)
            if text[at] != ":":
                raise ValueError(f"no colon at character {at}")
            at = _after(text, at + 1)
        inner = _node(text, at)
        node.parts.append((key, start, inner))
        if mapping:
            node.value[key] = inner.value
        else:
            node.value.append(inner.value)
        at = _after(text, inner.end)
        if text[at] == ",":
            at = _after(text, at + 1)
        elif text[at] != close:
            raise ValueError(f"no comma at character {at}")
    node.end = at + 1


def _inserted(text: str, path: tuple[str, ...], name: str | None, value: Any) -> str:
    """Insert a value before all existing values. The commas and comments of existing values stay unchanged."""
    node = _root(text)
    for depth, key in enumerate(path):
        found = node.part(key) if isinstance(node.value, dict) else None
        if found is None:
            for missing in (name, *reversed(path[depth + 1 :])):
                value = [value] if missing is None else {missing: value}
            name = key
            break
        node = node.parts[found][2]
    if not isinstance(node.value, list if name is None else dict):
        expected = "a list" if name is None else "an object"
        raise UnfitFileError(f"lamella's entry belongs into {expected}, but the file has another value there")
    inside = text[node.start + 1 : node.parts[0][1] if node.parts else node.end - 1]
    newline = newline_of(text)
    indented = re.search(r"\n([ \t]+)\S", text)
    unit = indented[1] if indented else "  "
    comma = "," if node.parts else ""
    if "\n" not in inside and node.parts:
        place = node.parts[0][1]
        return text[:place] + _printed(name, value, None) + f"{comma} " + text[place:]
    line = text[text.rfind("\n", 0, node.start) + 1 : node.start]
    outer = line[: len(line) - len(line.lstrip(" \t"))]
    margin = inside[inside.rfind("\n") + 1 :] if node.parts else outer + unit
    if margin.strip():
        margin = outer + unit
    printed = newline + margin + _printed(name, value, unit).replace("\n", newline + margin) + comma
    if "\n" not in inside:
        printed += newline + outer
    # Insert after a comment on the bracket's line.
    place = node.start + 1 + (len(inside.partition("\n")[0].rstrip("\r")) if "\n" in inside else 0)
    return text[:place] + printed + text[place:]


def _printed(name: str | None, value: Any, unit: str | None) -> str:
    printed = _plain(value) if unit is None else _laid_out(value, unit, "\n")
    return printed if name is None else f"{_plain(name)}: {printed}"


def _laid_out(value: Any, unit: str, newline: str) -> str:
    """Format JSON with one line for each key, and for each mapping in a list."""
    inner = newline + unit
    if isinstance(value, dict):
        lines = [f"{_plain(key)}: {_laid_out(each, unit, inner)}" for key, each in value.items()]
        return f"{{{inner}{f',{inner}'.join(lines)}{newline}}}"
    if isinstance(value, list) and any(isinstance(each, dict) for each in value):
        return f"[{inner}{f',{inner}'.join(map(_plain, value))}{newline}]"
    return _plain(value)


def _plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _deleted(text: str, path: Path) -> str:
    node = _root(text)
    for key in path[:-1]:
        node = node.parts[node.part(key) or 0][2]
    at = node.part(path[-1]) or 0
    _, start, gone = node.parts[at]
    begin = len(text[:start].rstrip(_BLANK))
    comma = _after(text, gone.end)
    if text[comma] == ",":
        if "\n" in text[begin:start]:
            return _cut(text, begin, start, comma + 1)
        return text[:start] + text[comma + 1 :].lstrip(_BLANK)
    if at:
        before = _after(text, node.parts[at - 1][2].end)
        cut = _cut(text, begin, start, gone.end)
        return cut[:before] + cut[before + 1 :]
    if begin == node.start + 1 and not text[gone.end : comma].strip(_BLANK):
        return text[:begin] + text[comma:]
    return _cut(text, begin, start, gone.end)


def _cut(text: str, begin: int, start: int, end: int) -> str:
    """Remove a part and the space before it from the text, keeping a preceding comment."""
    commented = "//" in text[text.rfind("\n", 0, begin) + 1 : begin]
    ends_line = text[end:].lstrip(" \t\r")[:1] in ("\n", "")
    return text[: start if commented and not ends_line else begin] + text[end:]


JSON = Format(parsed=lambda text: _root(text).value, inserted=_inserted, deleted=_deleted, empty="{\n}\n")
"""JSON, with comments and trailing commas if the client allows them."""
