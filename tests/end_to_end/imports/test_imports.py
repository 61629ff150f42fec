"""Modules that a process imports, and those that it leaves out until it needs them."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from lamella.domain.memories import observation
from lamella_adapters.embedders import PACKAGES
from lamella_adapters.embedders.minilm import own_folder
from tests.contract.tiny_model import write_model

MOST_MODULES = 200
"""Modules that the first save on SQLite imports: about 115 of lamella, 20 of attrs and apsw, 65 of Python."""

SAVING = """
import lamella
with lamella.open_memory(sys.argv[1], data_directory=sys.argv[1]) as memory:
    memory.save("Staging is reset every night.")
"""
REDACTING = """
from lamella.domain.privacy.redaction import redact, without_private
from lamella.domain.privacy.private_files import is_private
text = open(sys.argv[1], encoding="utf-8").read() + " token = x < y"
assert redact(without_private(text)) == (text, 0)
assert not is_private("src/auth.py")
"""
STEMMING = """
from lamella.domain.text.words import query_words, hidden_forms
list(hidden_forms('the café — 数据 데이터')); query_words('why is it so')
print('Stemmer' in sys.modules); query_words('почему базы'); print('Stemmer' in sys.modules)
"""
LAZY_SDK = """
import lamella_adapters.mcp.serve, mcp
print(hasattr(mcp, "nothing"), hasattr(mcp, "nothing"))
mcp.stdio_client
from mcp.server import MCPServer
from mcp.client import Client
"""
FINDING = """
import pathlib
from lamella_adapters.embedders import *
found = installed_embedder(pathlib.Path(sys.argv[1]))"""
NEVER_NEEDED = {"cryptography", "mcp.client.client", "mcp.server.mcpserver"}
NEEDED_BY_A_CALL = {"git", "hooks", "memory", "sqlite", "tokenizers"}
NO_TIME_FOR_THEM = {"attr", "collections", "json", "pathlib", "re", "subprocess", "typing", "uuid"}


def printed(program: str, *arguments: object, flags: tuple[str, ...] = ()) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LAMELLA_")}
    command = [sys.executable, *flags, "-c", f"import sys\n{program}", *map(str, arguments)]
    return subprocess.check_output(command, env=environment | {"PYTHONPATH": os.pathsep.join(sys.path)}, text=True)


def imported(program: str, *arguments: object, flags: tuple[str, ...] = ()) -> set[str]:
    told = f"before = set(sys.modules)\n{program}\nprint(*(set(sys.modules) - before))"
    return set(printed(told, *arguments, flags=flags).split())


def test_importing_lamella_imports_nothing_else_and_a_name_only_its_module() -> None:
    assert imported("import lamella") == {"lamella"}
    named = imported("import lamella; lamella.StorageError, lamella.Filters")
    assert {name.split(".")[1] for name in named if name.startswith("lamella.")} == {"domain", "stub"}
    assert {"dependency_injector", "lamella.domain.privacy"}.isdisjoint(named)


def test_a_program_that_saves_imports_no_framework_that_happens_to_be_installed(tmp_path: Path) -> None:
    modules = imported(SAVING, tmp_path)
    assert len(modules) <= MOST_MODULES
    packages = {module.partition(".")[0] for module in modules}
    # dependency_injector would add asyncio, and yaml, pydantic or a web framework if they are installed.
    assert packages - sys.stdlib_module_names == {"apsw", "attr", "attrs", "lamella", "lamella_adapters"}
    assert not packages & {"asyncio", "email", "subprocess"}


def test_recording_a_session_imports_nothing_that_takes_a_hook_long() -> None:
    # Without `site`, which imports some of them itself for editable installations.
    assert NO_TIME_FOR_THEM.isdisjoint(imported("import lamella_adapters.hooks.session_records", flags=("-S",)))


def test_redacting_ordinary_text_imports_nothing_of_others() -> None:
    modules = imported(REDACTING, observation.__file__, flags=("-S",))
    assert [name for name in modules if not name.startswith("lamella")] == []


def test_stemmers_are_imported_only_for_what_they_stem() -> None:
    assert printed(STEMMING).split() == ["False", "True"]


def test_a_server_imports_the_sdk_lazily_and_every_name_can_be_imported_later() -> None:
    unused = {"apsw", "numpy", "rich", *map("lamella_adapters.{}".format, NEEDED_BY_A_CALL), *NEVER_NEEDED}
    assert unused.isdisjoint(imported("import lamella_adapters.mcp.serve"))
    assert printed(LAZY_SDK) == "False False\n"


def test_a_toolset_that_is_not_chosen_is_not_imported() -> None:
    modules = imported("from lamella_adapters.mcp.toolsets.registry import chosen; chosen('unified')")
    toolsets = {f"lamella_adapters.mcp.toolsets.{name}" for name in ("granular", "conversation", "semantic")}
    assert toolsets.isdisjoint(modules)
    assert "lamella_adapters.mcp.toolsets.unified" in modules


def test_the_packages_of_embedders_are_of_the_extra_and_imported_by_a_chosen_one(tmp_path: Path) -> None:
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text("utf-8"))["project"]
    extra = {re.split("[^a-z-]", each)[0] for each in project["optional-dependencies"]["semantic"]}
    assert set(PACKAGES) <= extra
    model = write_model(own_folder(tmp_path))
    assert extra.isdisjoint(imported(FINDING, tmp_path))
    assert {"numpy", "onnxruntime", "tokenizers"} <= imported(f"{FINDING}; open_onnx(found)", tmp_path)
    assert printed(f"{FINDING}; print(found)", tmp_path) == f"onnx:{model}\n"
