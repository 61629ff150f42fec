"""Memories of engram: its SQLite file, its export in JSON, or the chunks that it keeps in a repository.

Times are text in UTC. Memories of scope `personal` belong to no project.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from attrs import define

from lamella.domain.memories.kind import Kind
from lamella.ports.peers import ForeignMemory, Peer, Skipped, Store
from lamella.ports.peers import Record as Found
from lamella_adapters.peers import sqlite_store
from lamella_adapters.peers.engram_chunks import last_versions
from lamella_adapters.peers.files import TOO_LONG, located
from lamella_adapters.peers.json_records import records
from lamella_adapters.peers.values import Record, memory, moment, number, prompt, text

PROGRAM = "engram"

_FILE, _MANIFEST = "engram.db", "manifest.json"
_COLUMNS = (
    "id",
    "sync_id",
    "session_id",
    "type",
    "title",
    "content",
    "project",
    "scope",
    "created_at",
    "deleted_at",
)
_SESSION = ("id", "project", "directory")
_PROMPT = ("id", "session_id", "content", "project", "created_at")
_PERSONAL = "personal"
_SUMMARY = "session_summary"

Sessions = Mapping[str, tuple[str, str]]
"""Project and directory of sessions by their ids."""


def open_engram(path: Path | None) -> Peer:
    """Return the memories of engram in a file or folder, or where it keeps its own."""
    return Engram(path)


@define
class Engram(Peer):
    """The memories of engram."""

    path: Path | None

    def stores(self) -> tuple[Store, ...]:
        """Return its file, its export, or the folder of its chunks."""
        names = [_FILE, _MANIFEST, f".engram/{_MANIFEST}"]
        return tuple(map(_store, located(PROGRAM, self.path, [Path.home() / ".engram" / _FILE], names)))

    def read(self, store: Store) -> Iterator[Found]:
        """Yield observations in the order in which they were saved, then prompts; chunks give no prompts."""
        if sqlite_store.is_sqlite(store.place):
            with sqlite_store.opened(store.place) as tables:
                sessions = _by_id(tables.rows("sessions", _SESSION, needed=()))
                rows = tables.rows("observations", _COLUMNS, needed=("id", "title", "content"))
                yield from _memories(rows, sessions)
                yield from _prompts(tables.rows("user_prompts", _PROMPT, needed=()), sessions)
        elif store.place.name == _MANIFEST:
            sessions = {}
            for row in last_versions(store.place, _key, lambda records: sessions.update(_by_id(records))):
                yield row if isinstance(row, Skipped) else _memory(row, sessions)
        else:
            sessions = _by_id(records(store.place, "sessions"))
            yield from _memories(records(store.place, "observations"), sessions)
            yield from _prompts(records(store.place, "prompts"), sessions)


def _store(place: Path) -> Store:
    if not sqlite_store.is_sqlite(place):
        return Store(place=place)
    return Store(place=place, records=sqlite_store.counted(place, lambda tables: tables.count("observations")))


def _by_id(sessions: Iterable[Record | None]) -> dict[str, tuple[str, str]]:
    return {
        text(each.get("id")): (text(each.get("project")), text(each.get("directory"))) for each in sessions if each
    }


def _memories(rows: Iterable[Record | None], sessions: Sessions) -> Iterator[ForeignMemory | Skipped]:
    for row in rows:
        yield TOO_LONG if row is None else _memory(row, sessions)


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


def _prompts(rows: Iterable[Record | None], sessions: Sessions) -> Iterator[Found]:
    for row in filter(None, rows):
        session = text(row.get("session_id"))
        project, directory = sessions.get(session, ("", ""))
        yield prompt(
            key=_key(row),
            text=text(row.get("content")),
            session=session,
            at=moment(row.get("created_at")),
            project=text(row.get("project")) or project,
            directory=directory,
        )


def _key(row: Record) -> str:
    return text(row.get("sync_id")) or f"{text(row.get('session_id'))}/{number(row.get('id'))}"
