"""Reader of Claude Code's transcripts, one file for each conversation.

A session is `{configuration}/projects/{folder}/{session id}.jsonl`: one JSON object per line, appended in order of
time. `{configuration}` is `~/.claude`, or `CLAUDE_CONFIG_DIR`. `{folder}` is the working directory at the start,
with `-` for all but letters and digits. So the directory can't be derived from `{folder}`, but each message has
its `cwd`. As `cwd` changes with every `cd`, the first `cwd` is the directory of the conversation. As of version
2.1.329:

- `user` and `assistant` records have `uuid`, `timestamp`, `sessionId`, `cwd` and `message`, as in Anthropic's API:
  its `content` is text, or a list of parts (`text`, `thinking`, `tool_use`, `tool_result`, `image`). A message of
  the assistant is several records, one for each part. `user` records also have text not typed by the user: results
  of tools, output of slash commands, the end of a background task. Records with `isMeta` are for the model.
- `--resume` appends to the same file. `--fork-session` begins a new one with a copy of the messages. Only their
  `sessionId` is new, and `uuid` still identifies each record.
- A compaction appends a `system` record (`compact_boundary`) and a `user` one with `isCompactSummary`. Earlier
  records stay. Times do not always rise.
- A sub-agent has a separate file, `{session id}/subagents/agent-{agent id}.jsonl`, with `agentId`, `isSidechain`
  and the `sessionId` of its parent. Older versions have such records within the session's file.
- `custom-title` is the user's name for the session (`--name`, `/rename`), `ai-title` a generated one. Both are
  repeated often. A `summary` of older versions names the conversation with the last record `leafUuid`, usually in
  another file.
- Nine tenths of a file's bytes are other records (`attachment`, `api-request-shape`, `api-request-blob`, ...):
  requests to the model, its prompts and tools, and context from hooks. They have up to some 100 KB each.
"""

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from attrs import evolve, frozen

from lamella.ports.transcripts import Source
from lamella_adapters.transcripts.claude_code.records import ClaudeCodeParser
from lamella_adapters.transcripts.files import lines, opened
from lamella_adapters.transcripts.recorded import RecordedTranscripts, plausible_directory, unique
from lamella_adapters.transcripts.records import Record, parsed

_HEAD_BYTES = 64 * 1024 * 1024
"""Maximum number of bytes at the start of a file to search for the conversation's identity."""

_HEAD_AT_ONCE = 16 * 1024
"""Number of bytes to read at a time. The first read usually contains the identity."""

_HEAD_FIELDS = ("type", "cwd", "sessionId", "agentId", "timestamp", "uuid")

_LAST = datetime.max.replace(tzinfo=UTC)


@frozen
class Head:
    """The identity of a transcript.

    Attributes:
        path: The file.
        begun: The time of the first record.
        source: The file as a source of messages.
        sums_up: True if the file only has summaries of other conversations.
    """

    path: Path
    begun: datetime
    source: Source
    sums_up: bool = False


def head_of(path: Path) -> Head:
    """Return the head of a file.

    An unreadable file has a head, too. The error is raised only when messages are read.
    """
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
    # Reading stops at the first record with a directory, so only the last record can have a directory.
    directory = Path(records[-1]["cwd"]) if records and _has_directory(records[-1]) else None
    return Head(
        path,
        begun or datetime.fromtimestamp(status.st_mtime, UTC),
        Source(id=id, size=status.st_size, directory=directory, place=os.fspath(path)),
        sums_up=bool(records) and all(each.get("type") == "summary" for each in records),
    )


def _records(file: BinaryIO) -> Iterator[Record]:
    """Yield the first records of a file, up to the one with the conversation's directory."""
    read = 0
    for line in lines(file, 0):
        read += line.length
        record = parsed(line.content) if line.content else None
        if isinstance(record, Record):
            # Keep only these fields. Other fields may be large, and the record with the directory may come late.
            yield Record({name: record[name] for name in _HEAD_FIELDS if name in record})
            if _has_directory(record):
                return
        if read > _HEAD_BYTES:
            return


def _has_directory(record: Record) -> bool:
    """Return True if a record has a plausible working directory."""
    return plausible_directory(record.text("cwd")) is not None


@frozen
class ClaudeCodeTranscripts(RecordedTranscripts):
    """The transcripts of Claude Code in a file, or in a folder and all folders below it."""

    parser = ClaudeCodeParser
    own = ("Claude Code", "CLAUDE_CONFIG_DIR", ".claude", "projects")

    def sources_of(self, paths: Iterable[Path]) -> tuple[Source, ...]:
        """Return the files as sources, oldest first, with unique ids.

        A file that only has summaries names no directory. Such a file gets the most common directory of the other
        files in its folder, because the client has one folder for each directory.
        """
        heads = sorted(map(head_of, paths), key=lambda head: (head.begun, head.path))
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
