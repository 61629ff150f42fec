"""A hook of any client but Claude Code, whose plugin has its own. `command.hook_command` says how to run it.

It runs in a Python without site-packages, so it looks for packages beside its own, and in a checkout beside that.
"""

# ruff: noqa: PTH100, PTH112, PTH118, PTH120 - a script; importing pathlib costs a hook more than the rest

import os
import sys


def _folders() -> list[str]:
    """Return the folders to import from."""
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    if os.path.isdir(os.path.join(here, "lamella")):
        return [here]
    environment = os.path.dirname(os.path.dirname(sys.executable))
    python = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return [here, os.path.join(here, "..", "src"), os.path.join(environment, "lib", python, "site-packages")]


if __name__ == "__main__":
    sys.path += _folders()

    from lamella_adapters.hooks.run import run

    run(*sys.argv[1:3])
