"""Front matter of Markdown files: the subset of YAML in exports and in files saved by editors.

A value is a text or a list of texts. The writer leaves plain words unquoted, and writes other strings and lists as
JSON, which is valid YAML. The reader also accepts single quotes, lists of unquoted words, and lists with one item
per line, because people and editors write these.
"""

import json
import re
from collections.abc import Mapping, Sequence

from lamella.domain.exchange.fields import InvalidRecordError

Value = str | Sequence[str]

FENCE = "---\n"
_PLAIN = re.compile(
    r"[A-Za-z][A-Za-z0-9_./@-]*|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z"
)
_READ_OTHERWISE = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_KEY = re.compile(r"[A-Za-z][\w-]*")
_ITEM = r"""\s*+("(?:[^"\\]|\\.)*+"\s*+|'(?:[^']|'')*+'\s*+|[^\s,\[\]{}"'][^,\[\]{}]*+)"""
_LIST = re.compile(rf"\[(?:{_ITEM}(?:,{_ITEM})*+,?)?\s*\]")


def printed(values: Mapping[str, Value]) -> str:
    """Format values as front matter, between two lines `---`."""
    return "".join([FENCE, *(f"{key}: {_written(value)}\n" for key, value in values.items()), FENCE])


def as_written(text: str) -> str:
    """Return a file's text without a byte order mark and carriage returns, which some editors add."""
    text = text.removeprefix("\ufeff")
    return text.replace("\r\n", "\n") if text.startswith("---\r\n") else text


def of_ours(text: str, key: str) -> tuple[dict[str, Value], str] | None:
    """Return the values of front matter with the key `key`, and the text after the front matter.

    Return None for files of other programs.

    Raises:
        InvalidRecordError: A line is invalid, or a line `---` around the front matter is missing.
    """
    # Parse only front matter with our key: other programs' front matter may be any YAML.
    found = parsed(text) if f"\n{key}:" in f"\n{text}" else None
    if found is None and _is_damaged(text, key):
        raise InvalidRecordError("its front matter is not between two lines of ---; add the missing line")
    return found if found is not None and key in found[0] else None


def _is_damaged(text: str, key: str) -> bool:
    """Return True if a text looks like front matter without the lines `---` around it.

    Such a text begins with lines that include an `id` and a number named `key`.
    """
    lines = text.lstrip().split("\n\n", 1)[0].split("\n")
    numbered = any(line.startswith(f"{key}:") and line[len(key) + 1 :].strip(" \"'").isdecimal() for line in lines)
    return numbered and any(line.startswith("id:") for line in lines)


def parsed(text: str) -> tuple[dict[str, Value], str] | None:
    """Return the values of a file's front matter, and the text after it. None without front matter.

    Raises:
        InvalidRecordError: A line is invalid, or repeats a key.
    """
    if not text.startswith(FENCE):
        return None
    # Keep the line break of the opening fence: in empty front matter, it also begins the closing fence.
    head, fence, rest = text[len(FENCE) - 1 :].partition(f"\n{FENCE}")
    if not fence:
        return None
    values: dict[str, Value] = {}
    items: list[str] | None = None
    for number, line in enumerate(head.split("\n")[1:], 2):
        key, colon, value = line.partition(":")
        if colon and key in values:
            raise InvalidRecordError(f"its line {number} has `{key}` again; delete one of the two lines")
        said = value.strip()
        item = line.strip()
        if colon and value[:1] == " " and key.isidentifier() and said[:1].isalnum():
            # Fast path for plain values, which most lines have.
            values[key], items = said, None
        elif items is not None and item[:1] == "-" and item[1:2].isspace():
            items.append(_text(item[1:].strip()))
        elif colon and (not value or value[0].isspace()) and _KEY.fullmatch(key):
            try:
                values[key], items = _value(said)
            except ValueError:
                raise _invalid(number, line) from None
        elif item:
            raise _invalid(number, line)
    return values, rest


def _invalid(number: int, line: str) -> InvalidRecordError:
    key = line.partition(":")[0]
    write = f'write it as {key if _KEY.fullmatch(key) else "key"}: "text"'
    return InvalidRecordError(f"its line {number} can't be read: {line[:60]!r}; {write}")


def _written(value: Value) -> str:
    if isinstance(value, str):
        plain = _PLAIN.fullmatch(value) and value.lower() not in _READ_OTHERWISE
        return value if plain else json.dumps(value, ensure_ascii=not value.isprintable())
    return json.dumps(list(value), ensure_ascii=not "".join(value).isprintable())


def _value(written: str) -> tuple[Value, list[str] | None]:
    """Parse the value of a line.

    If the value is a list, also return that list, to extend it with the items on the following lines.
    """
    if not written:
        items: list[str] = []
        return items, items
    if written.startswith("["):
        if not _LIST.fullmatch(written):
            raise ValueError
        return [_text(each.strip()) for each in re.findall(_ITEM, written[1:-1])], None
    return _text(written), None


def _text(written: str) -> str:
    if written.startswith('"'):
        return str(json.loads(written))
    if written.startswith("'") and written.endswith("'") and len(written) > 1:
        return written[1:-1].replace("''", "'")
    return written
