"""The conversations that Claude Code records, of which it keeps one file each.

A session is `{configuration}/projects/{folder}/{session id}.jsonl`: one JSON object a line, appended as things
happen. `{configuration}` is `~/.claude`, or `CLAUDE_CONFIG_DIR`. `{folder}` is the working directory at the start,
with all but letters and digits as `-`, which can't be taken back; but each message carries its `cwd`. That follows
every `cd`, so it is the first one that says where the conversation took place. As of version 2.1.329:

- `user` and `assistant` records have `uuid`, `timestamp`, `sessionId`, `cwd` and `message`, as it went over the
  wire: its `content` is text, or a list of parts (`text`, `thinking`, `tool_use`, `tool_result`, `image`). What
  the assistant says at once is several records, one for each part. `user` records hold also what no user typed:
  results of tools, what slash commands printed, the end of a background task; those with `isMeta` are for the
  model.
- `--resume` goes on in the same file. `--fork-session` begins a new one with a copy of the messages, in which only
  `sessionId` is new: it is `uuid` that says which record it is.
- A compaction appends a `system` record (`compact_boundary`) and a `user` one with `isCompactSummary`; what was
  there stays. Times do not always rise.
- A sub-agent has a file of its own, `{session id}/subagents/agent-{agent id}.jsonl`: with `agentId`, `isSidechain`
  and the `sessionId` of who sent it. Older versions have such records within the session's file.
- `custom-title` is the name that the user gave the session (`--name`, `/rename`), `ai-title` one that was made up;
  they are written again and again. A `summary` of older versions names the conversation that ends with the record
  `leafUuid`, which stands in another file most often.
- Nine tenths of the bytes are other records (`attachment`, `api-request-shape`, `api-request-blob`, ...): what was
  sent to the model, its prompts and tools, and context from hooks. They have up to some 100 KB each.
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
from lamella_adapters.claude_code.transcripts.files import (
    digest_before,
    lines,
    opened,
    why,
)
from lamella_adapters.claude_code.transcripts.heads import head_of, sources_of
from lamella_adapters.claude_code.transcripts.records import (
    Course,
    Found,
    Skipped,
    is_record,
    one_after_another,
)

BATCH_MESSAGES = 500
BATCH_BYTES = 8 * 1024 * 1024
"""How much is read for one batch, whichever is reached first; it bounds the memory that reading takes."""

_SUFFIX = ".jsonl"


def open_transcripts(path: Path | None) -> "ClaudeCodeTranscripts":
    """The transcripts in a file or folder, by default those that Claude Code keeps for this user.

    Raises:
        TranscriptsUnreadableError: the user has no home, and nothing else is said.
    """
    return ClaudeCodeTranscripts(path or _configuration() / "projects", named=path is not None)


@frozen
class ClaudeCodeTranscripts(Transcripts):
    """Reads the transcripts in `place`: a file, or a folder with all folders below it.

    Symbolic links below `place` are not followed, so that nothing outside of it is read. `named` is whether
    somebody said that it is there.
    """

    place: Path
    named: bool = True

    def sources(self) -> tuple[Source, ...]:
        """Every file whose name ends with `.jsonl`, by its first time, and what could not be looked at.

        The id of one is that of its session, its agent and its first message, as its records say; where they
        don't, its name. The first message tells two files of one session apart, wherever they are moved to; of
        copies the longest has that id, so that each has a position of its own.

        Raises:
            TranscriptsUnreadableError: what was named is no file or folder, or cannot be looked at.
        """
        try:
            is_folder = stat.S_ISDIR(self.place.stat().st_mode)
        except (OSError, ValueError) as error:
            if not self.named and isinstance(error, FileNotFoundError):
                return ()
            raise _unreadable(self.place, error) from error
        # Whoever names a file means what it leads to.
        paths = _files(self.place) if is_folder else [Path(os.path.realpath(self.place))]
        return sources_of(sorted(map(head_of, paths), key=lambda head: (head.begun, head.path)))

    def read(self, source: Source, since: str) -> Batch:
        """The next 500 messages of `source` after the position `since`, or fewer where 8 MiB hold fewer.

        Only whole records are read, the last one also without the end of its line; a longer one than 8 MiB is
        skipped without being held. What memory's own tools were asked and gave is left out.

        Raises:
            TranscriptsUnreadableError: it is gone, no file, a symbolic link, or not for us.
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
    """How far a file has been read in bytes, and what of that has to be known to read on."""

    offset: int = 0
    course: Course = field(factory=Course)

    def written(self, file: BinaryIO, touched: int) -> str:
        """As JSON. `before` is a digest of what stands before the offset: it proves that it is still that file.

        `touched` is when the file was written to last before it was read, in nanoseconds: as long as that and its
        size stay as they are, it need not be opened.
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
    """What was written of a position; nothing, if that is empty or not ours."""
    try:
        known = json.loads(written)
    except ValueError:
        return {}
    return known if isinstance(known, dict) else {}


def _is_untouched(path: Path, known: Mapping[str, Any]) -> bool:
    """Whether a file was read to its end and is as it was then."""
    status = path.lstat()
    return (known.get("offset"), known.get("touched")) == (status.st_size, status.st_mtime_ns)


def _position(known: Mapping[str, Any], file: BinaryIO) -> _Position:
    """The position of which this is known; the beginning, if it is none of this file."""
    try:
        if known["before"] == digest_before(file, known["offset"]):
            at = known["at"] and datetime.fromisoformat(known["at"])
            # Those who wrote no ends read no summaries: what they read is read once more.
            course = Course(at, known["open_calls"], known["titled"], known["ends"])
            return _Position(known["offset"], course)
    except (ValueError, TypeError, LookupError):
        pass  # there is none, or it is another version's
    return _Position()


def _followed(course: Course, content: bytes | None) -> list[Found]:
    """What is in a line: one record, or several, where a crash lost the line end between them."""
    found = course.follow(content)
    records = one_after_another(content) if content and found.skipped is Skipped.BROKEN else ()
    return [course.follow(record) for record in records] if len(records) > 1 else [found]


def _batch(source: str, file: BinaryIO, position: _Position) -> Batch:
    """What comes after `position`, which is moved on."""
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
                # The latest comes last, as if it were the first.
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
    """The transcripts below `folder`, and the folders that can't be looked into or are links."""
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
        reason=f"{printed_line(path.name)} cannot be read: {why(error)}.",
        advice="Check that it is there and that you may read it, then try again.",
    )
