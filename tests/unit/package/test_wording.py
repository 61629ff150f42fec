"""Errors of the API name parameters and methods. Walks the texts of the modules that programs use."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import frozen

from lamella.domain.errors import LamellaError
from lamella.library.wording import for_programs
from lamella_adapters.cli.commands import lamella as command_line

ROOT = Path(__file__).parents[3]
FOLDERS = {
    "src/lamella": ("domain", "application"),
    "adapters/lamella_adapters": ("sqlite", "postgresql", "memory", "embedders", "git"),
}
OF_COMMANDS = {
    "domain/conversations/errors.py": "of `lamella sessions`, and of a setting without a parameter",
    "domain/exchange/edits.py": "of the import of edited files",
    "application/exchange/copy.py": "of `lamella copy`",
    "application/exchange/edited_files.py": "of the import of edited files",
    "application/exchange/importing.py": "the source of imported memories",
    "application/exchange/prompts.py": "of an import of other files",
    "application/exchange/share_memories.py": "of `lamella share`",
    "application/exchange/share_files.py": "of `lamella share`",
    "application/projects/allowed.py": "of a setting without a parameter",
    "sqlite/maintenance/archive.py": "of `lamella restore-backup`",
    "sqlite/maintenance/copies.py": "of the backups of servers",
    "postgresql/schema/migrate.py": "for administrators of a database",
}
"""Why the texts of a module may name commands and variables."""


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


def test_no_error_of_the_api_names_a_variable_or_a_command_as_if_at_a_shell() -> None:
    command = rf"(?<!at a shell: )\blamella (?:{'|'.join(command_line.known)})\b|LAMELLA_[A-Z_]+\b"
    modules = {
        path.relative_to(ROOT / folder).as_posix(): path
        for folder, names in FOLDERS.items()
        for name in names
        for path in (ROOT / folder / name).rglob("*.py")
    }
    named = {
        name
        for name, path in modules.items()
        if any(re.search(command, for_a_program(text)) for text in texts(path))
    }
    assert named == OF_COMMANDS.keys()


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("To choose: lamella restore ID, lamella purge ID", "To choose: memory.restore([id]), memory.purge([id])"),
        ("Run: lamella embed", "Run at a shell: lamella embed"),
        ("Check it with: lamella doctor", "Check it at a shell: lamella doctor"),
        ("To import, see: lamella import --help", "To import at a shell: lamella import --help"),
    ],
)
def test_advice_names_methods_or_says_where_to_type_it(text: str, spoken: str) -> None:
    assert for_a_program(text) == spoken
