"""Identity of transcripts: the session, time and folder in their first records."""

import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from attrs import evolve, frozen

from lamella.ports.transcripts import Source
from lamella_adapters.transcripts.files import lines, opened
from lamella_adapters.transcripts.recorded import plausible_directory, unique
from lamella_adapters.transcripts.records import Record, parsed

_HEAD_BYTES = 64 * 1024 * 1024
"""Maximum number of bytes of a file to search for its identity, found in one of the first few records."""

_HEAD_AT_ONCE = 16 * 1024
"""Number of bytes to read at once, usually enough for the identity."""

_HEAD_FIELDS = ("type", "cwd", "sessionId", "agentId", "timestamp", "uuid")

_LAST = datetime.max.replace(tzinfo=UTC)


@frozen
class Head:
    """The identity of a transcript.

    Attributes:
        path: The file.
        begun: The time of the first record.
        source: The file as a source of messages.
        sums_up: True if all records are summaries of other conversations.
    """

    path: Path
    begun: datetime
    source: Source
    sums_up: bool = False


def head_of(path: Path) -> Head:
    """Return the head of a file, even of an unreadable one: only reading its messages raises the error."""
    try:
        with opened(path, at_once=_HEAD_AT_ONCE) as file:
            status = os.fstat(file.fileno())
            records = list(_records(file))
    except (OSError, ValueError):
        return Head(path, _LAST, Source(id=path.name, size=0, place=os.fspath(path)))
    begun = next(filter(None, (each.time("timestamp") for each in records)), None)
    named = next((each for each in records if each.text("sessionId").strip()), Record())
    first = next((uuid for each in records if (uuid := each.text("uuid").strip())), "")
    id = "/".join(filter(str.strip, (named.text("sessionId"), named.text("agentId"), first))) or path.name
    # Only the last record may have a directory: the search ends there.
    directory = Path(records[-1]["cwd"]) if records and _has_directory(records[-1]) else None
    return Head(
        path,
        begun or datetime.fromtimestamp(status.st_mtime, UTC),
        Source(id=id, size=status.st_size, directory=directory, place=os.fspath(path)),
        sums_up=bool(records) and all(each.get("type") == "summary" for each in records),
    )


def sources_of(heads: Sequence[Head]) -> tuple[Source, ...]:
    """Return the source of each head, with unique ids.

    Files with summaries alone get the most common directory of their folder: the client keeps a folder for each
    directory.
    """
    sources = list(unique([head.source for head in heads]))
    places: defaultdict[Path, Counter[Path]] = defaultdict(Counter)
    for head in heads:
        if head.source.directory is not None:
            places[head.path.parent][head.source.directory] += 1
    for index, head in enumerate(heads):
        if head.sums_up:
            for directory, _ in places[head.path.parent].most_common(1):
                sources[index] = evolve(sources[index], directory=directory)
    return tuple(sources)


def _records(file: BinaryIO) -> Iterator[Record]:
    """Yield the first records of a file, up to the one with the conversation's directory."""
    read = 0
    for line in lines(file, 0):
        read += line.length
        record = parsed(line.content) if line.content else None
        if isinstance(record, Record):
            # Other fields may be large, and there may be many records before the last one.
            yield Record({name: record[name] for name in _HEAD_FIELDS if name in record})
            if _has_directory(record):
                return
        if read > _HEAD_BYTES:
            return


def _has_directory(record: Record) -> bool:
    """Return True if a record has a plausible working directory."""
    return plausible_directory(record.text("cwd")) is not None
