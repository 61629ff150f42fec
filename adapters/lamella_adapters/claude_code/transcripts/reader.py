"""Reader of the transcripts that Claude Code keeps, one file for each conversation.

A session is `{configuration}/projects/{folder}/{session id}.jsonl`: one JSON object a line, appended as things
happen. `{configuration}` is `~/.claude`, or `CLAUDE_CONFIG_DIR`. `{folder}` is the working directory at the start,
with all but letters and digits replaced by `-`, which can't be reversed. But each message has its `cwd`. As that
changes with every `cd`, the first one is the directory of the conversation. As of version 2.1.329:

- `user` and `assistant` records have `uuid`, `timestamp`, `sessionId`, `cwd` and `message`, as it went over the
  wire: its `content` is text, or a list of parts (`text`, `thinking`, `tool_use`, `tool_result`, `image`). A
  message of the assistant is several records, one for each part. `user` records also have text that the user has
  not typed: results of tools, output of slash commands, the end of a background task. Those with `isMeta` are for
  the model.
- `--resume` appends to the same file. `--fork-session` begins a new one with a copy of the messages, in which only
  `sessionId` is new, and `uuid` still identifies each record.
- A compaction appends a `system` record (`compact_boundary`) and a `user` one with `isCompactSummary`. Earlier
  records stay. Times do not always rise.
- A sub-agent has a file of its own, `{session id}/subagents/agent-{agent id}.jsonl`, with `agentId`, `isSidechain`
  and the `sessionId` of its parent. Older versions have such records within the session's file.
- `custom-title` is the name that the user gave the session (`--name`, `/rename`), `ai-title` a generated one. Both
  are written again and again. A `summary` of older versions names the conversation that ends with the record
  `leafUuid`, which mostly is in another file.
- Nine tenths of the bytes are other records (`attachment`, `api-request-shape`, `api-request-blob`, ...): requests
  to the model, its prompts and tools, and context from hooks. They have up to some 100 KB each.
"""

import json
import os
import stat
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from attrs import define, field, frozen

from lamella.domain.conversations.message import Batch, MessageDraft
from lamella.domain.errors import TranscriptsUnreadableError
from lamella.domain.text.printing import printed_line
from lamella.ports.transcripts import Source, Transcripts
from lamella_adapters.claude_code.transcripts.files import digest_before, lines, opened, reason
from lamella_adapters.claude_code.transcripts.heads import head_of, sources_of
from lamella_adapters.claude_code.transcripts.records import Course, Found, Skipped, is_record, one_after_another

BATCH_MESSAGES = 500
BATCH_BYTES = 8 * 1024 * 1024
"""Limits of one batch, which bound the memory that reading takes."""

_SUFFIX = ".jsonl"


def open_transcripts(path: Path | None) -> "ClaudeCodeTranscripts":
    """Return the transcripts in a file or folder, by default those that Claude Code keeps for this user.

    Raises:
        TranscriptsUnreadableError: No path is given, and the user has no home.
    """
    return ClaudeCodeTranscripts(path or _configuration() / "projects", named=path is not None)


@frozen
class ClaudeCodeTranscripts(Transcripts):
    """The transcripts in a file, or in a folder and all folders below it.

    Symbolic links below the folder are not followed, so that nothing outside of it is read.

    Attributes:
        place: The file or folder.
        named: True if the user has named it, so that it must exist.
    """

    place: Path
    named: bool = True

    def sources(self) -> tuple[Source, ...]:
        """Return every file whose name ends with `.jsonl` in order of their first times, and unreadable folders.

        The id of a source is made of the ids of its session, its agent and its first message, or of the file's
        name if it has none of them. The first message distinguishes several files of one session, also if they are
        moved. Of copies, the longest file keeps the id, so that each has a position of its own.

        Raises:
            TranscriptsUnreadableError: A named place is not a file or folder, or cannot be read.
        """
        try:
            is_folder = stat.S_ISDIR(self.place.stat().st_mode)
        except (OSError, ValueError) as error:
            if not self.named and isinstance(error, FileNotFoundError):
                return ()
            raise _unreadable(self.place, error) from error
        # A link that the user has named is followed.
        paths = _files(self.place) if is_folder else [Path(os.path.realpath(self.place))]
        return sources_of(sorted(map(head_of, paths), key=lambda head: (head.begun, head.path)))

    def read(self, source: Source, since: str) -> Batch:
        """Return the next messages of `source` after the position `since`: 500 messages, or those of 8 MiB.

        Only whole records are read. The last one may lack the end of its line. Records above 8 MiB are skipped
        without being kept in memory. Calls and results of memory's own tools are left out.

        Raises:
            TranscriptsUnreadableError: The file is gone, not a regular file, or must not be read.
        """
        path = Path(source.place)
        try:
            known = _known(since)
            if _is_untouched(path, known):
                return Batch(source=source.id, position=since, read=known["offset"])
            with opened(path) as file:
                return _batch(source.id, file, _position(known, file))
        except (OSError, ValueError) as error:
            raise _unreadable(path, error) from error


@define
class _Position:
    """A position in a file in bytes, and the state of the records before it."""

    offset: int = 0
    course: Course = field(factory=Course)

    def written(self, file: BinaryIO, touched: int) -> str:
        """Return the position as JSON, with a digest of the bytes before it, which identifies the file.

        Args:
            file: The file that was read.
            touched: The file's time of writing before it was read, in nanoseconds since 1970. A file with the same
                time and size is not opened again.
        """
        course = self.course
        return json.dumps(
            {
                "offset": self.offset,
                "before": digest_before(file, self.offset),
                "touched": touched,
                "at": course.at and course.at.isoformat(),
                "open_calls": course.open_calls,
                "titled": course.titled,
                "ends": course.ends,
            }
        )


def _known(written: str) -> Mapping[str, Any]:
    """Return the fields of a position, none if it is empty or unreadable."""
    try:
        known = json.loads(written)
    except ValueError:
        return {}
    return known if isinstance(known, dict) else {}


def _is_untouched(path: Path, known: Mapping[str, Any]) -> bool:
    """Return True if a file was read to its end and has not changed since."""
    status = path.lstat()
    return (known.get("offset"), known.get("touched")) == (status.st_size, status.st_mtime_ns)


def _position(known: Mapping[str, Any], file: BinaryIO) -> _Position:
    """Return the position with these fields, or the beginning if they are of another file."""
    try:
        if known["before"] == digest_before(file, known["offset"]):
            at = known["at"] and datetime.fromisoformat(known["at"])
            # A position without ends is of a version that read no summaries, so the file is read again.
            course = Course(at, known["open_calls"], known["titled"], known["ends"])
            return _Position(known["offset"], course)
    except (ValueError, TypeError, LookupError):
        pass  # there is no position, or it is of another version
    return _Position()


def _followed(course: Course, content: bytes | None) -> list[Found]:
    """Return the content of a line: one record, or several if a crash lost the line end between them."""
    found = course.follow(content)
    records = one_after_another(content) if content and found.skipped is Skipped.BROKEN else ()
    return [course.follow(record) for record in records] if len(records) > 1 else [found]


def _batch(source: str, file: BinaryIO, position: _Position) -> Batch:
    """Return the messages after `position`, and advance it."""
    begin, ended = position.offset, frozenset(position.course.ends)
    touched = os.fstat(file.fileno()).st_mtime_ns
    drafts: list[MessageDraft] = []
    names: dict[str, str] = {}
    titles: dict[str, str] = {}
    skipped: Counter[str] = Counter()
    complete, waiting = True, False
    for line in lines(file, begin):
        if not line.whole and not is_record(line.content):
            waiting = True
            break
        position.offset += line.length
        for found in _followed(position.course, line.content):
            drafts += found.drafts
            names |= found.names
            for record, title in found.titles.items():
                # The latest title is the last one in the order.
                titles.pop(record, None)
                titles[record] = title
            if found.skipped:
                skipped[found.skipped.value] += 1
        if len(drafts) >= BATCH_MESSAGES or position.offset - begin >= BATCH_BYTES:
            complete = False
            break
    return Batch(
        source=source,
        position=position.written(file, touched),
        drafts=tuple(drafts),
        names=names,
        titles=titles,
        ends={id: session for id, session in position.course.ends.items() if id not in ended},
        read=position.offset,
        skipped=dict(skipped),
        complete=complete,
        waiting=waiting,
    )


def _configuration() -> Path:
    chosen = os.environ.get("CLAUDE_CONFIG_DIR", "").strip()
    try:
        return Path(chosen) if chosen else Path.home() / ".claude"
    except RuntimeError:
        raise TranscriptsUnreadableError(
            reason="Where Claude Code keeps its transcripts is not known: this user has no home.",
            advice="Set CLAUDE_CONFIG_DIR, or name a folder.",
        ) from None


def _files(folder: Path) -> Iterator[Path]:
    """Yield the transcripts below `folder`, and the folders that are links or can't be read."""
    folders = [folder]
    while folders:
        folder = folders.pop()
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(Path(entry.path))
                    elif entry.name.endswith(_SUFFIX) or (entry.is_symlink() and entry.is_dir()):
                        yield Path(entry.path)
        except OSError:
            yield folder


def _unreadable(path: Path, error: Exception) -> TranscriptsUnreadableError:
    return TranscriptsUnreadableError(
        reason=f"{printed_line(path.name)} cannot be read: {reason(error)}.",
        advice="Check that it is there and that you may read it, then try again.",
    )
