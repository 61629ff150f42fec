"""Reader of sessions in the SQLite database of opencode, and of Kilo, which is based on opencode.

The database is `opencode.db` in `~/.local/share/opencode`, or in `opencode` below `XDG_DATA_HOME`. For Kilo,
replace `opencode` in these names by `kilo`. The database and its write-ahead log are only read. As of opencode
1.18 and Kilo 7.7:

- A `session` has a `directory`, a title, and a `parent_id` for a sub-agent.
- A `message` belongs to a session, a `part` to a message. Their content is JSON in `data`. Times are milliseconds.
- Parts of the kinds `text`, `reasoning` and `tool` hold texts, thoughts and tool calls. `synthetic` and `ignored`
  texts are written by the client. A part is written again while the model answers, until its message has
  `time.completed` or an `error`.

A position is the time and the id of the last read message. Reading stops before a message that may still grow.
"""

import json
import os
import tomllib
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, Self

import apsw
from attrs import define, field, frozen

from lamella.domain.conversations.message import Batch, MessageDraft, Role
from lamella.domain.text.printing import one_line
from lamella.ports.transcripts import Source, Transcripts
from lamella_adapters.transcripts.database import MAX_VALUE_BYTES, connected
from lamella_adapters.transcripts.recorded import BATCH_BYTES, BATCH_MESSAGES, place_of, plausible_directory
from lamella_adapters.transcripts.records import (
    MAX_PARTS,
    Part,
    Record,
    RecordContent,
    Skipped,
    TranscriptParser,
    parsed,
)
from lamella_adapters.transcripts.texts import call, is_own_tool

_TABLES = ("session", "message", "part")
_MAX_MESSAGE_BYTES = 32 * 1024 * 1024
"""Maximum bytes to read of the parts of one message."""

_GENERATED_TITLES = ("New session - ", "Child session - ")

_QUERIES = tomllib.loads(Path(__file__).with_name("opencode.toml").read_text("utf-8"))


@frozen
class OpenCodeTranscripts(Transcripts):
    """The sessions in a database of opencode.

    Attributes:
        place: The database, or its folder.
        named: True if the user has named the database, which must then exist.
        session: Id of the only session to read. If it is empty, all sessions are read.
    """

    place: Path
    named: bool = True
    session: str = ""

    client: ClassVar[str] = "opencode"
    """Name of the client, and of its folder and its database."""

    @classmethod
    def opened(cls, path: Path | None) -> Self:
        """Open the sessions in a database or folder, by default this user's own.

        Raises:
            TranscriptsUnreadableError: No path is given, and the user has no home.
        """
        if path is not None and path.parent.is_file():  # The last part of the path is the id of a session.
            return cls(path.parent, session=path.name)
        kept = path or place_of(cls.client, "XDG_DATA_HOME", ".local", "share") / cls.client
        return cls(kept, named=path is not None)

    def sources(self) -> tuple[Source, ...]:
        """Return every session, in order of start time.

        Raises:
            TranscriptsUnreadableError: A path named by the user isn't a database of opencode, or can't be read.
        """
        path = self.place / f"{self.client}.db" if self.place.is_dir() else self.place
        if not self.named and not path.exists():
            return ()
        with connected(path, _TABLES, self.client) as connection:
            return tuple(
                Source(id=id, size=size, directory=plausible_directory(_text(directory)), place=os.fspath(path))
                for id, directory, size in connection.execute(_QUERIES["sessions"], (self.session,))
            )

    def read(self, source: Source, since: str) -> Batch:
        """Return the next messages of a session: about 500, or fewer if they exceed 8 MiB.

        Raises:
            TranscriptsUnreadableError: The database is gone, or cannot be read.
        """
        with connected(Path(source.place), _TABLES, self.client) as connection:
            return _Reading(connection, _Position.of(since), OpenCodeParser(session=source.id)).batch()


@frozen
class KiloTranscripts(OpenCodeTranscripts):
    """The sessions in a database of Kilo."""

    client: ClassVar[str] = "kilo"


@define
class _Position:
    """Position in a session: the last message read, and the number of bytes read so far."""

    at: int = -(2**63)
    id: str = ""
    read: int = 0

    @classmethod
    def of(cls, written: str) -> "_Position":
        try:
            position = cls(**json.loads(written))
        except (ValueError, TypeError):
            return cls()
        known = isinstance(position.at, int) and isinstance(position.id, str) and isinstance(position.read, int)
        return position if known and abs(position.at) < 2**63 else cls()

    def written(self) -> str:
        return json.dumps({"at": self.at, "id": self.id, "read": self.read})


@define
class _Reading:
    """State while one batch of a session is read."""

    connection: apsw.Connection
    position: _Position
    parser: "OpenCodeParser"
    drafts: list[MessageDraft] = field(factory=list)
    skipped: Counter[str] = field(factory=Counter)

    def batch(self) -> Batch:
        """Return the messages after the position."""
        session, waiting, complete = self.parser.session, False, True
        title, parent = self.connection.execute(_QUERIES["facts"], (session,)).fetchone() or (None, 0)
        self.parser.delegated = bool(parent)
        if not self.connection.execute(
            _QUERIES["there"], (session, self.position.id, self.position.at)
        ).fetchone():
            self.position = _Position()
        begin = self.position.read
        after = (session, self.position.at, self.position.id, BATCH_MESSAGES + 1)
        rows: list[Any] = self.connection.execute(_QUERIES["messages"], after).fetchall()
        for number, (id, created) in enumerate(rows):
            if max(len(self.drafts), number) >= BATCH_MESSAGES or self.position.read - begin >= BATCH_BYTES:
                complete = False
                break
            if not self._take(id, last=number == len(rows) - 1):
                waiting = True
                break
            self.position.at, self.position.id = created, id
        name = one_line(_text(title))
        return Batch(
            source=session,
            # Without new messages, this is the former position, or "" if none was ever read.
            position=self.position.written() if self.position.id else "",
            drafts=tuple(self.drafts),
            names={session: name} if name and self.drafts and not name.startswith(_GENERATED_TITLES) else {},
            skipped=dict(self.skipped),
            read=self.position.read,
            complete=complete,
            waiting=waiting,
        )

    def _take(self, id: str, *, last: bool) -> bool:
        """Add the content of a message, and return False if it may still grow."""
        row: Any = self.connection.execute(_QUERIES["message"], (id, MAX_VALUE_BYTES)).fetchone()
        message = self._record(*row)
        if message is None:
            return True
        limit = self.position.read + _MAX_MESSAGE_BYTES
        parts: Iterator[Any] = iter(self.connection.execute(_QUERIES["parts"], (id, MAX_VALUE_BYTES, MAX_PARTS)))
        first = next(parts, None)
        if last and not _is_done(message, has_parts=first is not None):
            return False
        for part, created, length, content in chain([first] if first else [], parts):
            self.position.read += length
            if self.position.read > limit:
                self._skip(Skipped.TOO_LARGE)
            elif (record := self._record(length, content)) is not None:
                found = self.parser.part_of(message, part, created, record)
                self.drafts += found.drafts
                self._skip(found.skipped)
        return True

    def _record(self, size: int, data: object) -> Record | None:
        """Return the JSON object in a row, or count it as invalid and return None."""
        value = parsed(data) if isinstance(data, bytes) else None
        if isinstance(value, Record):
            return value
        self._skip(Skipped.TOO_LARGE if size > MAX_VALUE_BYTES else Skipped.BROKEN)
        return None

    def _skip(self, reason: Skipped | None) -> None:
        if reason:
            self.skipped[reason.value] += 1


@define
class OpenCodeParser(TranscriptParser):
    """Parser of a session of opencode.

    Attributes:
        session: Id of the session.
        delegated: True if an agent gave the task, not the user.
        message: The message of the next part.
    """

    session: str = ""
    delegated: bool = False
    message: Record = field(factory=Record)

    def part_of(self, message: Record, id: str, created: object, part: Record) -> RecordContent:
        """Return the content of a message's part. Never raises."""
        self.message = message
        made = Record(created=created).seconds("created", per_second=1000)
        self.at = made or message.object("time").seconds("created", per_second=1000) or self.at
        try:
            return self.found(Record(part, id=id))
        except RecursionError:
            return RecordContent(skipped=Skipped.BROKEN)

    def found(self, record: Record) -> RecordContent:
        """Return the content of the next part."""
        kind = record.text("type")
        if kind == "text" and (record.get("synthetic") is True or record.get("ignored") is True):
            return RecordContent(skipped=Skipped.FOR_THE_MODEL)
        if kind == "text":
            parts = [Part(self._speaker(), record.text("text").strip())]
        elif kind == "reasoning":
            parts = [Part(Role.THOUGHT, record.text("text").strip())]
        elif kind == "tool":
            parts = _tool(record)
        else:
            return RecordContent(skipped=Skipped.NO_MESSAGE)
        return self.messages(record.text("id"), self.session, enumerate(parts))

    def _speaker(self) -> Role:
        if self.message.text("role") == "user":
            return Role.ASSISTANT if self.delegated else Role.HUMAN
        return Role.SYSTEM if self.message.get("summary") is True else Role.ASSISTANT


def _tool(part: Record) -> list[Part]:
    name, state = part.text("tool"), part.object("state")
    own = is_own_tool(name)
    return [
        Part(Role.TOOL, call(name, state.get("input")), own=own),
        Part(Role.TOOL_RESULT, state.text("output") or state.text("error"), own=own),
    ]


def _is_done(message: Record, *, has_parts: bool) -> bool:
    """Return True if the last message of a session won't grow: it is a finished answer, or a question."""
    if message.text("role") != "assistant":
        return has_parts
    return bool(message.object("time").get("completed") or message.get("error"))


def _text(value: object) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else ""
