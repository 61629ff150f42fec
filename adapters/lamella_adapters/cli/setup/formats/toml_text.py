"""Edits of TOML text: append a table, and delete a table with its subtables."""

import json
import re
import tomllib
from typing import Any

from lamella_adapters.cli.setup.entries import Format, Path, UnfitFileError, ended, newline_of


def _parsed(text: str) -> Any:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UnfitFileError(f"it cannot be parsed as TOML: {error}") from None


def _inserted(text: str, path: tuple[str, ...], name: str | None, value: Any) -> str:
    newline = newline_of(text)
    lines = [f"[{'.'.join([*path, name or ''])}]", *(f"{key} = {_printed(each)}" for key, each in value.items())]
    return ended(text) + newline * bool(text) + "".join(line + newline for line in lines)


def _printed(value: Any) -> str:
    """Format a value as TOML, which is like JSON except for tables."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{json.dumps(key)} = {_printed(each)}' for key, each in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_printed, value))}]"
    return json.dumps(value, ensure_ascii=False)


def _deleted(text: str, path: Path) -> str:
    """Delete the lines of a table. The caller's check fails if other lines define the table, too."""
    name = r"\s*\.\s*".join(f"[\"']?{re.escape(str(key))}[\"']?" for key in path)
    header = re.compile(rf"\s*\[\s*{name}\s*[\].]")
    kept, gone, waiting = list[str](), False, list[str]()
    for line in text.splitlines(keepends=True):
        bare = line.strip()
        if bare.startswith("["):
            gone = header.match(line) is not None
            while gone and kept and not kept[-1].strip():
                kept.pop()
        if not gone:
            kept += [*waiting, line]
            waiting = []
        else:
            # Blank lines and comments after the table belong to the next table.
            waiting = [*waiting, line] if not bare or bare.startswith("#") else []
    return "".join([*kept, *waiting])


TOML = Format(parsed=_parsed, inserted=_inserted, deleted=_deleted)
"""TOML files."""
