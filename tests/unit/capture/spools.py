"""A spool that exists in memory only."""

from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from attrs import define, field

from lamella.ports import spool

_DAWN = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)


@define
class InMemorySpool(spool.Spool):
    """Captures in a dictionary; `reasons` are those of sessions."""

    captures: dict[str, spool.Captured] = field(factory=dict)
    aside: dict[str, spool.Captured] = field(factory=dict)
    reasons: dict[str, str] = field(factory=dict)
    hooked: bool = False
    silent: frozenset[str] = frozenset()

    def put(self, **fields: Any) -> spool.Captured:
        """Add a capture, a minute after the one before."""
        number = len(self.captures) + 1
        given = {
            "name": f"{number:03d}.json",
            "event": "PostToolUse",
            "at": _DAWN + timedelta(minutes=number),
            "directory": Path("/home/ada/lovelace"),
            "session": "s",
            **fields,
        }
        captured = _captured(given.pop("event"), given.pop("transcript", None), given)
        self.captures[captured.name] = captured
        return captured

    def news(self) -> bool:
        return bool(self.captures)

    def waiting(self, *, limit: int, after: str = "") -> tuple[spool.Captured, ...]:
        return tuple(self.captures[name] for name in sorted(self.captures) if name > after)[:limit]

    def discard(self, names: Collection[str]) -> None:
        for name in names:
            self.captures.pop(name, None)

    def set_aside(self, names: Collection[str]) -> None:
        self.aside |= {name: self.captures.pop(name) for name in names}

    def state(self) -> spool.SpoolState:
        return spool.SpoolState(waiting=len(self.captures), aside=len(self.aside), hooked=self.hooked)

    def forget_reason(self, session: str) -> None:
        self.reasons.pop(session, None)

    def silence(self, places: Collection[str]) -> None:
        self.silent = frozenset(places)

    def erase(self, session: str) -> int:
        self.forget_reason(session)
        found = [name for name, each in self.captures.items() if each.session == session]
        self.discard(found)
        return len(found)


def _captured(event: str, transcript: Path | None, given: dict[str, Any]) -> spool.Captured:
    """The kind of capture that has these fields."""
    given.pop("tool", None)
    if "skipped" in given:
        return spool.Skipped(why=given.pop("skipped"), **given)
    if "injected" in given:
        return spool.ContextShown(
            event=event, tokens=given.pop("injected"), memories=given.pop("shown", ()), **given
        )
    if "hunks" in given:
        return spool.EditCaptured(**given)
    if "command" in given:
        return spool.CommandCaptured(**given)
    if transcript is not None:
        return spool.TranscriptAdvanced(transcript=transcript, ended=event != "Stop", **given)
    return spool.Skipped(why="nothing to store", **given)
