"""Events as clients really gave them to hooks."""

import json
from pathlib import Path
from typing import Any

from lamella_adapters.hooks.clients import Edit

RECORDED = Path(__file__).parents[4] / "fixtures" / "hooks"


def recorded(name: str) -> dict[str, Any]:
    """Return the input that a hook was given: `{client}/{event}`, or `{event}` of Claude Code."""
    given: dict[str, Any] = json.loads((RECORDED / f"{name}.json").read_text("utf-8"))
    return given


def named(client: str) -> list[str]:
    """The names of all events of a client."""
    return sorted(f"{client}/{path.stem}" for path in (RECORDED / client).glob("*.json"))


def changes(edits: list[Edit]) -> dict[str, list[str]]:
    """The lines that edits have added and removed, by file."""
    return {edit.path: [line for line in edit.hunks.split("\n") if line[:1] in ("+", "-")] for edit in edits}
