"""Rules for all modules. import-linter checks the direction of layers in `make lint`."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
LAYERS_INSIDE = ("domain", "ports", "application")
INSIDE = [path for layer in LAYERS_INSIDE for path in (ROOT / "src/lamella" / layer).rglob("*.py")]
SHIPPED = [path for folder in ("src", "adapters", "contracts") for path in (ROOT / folder).rglob("*.py")]
FOLDERS = ("src", "adapters", "contracts", "tests", "bench", "examples", "plugin")
ALLOWED_INSIDE = sys.stdlib_module_names | {"attrs", "lamella", "Stemmer"}

SHARED_BY_ADAPTERS = {
    f"lamella_adapters.{name}"
    for name in (
        "background",
        "connections",
        "failures",
        "fts5",
        "operations",
        "process",
        "statements",
        "transcripts",
    )
}


def imported(path: Path) -> Iterator[str]:
    """The top-level packages that a module imports anywhere in it; its own, if it says so with dots."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "lamella" if node.level else (node.module or "").partition(".")[0]


def modules() -> dict[Path, str]:
    return {path: path.read_text("utf-8") for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")}


def test_there_is_something_to_check() -> None:
    assert {path.relative_to(ROOT / "src/lamella").parts[0] for path in INSIDE} == set(LAYERS_INSIDE)


@pytest.mark.parametrize("layer", LAYERS_INSIDE)
def test_the_inside_imports_only_the_standard_library_attrs_and_stemmers(layer: str) -> None:
    others = {path: set(imported(path)) - ALLOWED_INSIDE for path in INSIDE if layer in path.parts}
    assert {path: packages for path, packages in others.items() if packages} == {}


def test_a_long_module_says_why() -> None:
    long = {path: text for path, text in modules().items() if len(text.splitlines()) > 300}
    said = {path: ast.get_docstring(ast.parse(text)) or "" for path, text in long.items()}
    assert [path for path in said if "Over 300 lines" not in said[path]] == []


def test_the_name_of_a_test_has_at_most_80_characters() -> None:
    names = (name for text in modules().values() for name in re.findall(r"def (test_\w+)", text))
    assert [name for name in names if len(name) > 80] == []


def test_only_singletons_import_dependency_injector() -> None:
    named = [path for path in SHIPPED if "dependency_injector" in path.read_text("utf-8")]
    importers = [path for path in named if "dependency_injector" in imported(path)]
    assert importers == [ROOT / "src/lamella/singletons.py"]


def test_import_linter_keeps_every_adapter_from_the_others() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    (independent,) = [contract["modules"] for contract in contracts if contract["type"] == "independence"]
    folder = ROOT / "adapters/lamella_adapters"
    modules = {path for path in folder.iterdir() if (path / "__init__.py").exists() or path.suffix == ".py"}
    adapters = {f"{folder.name}.{path.stem}" for path in modules if path.stem != "__init__"}
    assert set(independent) == adapters - SHARED_BY_ADAPTERS
