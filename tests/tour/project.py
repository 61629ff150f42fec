"""The invented project of the tour, of `project.toml`: the tickets of a small ferry line, with a few commits."""

import tomllib
from pathlib import Path

from attrs import frozen

NAME, OTHER, MOVED = "ferry", "museum", "gallery"
"""Folders of the project, and of another one of the same user before and after it is moved."""

BRANCH = "winter-fares"


@frozen
class Commit:
    """A commit of the user's: its subject, and the files that it writes."""

    subject: str
    files: dict[str, str]


_TOLD = tomllib.loads(Path(__file__).with_name("project.toml").read_text("utf-8"))

RETRY: str = _TOLD["retry"]
ONCE: str = _TOLD["once"]
COMMITS = tuple(Commit(**each) for each in _TOLD["commits"])
BY_HAND, REMOVED, BRANCHED, ELSEWHERE = (
    Commit(**_TOLD[name]) for name in ("by_hand", "removed", "branched", "elsewhere")
)
HOLDS: str = _TOLD["holds"]
GIVES_BACK: str = _TOLD["gives_back"]
