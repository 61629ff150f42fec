import os
import subprocess
import sys
from pathlib import Path

import pytest

_SAVING = """
import sys
before = set(sys.modules)
import lamella
with lamella.open_memory(sys.argv[1], data_directory=sys.argv[1]) as memory:
    memory.save("Staging is reset every night.")
print(*(sys.modules.keys() - before))
"""
MOST_MODULES = 200
"""Modules that the first save on SQLite imports: about 113 of lamella, 20 of attrs and apsw, 65 of Python."""


@pytest.mark.parametrize("in_git", [False, True])
def test_a_program_that_saves_imports_no_framework_that_happens_to_be_installed(
    tmp_path: Path, *, in_git: bool
) -> None:
    if in_git:
        subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    chosen = {name: value for name, value in os.environ.items() if not name.startswith("LAMELLA_")}
    command = [sys.executable, "-c", _SAVING, str(tmp_path)]
    modules = subprocess.check_output(command, env=chosen, text=True).split()
    assert len(modules) <= MOST_MODULES
    imported = {module.partition(".")[0] for module in modules}
    # dependency_injector would add asyncio, and yaml, pydantic or a web framework if they are installed.
    assert imported - sys.stdlib_module_names == {"apsw", "attr", "attrs", "lamella", "lamella_adapters"}
    assert not imported & {"asyncio", "email", "subprocess"}


_NAMING = """
import sys
import lamella
lamella.StorageError, lamella.Filters
print(*(name for name in sys.modules if name.startswith(("lamella.", "dependency_injector"))))
"""


def test_a_name_of_lamella_is_imported_alone() -> None:
    imported = set(subprocess.check_output([sys.executable, "-c", _NAMING], text=True).split())
    assert {name.split(".")[1] for name in imported} == {"domain", "stub"}
    assert "lamella.domain.privacy" not in imported
