"""A hook of lamella, run by the Python interpreter of lamella's installation.

If that interpreter no longer exists, this fails before it reads input, and the command that started it then runs
the hook through the command `lamella`.
"""

# ruff: noqa: INP001, PTH123 - a script; importing os or pathlib would take longer than the rest of a hook

import posix
import sys

with open(posix.environ[b"CLAUDE_PLUGIN_DATA"] + b"/paths", "rb") as paths:
    sys.path += [
        path.decode(sys.getfilesystemencoding(), "surrogateescape")
        for path in paths.read().split(b"\n")
        if path.startswith(b"/")
    ]

from lamella_adapters.hooks.run import run

run()
