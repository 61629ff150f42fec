"""Tables of cases, and sessions, in text files beside the test modules."""

import ast
import re
from collections.abc import Callable
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, ParamSpec

import pytest

from tests.end_to_end.support.sessions import sessions

_Given = ParamSpec("_Given")
_ESCAPE = re.compile(r"\\(?:[nrt\\]|x.{2}|u.{4}|U.{8})")


def cases(test: Callable[_Given, None]) -> Callable[_Given, None]:
    r"""Run a test with each row of its table.

    The tables of `test_it.py` are in `test_it.txt`, separated by empty lines: the name of the test, the names of
    its parameters, and a row for each case, with tabs between cells. Lines that begin with `// ` are comments.

    A cell is a Python expression over the names of the test's module. Where the parameter is of type `str` it is
    text, with escapes such as `\n`, unless it begins with `=`; `=""` is the empty text.
    """
    head, *rows = _tables(Path(test.__code__.co_filename).with_suffix(".txt"))[test.__name__]
    are_text = [test.__annotations__[name] is str for name in head]
    values = [
        [_value(cell, is_text, test.__globals__) for cell, is_text in zip(row, are_text, strict=True)]
        for row in rows
    ]
    if len(head) == 1:
        return pytest.mark.parametrize(head[0], [value for (value,) in values])(test)
    return pytest.mark.parametrize(head, values)(test)


def each_session(test: Callable[_Given, None]) -> Callable[_Given, None]:
    """Run a test with each session in the folder `sessions` beside its module."""
    files = sorted(Path(test.__code__.co_filename).with_name("sessions").glob("*.txt"))
    every = [each for file in files for each in sessions(file)]
    return pytest.mark.parametrize("session", every, ids=str)(test)


@cache
def _tables(path: Path) -> dict[str, list[list[str]]]:
    lines = [line for line in path.read_text("utf-8").split("\n") if not line.startswith("// ")]
    tables = (list(group) for is_table, group in groupby(lines, bool) if is_table)
    return {name: [row.split("\t") for row in rows] for name, *rows in tables}


def text(cell: str) -> str:
    """Decode a text written with escapes."""
    return _ESCAPE.sub(lambda found: str(ast.literal_eval(f'"{found[0]}"')), cell)


def _value(cell: str, is_text: bool, names: dict[str, Any]) -> Any:
    if is_text and not cell.startswith("="):
        return text(cell)
    return eval(cell.removeprefix("="), names)  # noqa: S307 - our own tables
