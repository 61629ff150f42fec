"""Memories of engram: its SQLite file, its export in JSON, or its chunks in a repository.

Times are text in UTC. Memories of scope `personal` belong to no project.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from attrs import define

from lamella.domain.memories.kind import Kind
from lamella.ports.peers import ForeignMemory, ForeignPrompt, Peer, Skipped, Store
from lamella.ports.peers import Record as PeerRecord
from lamella_adapters.peers.engram.chunks import last_versions
from lamella_adapters.peers.files import located
from lamella_adapters.peers.sqlite_store import Table, reading, store
from lamella_adapters.peers.values import Record, made, memory, moment, number, prompt, text

PROGRAM = "engram"

_FILE, _MANIFEST = "engram.db", "manifest.json"
_SESSIONS = Table("sessions", ("id", "project", "directory"), lists=("sessions",))
_OBSERVATIONS = Table(
    "observations",
    ("id", "sync_id", "session_id", "type", "title", "content", "project", "scope", "created_at", "deleted_at"),
    needed=("id", "title", "content"),
    lists=("observations",),
)
_PROMPTS = Table("user_prompts", ("id", "session_id", "content", "project", "created_at"), lists=("prompts",))
_PERSONAL = "personal"
_SUMMARY = "session_summary"

Sessions = Mapping[str, tuple[str, str]]
"""Project and directory of sessions by their ids."""


@define
class Engram(Peer):
    """The memories of engram."""

    path: Path | None

    def stores(self) -> tuple[Store, ...]:
        """Return its file, its export, or the folder of its chunks."""
        names = [_FILE, _MANIFEST, f".engram/{_MANIFEST}"]
        found = located(PROGRAM, self.path, [Path.home() / ".engram" / _FILE], names)
        return tuple(store(each, _OBSERVATIONS) for each in found)

    def read(self, store: Store) -> Iterator[PeerRecord]:
        """Yield observations in order of saving, then prompts. Chunks have no prompts."""
        if store.place.name == _MANIFEST:
            met: dict[str, tuple[str, str]] = {}
            rows = last_versions(store.place, _key, lambda records: met.update(_by_id(records)))
            yield from made(rows, lambda row: _memory(row, met))
            return
        with reading(store.place) as read:
            sessions = _by_id(read(_SESSIONS))
            yield from made(read(_OBSERVATIONS), lambda row: _memory(row, sessions))
            yield from made(read(_PROMPTS), lambda row: _prompt(row, sessions))


open_engram = Engram
"""Opens the memories of engram in a file or folder, or in its own place."""


def _by_id(sessions: Iterable[Record | Skipped]) -> dict[str, tuple[str, str]]:
    return {
        text(each.get("id")): (text(each.get("project")), text(each.get("directory")))
        for each in sessions
        if not isinstance(each, Skipped)
    }


def _memory(row: Record, sessions: Sessions) -> ForeignMemory | Skipped:
    session = text(row.get("session_id"))
    of_session, directory = sessions.get(session, ("", ""))
    project = text(row.get("project")) or of_session
    personal = text(row.get("scope")) == _PERSONAL
    kind = text(row.get("type"))
    return memory(
        key=_key(row),
        project="" if personal else project,
        # A session may save for another project than its own.
        directory=directory if project == of_session and not personal else "",
        title=text(row.get("title")),
        content=text(row.get("content")),
        source=kind,
        kind=Kind.SUMMARY if kind == _SUMMARY else Kind.NOTE,
        created_at=moment(row.get("created_at")),
        session=session,
        deleted=row.get("deleted_at") is not None,
    )


def _prompt(row: Record, sessions: Sessions) -> ForeignPrompt | Skipped:
    session = text(row.get("session_id"))
    project, directory = sessions.get(session, ("", ""))
    return prompt(
        key=_key(row),
        text=text(row.get("content")),
        session=session,
        at=moment(row.get("created_at")),
        project=text(row.get("project")) or project,
        directory=directory,
    )


def _key(row: Record) -> str:
    return text(row.get("sync_id")) or f"{text(row.get('session_id'))}/{number(row.get('id'))}"
