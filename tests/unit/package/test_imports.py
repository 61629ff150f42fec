import os
import subprocess
import sys
from pathlib import Path

_SAVING = """
import sys
before = set(sys.modules)
import lamella
with lamella.open_memory(sys.argv[1], data_directory=sys.argv[1]) as memory:
    memory.save("Staging is reset every night.")
for module in sys.modules.keys() - before:
    if module.partition(".")[0] not in sys.stdlib_module_names and "cython" not in module:
        print(module)
"""
MOST_MODULES = 188
"""Modules of lamella that the first save on SQLite imports."""


def test_a_program_that_saves_imports_no_framework_that_happens_to_be_installed(tmp_path: Path) -> None:
    environment = {**os.environ, "LAMELLA_DATA_DIR": str(tmp_path), "LAMELLA_EMBEDDER": "none"}
    command = [sys.executable, "-c", _SAVING, str(tmp_path)]
    modules = subprocess.check_output(command, env=environment, text=True).split()
    assert len([each for each in modules if each.startswith("lamella")]) <= MOST_MODULES
    imported = {module.partition(".")[0] for module in modules}
    # `dependency_injector.providers` imports these, if they are installed; its `containers` would add starlette,
    # FastAPI, Flask and Werkzeug.
    of_providers = {"pydantic", "pydantic_core", "typing_extensions", "typing_inspection", "yaml"}
    own = {"apsw", "attr", "attrs", "dependency_injector", "lamella", "lamella_adapters"}
    assert imported == own | of_providers


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
