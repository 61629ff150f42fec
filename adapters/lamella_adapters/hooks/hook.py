"""A hook of any client except Claude Code, which has its own plugin.

`command.hook_command` makes the command line of the hook.

The hook runs in a Python without site-packages. It therefore imports from the folder that contains its own
package, from `src` of a checkout, and from the environment of its interpreter.
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
