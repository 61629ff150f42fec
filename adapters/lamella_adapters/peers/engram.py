"""Memories of engram: its SQLite file, its export in JSON, or its chunks in a repository.

Times are text in UTC. Memories of scope `personal` belong to no project. A chunk is compressed JSON with the
changes since the previous chunk. In newer versions, a chunk also has a log of changes. The log can change or
delete memories of earlier chunks.
"""

import gzip
import io
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from lamella.domain.errors import PeerUnreadableError
from lamella.domain.memories.kind import Kind
from lamella.domain.text.printing import printed_line
from lamella.ports.peers import ForeignMemory, ForeignPrompt, Skipped, Store
from lamella.ports.peers import Record as PeerRecord
from lamella_adapters.peers.files import LocatedPeer, opened, unreadable
from lamella_adapters.peers.json_records import parsed, records, records_of
from lamella_adapters.peers.sqlite_store import reading, stores_of, tables_of
from lamella_adapters.peers.values import Record, made, memory, moment, number, prompt, text

PROGRAM = "engram"

_FILE, _MANIFEST = "engram.db", "manifest.json"
_TABLES = tables_of(PROGRAM)
_PERSONAL = "personal"
_SUMMARY = "session_summary"

Sessions = Mapping[str, tuple[str, str]]
"""Project and directory of each session, keyed by the session's id."""
_MAX_BYTES = 64 * 1024 * 1024
"""Maximum size of a decompressed chunk. Real chunks have a few megabytes."""

_ID = re.compile(r"[0-9A-Za-z_-]{1,100}")


class Engram(LocatedPeer):
    """The memories of engram."""

    def stores(self) -> tuple[Store, ...]:
        """Return engram's SQLite file, its export, or the folder of its chunks."""
        names = (_FILE, _MANIFEST, f".engram/{_MANIFEST}")
        return stores_of(PROGRAM, self.path, Path.home() / ".engram" / _FILE, _TABLES["observations"], names=names)

    def read(self, store: Store) -> Iterator[PeerRecord]:
        """Yield observations in order of saving, then prompts. A folder of chunks contains no prompts."""
        if store.place.name == _MANIFEST:
            met: dict[str, tuple[str, str]] = {}
            rows = last_versions(store.place, _key, lambda records: met.update(_by_id(records)))
            yield from made(rows, lambda row: _memory(row, met))
            return
        with reading(store.place) as read:
            sessions = _by_id(read(_TABLES["sessions"]))
            yield from made(read(_TABLES["observations"]), lambda row: _memory(row, sessions))
            yield from made(read(_TABLES["user_prompts"]), lambda row: _prompt(row, sessions))


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
        # A session may save memories for a project other than its own.
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


def last_versions(
    manifest: Path, key: Callable[[Record], str], met: Callable[[Iterable[Record | Skipped]], None]
) -> Iterator[Record | Skipped]:
    """Yield the last version of each observation in a manifest's chunks, oldest chunk first.

    Args:
        manifest: The manifest, with the folder `chunks` beside it.
        key: Returns the common key of all versions of an observation.
        met: Called with the sessions of each chunk. All calls happen before the first observation is yielded.

    Raises:
        PeerUnreadableError: The manifest cannot be read.
    """
    chunks = [manifest.parent / "chunks" / f"{id}.jsonl.gz" for id in _ids(manifest)]
    if not chunks:
        raise unreadable(manifest, "it lists no chunks", "Run `engram sync`, then try again.")
    latest: dict[str, tuple[int, int]] = {}
    deleted: set[str] = set()
    for age, chunk in enumerate(chunks):
        try:
            with _content(chunk) as content:
                met(list(records_of(content, chunk, "sessions")))
                for place, record in enumerate(_versions(content, chunk)):
                    _note(record, key, (age, place), latest, deleted)
        except PeerUnreadableError:
            yield Skipped(f"broken chunk {chunk.name}")
    for age, chunk in enumerate(chunks):
        try:
            with _content(chunk) as content:
                for place, record in enumerate(_versions(content, chunk)):
                    if isinstance(record, Skipped):
                        yield record
                    elif latest.get(key(record)) == (age, place):
                        gone = {"deleted_at": True} if key(record) in deleted else {}
                        yield {**record, **gone}
        except PeerUnreadableError:
            continue


def _note(
    record: Record | Skipped,
    key: Callable[[Record], str],
    place: tuple[int, int],
    latest: dict[str, tuple[int, int]],
    deleted: set[str],
) -> None:
    if isinstance(record, Skipped):
        return
    id = key(record)
    if record.get("deleted_at"):
        deleted.add(id)
    else:
        deleted.discard(id)
    # The record of a deletion may have no text. Keep the text of the previous version.
    if text(record.get("content")):
        latest[id] = place


def _ids(manifest: Path) -> list[str]:
    """Return the ids of chunks, oldest first. Skip unsafe ids, which could be paths outside of the folder."""
    listed = [each for each in records(manifest, "chunks") if not isinstance(each, Skipped)]
    found = sorted((text(each.get("created_at")), text(each.get("id"))) for each in listed)
    return [id for _, id in found if _ID.fullmatch(id)]


def _content(chunk: Path) -> io.BytesIO:
    with opened(chunk) as file:
        try:
            content = gzip.GzipFile(fileobj=file).read(_MAX_BYTES + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise unreadable(chunk, "it is broken") from error
    if len(content) > _MAX_BYTES:
        raise unreadable(chunk, "it is too large")
    return io.BytesIO(content)


def _versions(content: io.BytesIO, chunk: Path) -> Iterator[Record | Skipped]:
    """Yield the observations of a chunk, then the observations in its log of changes."""
    yield from records_of(content, chunk, "observations")
    for change in records_of(content, chunk, "mutations"):
        if isinstance(change, Skipped):
            yield change
        elif text(change.get("entity")) == "observation":
            payload: Any = change.get("payload")
            id, gone = text(change.get("entity_key")), text(change.get("op")) == "delete"
            record = parsed(payload.encode()) if isinstance(payload, str) else payload
            if isinstance(record, Skipped) and not gone:
                yield Skipped(f"broken change of {printed_line(id)} in chunk {chunk.name}")
                continue
            fields = record if isinstance(record, dict) else {}
            yield {"sync_id": id, **fields, **({"deleted_at": True} if gone else {})}
