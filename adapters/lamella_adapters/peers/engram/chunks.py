"""Chunks of engram: compressed JSON shared in a repository, each with the news since the one before.

A later chunk may change or delete a memory of an earlier one, by the log of changes in newer versions.
"""

import gzip
import io
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from lamella.domain.errors import PeerUnreadableError
from lamella.ports.peers import Skipped
from lamella_adapters.peers.files import opened, unreadable
from lamella_adapters.peers.json_records import parsed, records, records_of
from lamella_adapters.peers.values import Record, text

_MAX_BYTES = 64 * 1024 * 1024
"""Maximum size of a chunk after decompression. Real ones have some megabytes."""

_ID = re.compile(r"[0-9A-Za-z_-]{1,100}")


def last_versions(
    manifest: Path, key: Callable[[Record], str], met: Callable[[Iterable[Record]], None]
) -> Iterator[Record | Skipped]:
    """Yield the last version of each observation in a manifest's chunks, oldest chunk first.

    Args:
        manifest: The manifest, with the folder `chunks` beside it.
        key: Returns the common key of all versions of an observation.
        met: Called with the sessions of each chunk, before any observation is yielded.

    Raises:
        PeerUnreadableError: The manifest cannot be read.
    """
    chunks = [manifest.parent / "chunks" / f"{id}.jsonl.gz" for id in _ids(manifest)]
    if not chunks:
        raise unreadable(manifest, "it lists no chunks", "Run `engram sync`, then try again.")
    latest: dict[str, tuple[int, int]] = {}
    deleted: set[str] = set()
    for number, chunk in enumerate(chunks):
        try:
            with _content(chunk) as content:
                met(list(records_of(content, chunk, "sessions")))
                for place, record in enumerate(_versions(content, chunk)):
                    _note(key(record), record, (number, place), latest, deleted)
        except PeerUnreadableError:
            yield Skipped(f"broken chunk {chunk.name}")
    for number, chunk in enumerate(chunks):
        try:
            with _content(chunk) as content:
                for place, record in enumerate(_versions(content, chunk)):
                    if latest.get(key(record)) == (number, place):
                        gone = {"deleted_at": True} if key(record) in deleted else {}
                        yield {**record, **gone}
        except PeerUnreadableError:
            continue


def _note(
    id: str, record: Record, place: tuple[int, int], latest: dict[str, tuple[int, int]], deleted: set[str]
) -> None:
    if record.get("deleted_at"):
        deleted.add(id)
    else:
        deleted.discard(id)
    # The record of a deletion may have no text: keep the previous version's.
    if text(record.get("content")):
        latest[id] = place


def _ids(manifest: Path) -> list[str]:
    """Return the ids of chunks, oldest first, without unsafe ones: they could lead elsewhere."""
    listed = ((text(each.get("created_at")), text(each.get("id"))) for each in records(manifest, "chunks"))
    return [id for _, id in sorted(listed) if _ID.fullmatch(id)]


def _content(chunk: Path) -> io.BytesIO:
    with opened(chunk) as file:
        try:
            content = gzip.GzipFile(fileobj=file).read(_MAX_BYTES + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise unreadable(chunk, "it is broken") from error
    if len(content) > _MAX_BYTES:
        raise unreadable(chunk, "it is too large")
    return io.BytesIO(content)


def _versions(content: io.BytesIO, chunk: Path) -> Iterator[Record]:
    """Yield the observations of a chunk, then its changes of observations as if they were some."""
    yield from records_of(content, chunk, "observations")
    for change in records_of(content, chunk, "mutations"):
        if text(change.get("entity")) == "observation":
            payload: Any = change.get("payload")
            record = parsed(payload.encode(errors="replace")) if isinstance(payload, str) else payload
            fields = record if isinstance(record, dict) else {}
            gone = {"deleted_at": True} if text(change.get("op")) == "delete" else {}
            yield {"sync_id": text(change.get("entity_key")), **fields, **gone}
