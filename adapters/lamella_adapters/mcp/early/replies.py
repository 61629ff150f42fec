"""Recorded replies of a server, and the files of replies."""

# ruff: noqa: PTH116, PTH118, PTH120, PTH123, PTH208 - importing pathlib takes longer than an early answer may

import json
import os
import sys

from lamella_adapters.process.start import TOOLSETS

SHIPPED = os.path.join(os.path.dirname(__file__), "shipped")
"""Folder of the replies included in the package, with a file for each toolset."""

_TOOLSETS = os.path.join(os.path.dirname(os.path.dirname(__file__)), "toolsets")
_SDK = ("mcp-", "mcp_types-")
_INSTALLED = (*_SDK, "lamella-")


def installed() -> dict[str, str]:
    """Return the versions of the packages that affect replies, keyed by the package's name in its metadata."""
    found: dict[str, str] = {}
    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")
        except OSError:
            continue
        for name in names:
            for package in _INSTALLED:
                if name.startswith(package) and name.endswith(".dist-info"):
                    found.setdefault(package, name.removesuffix(".dist-info"))
    return found


def shipped(toolset: str) -> dict[str, str] | None:
    """Return the package's replies for this toolset, if they were recorded with the installed SDK."""
    return _read(os.path.join(SHIPPED, f"{toolset}.json"), _sdk()) if toolset in TOOLSETS else None


def kept(path: str, toolset: str) -> dict[str, str] | None:
    """Return the replies that an earlier start stored in the file `path`; None if they are outdated or missing."""
    return _read(path, _made_of(toolset))


def as_shipped(replies: dict[str, str]) -> str:
    """Format replies as the text of a file in the package."""
    return json.dumps({"made_of": _sdk(), "replies": replies}, indent=1) + "\n"


def as_kept(toolset: str, replies: dict[str, str]) -> str:
    """Format replies as the text of a file in a data directory."""
    return json.dumps({"made_of": _made_of(toolset), "replies": replies})


def _sdk() -> list[str]:
    found = installed()
    return [found.get(each, "") for each in _SDK]


def _made_of(toolset: str) -> list[object]:
    """Return values that change if a toolset's replies may change: versions of packages, and times of files."""
    files = sorted(each.path for each in os.scandir(_TOOLSETS) if each.name.endswith((".py", ".toml")))
    return [toolset, *sorted(installed().values()), *(os.stat(path).st_mtime_ns for path in files)]


def _read(path: str, made_of: list[str] | list[object]) -> dict[str, str] | None:
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError, RecursionError):
        return None
    replies = found.get("replies") if isinstance(found, dict) and found.get("made_of") == made_of else None
    valid = isinstance(replies, dict) and all(isinstance(each, str) for each in replies.values())
    return replies if valid else None
