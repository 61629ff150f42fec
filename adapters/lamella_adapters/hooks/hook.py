"""A hook of any client except Claude Code, with its own plugin. `command.hook_command` makes its command line.

It runs in a Python without site-packages, so it looks for packages beside its own, and in a checkout beside it.
"""

import sys


def _folders() -> list[str]:
    """Return the folders to import from."""
    here, environment = __file__.rsplit("/", 3)[0], sys.executable.rsplit("/", 2)[0]
    python = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return [here, f"{here}/../src", f"{environment}/lib/{python}/site-packages"]


if __name__ == "__main__":
    sys.path += _folders()

    from lamella_adapters.hooks.run import run

    run(*sys.argv[1:3])
