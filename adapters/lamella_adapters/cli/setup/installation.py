"""Commands that fit the way lamella was installed: its own, and the one that installs an extra."""

import json
import os
import shlex
import shutil
import sys
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit

_PACKAGE = "lamella"


def own_command() -> str:
    """Return the absolute path of the command that runs now, by which it can be started from anywhere."""
    running = Path(sys.argv[0]).absolute()
    if running.name == _PACKAGE and os.access(running, os.X_OK):
        return str(running)
    beside = Path(sys.executable).with_name(_PACKAGE)
    return str(beside) if beside.exists() else shutil.which(_PACKAGE) or _PACKAGE


def is_temporary() -> bool:
    """Return True if lamella runs in an environment that `uvx` has made, which uv may delete at any time."""
    return any(part.startswith("archive-v") for part in Path(sys.prefix).parts)


def install_command(extra: str) -> str:
    """Return the command that installs an extra of lamella into the environment that runs now.

    pipx and `uv tool` leave a file in the environments that they make, and installers note where a package came
    from if that was no index.
    """
    options, requirement = _requirement(extra)
    environment = Path(sys.prefix)
    if (environment / "pipx_metadata.json").is_file():
        words = ["pipx", "install", "--force", *options, requirement]
    elif (environment / "uv-receipt.toml").is_file():
        words = ["uv", "tool", "install", "--force", *options, requirement]
    elif find_spec("pip") is None:
        words = ["uv", "pip", "install", "--python", sys.executable, *options, requirement]
    else:
        words = [sys.executable, "-m", "pip", "install", *options, requirement]
    return shlex.join(words)


def _requirement(extra: str) -> tuple[list[str], str]:
    """Return what to install, from where it came, and the options that this needs."""
    named = f"{_PACKAGE}[{extra}]"
    try:
        noted = json.loads(distribution(_PACKAGE).read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        noted = {}
    url = noted.get("url", "")
    if "dir_info" in noted:
        options = ["--editable"] if noted["dir_info"].get("editable") else []
        return options, f"{unquote(urlsplit(url).path)}[{extra}]"
    if "vcs_info" in noted:
        return [], f"{named} @ {noted['vcs_info']['vcs']}+{url}"
    return [], f"{named} @ {url}" if url else named
