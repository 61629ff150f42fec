"""Link that the plugin's hooks use to find the Python in which lamella is installed.

The plugin's data folder has `python`, a link to the interpreter, and `paths`, a file with the folders to import
from, one per line. Running a command to find them would take too long.
"""

# ruff: noqa: PTH103, PTH105, PTH115, PTH100, PTH118, PTH120 - importing pathlib would take longer than a hook

import os
import sys
from importlib.util import find_spec

from lamella_adapters.hooks.session_records import replace

_PACKAGES = ("lamella_adapters", "lamella", "apsw")
"""Packages imported by hooks besides the standard library."""


def link_for_plugin() -> None:
    """Write the link if the plugin started this process. Without the link, hooks run the command `lamella`."""
    try:
        if folder := os.environ.get("CLAUDE_PLUGIN_DATA"):
            link(folder)
    except OSError:
        return


def link(folder: str) -> None:
    """Write the link and the paths to the plugin's data folder. This is fast if nothing has changed.

    Raises:
        OSError: The folder can't be written.
    """
    # Link to the base interpreter: hooks don't need the virtual environment, and resolving it takes time.
    python = os.path.realpath(sys.executable)
    if not sys.executable or _linked(folder) == (python, _paths()):
        return
    os.makedirs(folder, 0o700, exist_ok=True)
    # Write the paths first: a hook reads them as soon as the link exists.
    replace(os.path.join(folder, "paths"), _paths())
    draft = os.path.join(folder, f"draft-{os.getpid()}")
    os.symlink(python, draft)  # noqa: PTH211 - see above
    os.replace(draft, os.path.join(folder, "python"))


def _linked(folder: str) -> tuple[str | None, bytes | None]:
    """Return the present target of the link, and the present paths."""
    try:
        with open(os.path.join(folder, "paths"), "rb") as file:  # noqa: PTH123 - see above
            return os.readlink(os.path.join(folder, "python")), file.read()
    except OSError:
        return None, None


def _paths() -> bytes:
    """Return the folders of the packages, without duplicates."""
    folders: dict[str, None] = {}
    for name in _PACKAGES:
        spec = find_spec(name)
        if spec is not None and spec.origin is not None:
            module = os.path.dirname(spec.origin) if spec.submodule_search_locations else spec.origin
            folders[os.path.dirname(os.path.abspath(module))] = None
    return b"".join(os.fsencode(each) + b"\n" for each in folders)
