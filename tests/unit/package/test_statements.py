"""Statements in files beside modules are those that the modules name."""

import re
from pathlib import Path

import pytest

from lamella_adapters import statements as loader
from lamella_adapters.statements import statements

ADAPTERS = Path(loader.__file__).parent
MODULES = [path.with_suffix(".py") for path in sorted(ADAPTERS.rglob("*.sql")) if path.with_suffix(".py").exists()]
NAMED = re.compile(r'(?<![.\w])SQL\["(\w+)"\]')


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ADAPTERS)))
def test_a_module_names_the_statements_of_its_file(module: Path) -> None:
    text, known = module.read_text("utf-8"), statements(str(module)).keys()
    elsewhere = "".join(path.read_text("utf-8") for path in module.parents[1].rglob("*.py"))
    assert set(NAMED.findall(text)) <= known
    assert [name for name in known if f'"{name}"' not in elsewhere and len(known) > 1] == []


def test_placeholders_are_replaced_and_comments_left_out(tmp_path: Path) -> None:
    module = tmp_path / "here.py"
    module.with_suffix(".sql").write_text(
        "-- statement: one\n-- Why.\nSELECT {column}\nFROM {table}\n\n-- statement: two\nX\n"
    )
    assert statements(str(module), column="c") == {"one": "SELECT c\nFROM {table}", "two": "X"}
