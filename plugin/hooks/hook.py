"""A hook of lamella, run by the Python that lamella is installed for.

If that is gone, this fails before it reads any input. Then the command that started it tries another way.
"""

# ruff: noqa: INP001, PTH118, PTH123 - a script; importing pathlib costs a hook more than the rest

import os
import sys

with open(os.path.join(os.environ["CLAUDE_PLUGIN_DATA"], "paths"), "rb") as paths:
    sys.path += [os.fsdecode(path) for path in paths.read().split(b"\n") if path.startswith(b"/")]

from lamella_adapters.hooks.run import run

run()
