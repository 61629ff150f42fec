"""Errors of the API name parameters and methods. Walks the texts of the modules that programs use."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import frozen

from lamella.domain.errors import LamellaError
from lamella.library.base import for_programs
from lamella_adapters.cli.commands import lamella as command_line
from tests.unit.support.tables import cases

TAB = "\t"
ROOT = Path(__file__).parents[3]
FOLDERS = {
    "src/lamella": ("domain", "application"),
    "adapters/lamella_adapters": ("sqlite", "postgresql", "memory", "embedders", "git"),
}
MODULES = Path(__file__).with_name("modules_of_commands.tsv")
OF_COMMANDS = {line.partition("\t")[0] for line in MODULES.read_text("utf-8").splitlines()[1:]}
"""Modules whose texts may name commands and variables; the table says why."""


@frozen
class SaidError(LamellaError):
    reason: str

    def __str__(self) -> str:
        return self.reason


def for_a_program(text: str) -> str:
    with pytest.raises(SaidError) as raised, for_programs():
        raise SaidError(text)
    return raised.value.reason


def texts(module: Path) -> Iterator[str]:
    """Texts of a module but its docstrings; an inserted value is `1`."""
    tree = ast.parse(module.read_text("utf-8"))
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    parts |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "1" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            yield node.value


def said_in(path: Path) -> Iterator[tuple[str, str]]:
    """Texts of a module, and the rows of a table of errors with their names."""
    if path.suffix == ".py":
        yield from (("", text) for text in texts(path))
    elif path.name == "errors.tsv":
        yield from ((f" {row.partition(TAB)[0]}", row) for row in path.read_text("utf-8").splitlines())


def test_no_error_of_the_api_names_a_variable_or_a_command_as_if_at_a_shell() -> None:
    command = rf"(?<!at a shell: )\blamella (?:{'|'.join(command_line.known)})\b|LAMELLA_[A-Z_]+\b"
    said = {
        (f"{path.relative_to(ROOT / folder).as_posix()}{row}", text)
        for folder, names in FOLDERS.items()
        for name in names
        for path in (ROOT / folder / name).rglob("*.*")
        for row, text in said_in(path)
    }
    assert {name for name, text in said if re.search(command, for_a_program(text))} == OF_COMMANDS


@cases
def test_advice_names_methods_or_says_where_to_type_it(text: str, spoken: str) -> None:
    assert for_a_program(text) == spoken
