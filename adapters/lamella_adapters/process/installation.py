"""Facts about lamella's installation: its command, and the commands to upgrade it and to install extras."""

import json
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit

_PACKAGE = "lamella"

_OF_AN_EXTRA = re.compile(r"(?P<name>[\w.-]+).*;.*\bextra == ['\"](?P<extra>[\w-]+)")
"""Pattern of a package that an extra requires, in the metadata of lamella's package."""


def own_command() -> str:
    """Return the absolute path of the running command, with which it can be started from any folder."""
    running = Path(sys.argv[0]).absolute()
    if running.name == _PACKAGE and os.access(running, os.X_OK):
        return str(running)
    beside = Path(sys.executable).with_name(_PACKAGE)
    return str(beside) if beside.exists() else shutil.which(_PACKAGE) or _PACKAGE


def is_temporary() -> bool:
    """Return True if lamella runs in an environment made by `uvx`. uv may delete this environment at any time."""
    return any(part.startswith("archive-v") for part in Path(sys.prefix).parts)


def source() -> str:
    """Return the source of lamella's installation: a path, a URL, or its name on a package index."""
    return _requirement(())[-1]


def install_command(extra: str) -> str:
    """Return the command to install an extra of lamella into the running environment.

    pipx and `uv tool` are recognised by a file in their environments. If lamella wasn't installed from an index,
    the command names its source.
    """
    environment = Path(sys.prefix)
    if (environment / "pipx_metadata.json").is_file():
        words, extras = ["pipx", "install", "--force"], [*_installed_extras(), extra]
    elif (environment / "uv-receipt.toml").is_file():
        words, extras = ["uv", "tool", "install", "--force"], [*_installed_extras(), extra]
    elif find_spec("pip") is None:
        words, extras = ["uv", "pip", "install", "--python", sys.executable], [extra]
    else:
        words, extras = [sys.executable, "-m", "pip", "install"], [extra]
    return shlex.join([*words, *_requirement(extras)])


def has_extra(extra: str) -> bool:
    """Return True if all packages of an extra are installed."""
    return extra in _installed_extras()


def _installed_extras() -> Iterator[str]:
    """Yield the installed extras. If a reinstallation doesn't name them, pipx and `uv tool` remove them."""
    packages = dict[str, list[str]]()
    for each in distribution(_PACKAGE).requires or ():
        if found := _OF_AN_EXTRA.match(each):
            packages.setdefault(found["extra"], []).append(found["name"])
    yield from (extra for extra, names in packages.items() if all(map(_is_installed, names)))


def _is_installed(name: str) -> bool:
    try:
        return bool(distribution(name))
    except PackageNotFoundError:
        return False


def _requirement(extras: Iterable[str]) -> Sequence[str]:
    """Return the requirement to install: options, then the original source."""
    named = f"[{','.join(sorted({*extras}))}]" if extras else ""
    try:
        noted = json.loads(distribution(_PACKAGE).read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        noted = {}
    url = noted.get("url", "")
    if "dir_info" in noted:
        options = ["--editable"] if noted["dir_info"].get("editable") else []
        return [*options, f"{unquote(urlsplit(url).path)}{named}"]
    if "vcs_info" in noted:
        url = f"{noted['vcs_info']['vcs']}+{url}"
    return [f"{_PACKAGE}{named} @ {url}" if url else f"{_PACKAGE}{named}"]
