"""The invented project of the tour, of `project.toml`: the tickets of a small ferry line, with a few commits."""

import tomllib
from pathlib import Path

from attrs import frozen

NAME, OTHER = "ferry", "museum"
"""Folders of the project and of another one of the same user."""


@frozen
class Commit:
    """A commit of the user's: its subject, and the files that it writes."""

    subject: str
    files: dict[str, str]


_TOLD = tomllib.loads(Path(__file__).with_name("project.toml").read_text("utf-8"))

RETRY: str = _TOLD["retry"]
ONCE: str = _TOLD["once"]
COMMITS = tuple(Commit(**each) for each in _TOLD["commits"])
BY_HAND, ELSEWHERE = Commit(**_TOLD["by_hand"]), Commit(**_TOLD["elsewhere"])
