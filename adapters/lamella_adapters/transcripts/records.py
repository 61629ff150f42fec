"""Records of transcripts: JSON objects, and their messages."""

import json
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from datetime import MAXYEAR, MINYEAR, UTC, datetime
from enum import StrEnum
from typing import Any, Self

from attrs import define, field, fields_dict, frozen

from lamella.domain.conversations.message import MessageDraft, Role, message_key
from lamella.domain.text.printing import read_time

_DECODER = json.JSONDecoder()

MAX_OPEN_CALLS = 64
"""Maximum number of pending calls of lamella's tools to remember. A client makes at most a few calls at a time."""

MAX_PARTS = 1_000
"""Maximum number of parts of a message to read. A real message has a handful."""

MAX_VALUES = 2_000_000
"""Maximum number of values in a record.

A record of a few megabytes can hold ten million empty values, and parsing these takes 1 GB.
"""

MAX_ID_CHARACTERS = 100
OWN_NAME = "lamella"


class Record(dict[str, Any]):
    """JSON object with values of any type."""

    def text(self, key: str) -> str:
        """Return the text at `key`; empty text for any other value."""
        found = self.get(key)
        return found if isinstance(found, str) else ""

    def object(self, key: str) -> "Record":
        """Return the object at `key`; an empty object for any other value."""
        found = self.get(key)
        return Record(found) if isinstance(found, dict) else Record()

    def objects(self, key: str) -> "list[Record]":
        """Return the objects in the list at `key`, at most `MAX_PARTS`."""
        found = self.get(key)
        parts = found[:MAX_PARTS] if isinstance(found, list) else []
        return [Record(each) for each in parts if isinstance(each, dict)]

    def time(self, key: str) -> datetime | None:
        """Return the ISO 8601 timestamp at `key`, converted to UTC; None if it is invalid."""
        return time(self.get(key))

    def seconds(self, key: str, *, per_second: int = 1) -> datetime | None:
        """Return the time at `key`, a number of time units since 1970; None if it is invalid.

        `per_second` is the number of units in a second: 1 for seconds, 1000 for milliseconds.
        """
        return seconds(self.get(key), per_second=per_second)


class Skipped(StrEnum):
    """Reason for skipping a record that has no messages."""

    NO_MESSAGE = "of another kind"
    BROKEN = "broken"
    TOO_LARGE = "too large"
    INCOMPLETE = "without id, session or time"
    FOR_THE_MODEL = "meant for the model only"
    ABANDONED = "of abandoned branches"
    EMPTY = "without words"
    OWN = "of memory's own tools"


@frozen
class RecordContent:
    """The content of a record: messages, names of sessions, or the reason why the record has no messages.

    Attributes:
        drafts: The messages.
        names: Names of sessions, keyed by session id.
        titles: Names of sessions, keyed by the id of a record in the session.
        skipped: The reason why the record has no messages.
        parts: Reasons why parts of the record have no messages.
    """

    drafts: tuple[MessageDraft, ...] = ()
    names: Mapping[str, str] = field(factory=dict)
    titles: Mapping[str, str] = field(factory=dict)
    skipped: Skipped | None = None
    parts: tuple[Skipped, ...] = ()

    @classmethod
    def of(cls, found: Sequence["RecordContent"]) -> "RecordContent":
        """Combine the contents of a record's parts. Keep the reasons for skipping parts that have words."""
        drafts = tuple(draft for each in found for draft in each.drafts)
        parts = tuple(each.skipped for each in found if each.skipped not in (None, Skipped.EMPTY))
        return cls(drafts, skipped=None if drafts or parts else Skipped.EMPTY, parts=parts)

    @property
    def reasons(self) -> tuple[Skipped, ...]:
        """Reasons why the record, or a part of it, has no messages."""
        return self.parts if self.skipped is None else (self.skipped, *self.parts)


@frozen
class Part:
    """A part of a message. For a tool call or its result, `call` is the id of the call."""

    role: Role
    text: str
    call: str = ""
    own: bool = False


Parts = Iterable[tuple[int, Part]]
"""Parts of a record, each with its number in the record."""


@define
class TranscriptParser:
    """Parser of a transcript, record by record.

    Its fields are stored with the position, so that a later read can continue.

    Attributes:
        at: Time of the latest record with a time.
        open_calls: Ids of pending calls of lamella's own tools.
    """

    at: datetime | None = None
    open_calls: list[str] = field(factory=list)

    @abstractmethod
    def found(self, record: Record) -> RecordContent:
        """Return the content of the next record."""

    @property
    def ends(self) -> Mapping[str, str]:
        """Return the ids of sessions, keyed by the id of a record that may be the session's last one.

        Only records without words are included; see `Batch.ends`.
        """
        return {}

    def follow(self, line: bytes | None) -> RecordContent:
        """Parse the line of the next record, or None for a line that was too long. Never raises."""
        if line is None or _values(line) > MAX_VALUES:
            return RecordContent(skipped=Skipped.TOO_LARGE)
        if line.isspace():
            return RecordContent()
        record = parsed(line)
        try:
            return self.found(record) if isinstance(record, Record) else RecordContent(skipped=Skipped.BROKEN)
        except RecursionError:
            return RecordContent(skipped=Skipped.BROKEN)

    def state(self) -> Mapping[str, Any]:
        """Return the parser's fields as a mapping for JSON."""
        return {name: getattr(self, name) for name in fields_dict(type(self))} | {
            "at": self.at and self.at.isoformat()
        }

    @classmethod
    def resumed(cls, state: Mapping[str, Any]) -> Self:
        """Return the parser with this state.

        Raises:
            LookupError: A field is missing: an earlier version wrote it.
            ValueError, TypeError: A field has an invalid value.
        """
        at = state["at"] and datetime.fromisoformat(state["at"])
        return cls(**{name: state[name] for name in fields_dict(cls)} | {"at": at})

    def messages(self, id: str, session: str, parts: Parts) -> RecordContent:
        """Return the messages of the record `id`: parts with words, except calls and results of lamella."""
        if not id.strip() or not session.strip() or self.at is None:
            return RecordContent(skipped=Skipped.INCOMPLETE)
        drafts: list[MessageDraft] = []
        own = False
        for index, part in parts:
            if self._own(part):
                own = True
            elif part.text.strip():
                drafts.append(
                    MessageDraft(
                        key=message_key(id, index), session=session, role=part.role, text=part.text, at=self.at
                    )
                )
        nothing = Skipped.OWN if own else Skipped.EMPTY
        return RecordContent(tuple(drafts), skipped=None if drafts else nothing)

    def _own(self, part: Part) -> bool:
        """Return True for calls of lamella's own tools, and for results of such calls. Neither are stored."""
        if part.role is Role.TOOL and part.own:
            if 0 < len(part.call) <= MAX_ID_CHARACTERS:
                self.open_calls = [*self.open_calls, part.call][-MAX_OPEN_CALLS:]
            return True
        if part.role is Role.TOOL_RESULT and part.call in self.open_calls:
            self.open_calls.remove(part.call)
            return True
        return part.own


@define
class SessionParser(TranscriptParser):
    """Parser of a transcript with a single session.

    Attributes:
        session: The client's id of the conversation.
        directory: Directory of the conversation.
    """

    session: str = ""
    directory: str = ""


def time(value: object) -> datetime | None:
    """Parse an ISO 8601 timestamp, and convert it to UTC.

    Return None if the timestamp is invalid. Also return None if it is so close to the earliest or latest datetime
    that a conversion to another time zone could overflow.
    """
    try:
        timestamp = read_time(value) if isinstance(value, str) else None
    except (ValueError, OverflowError):
        return None
    return timestamp if timestamp and MINYEAR < timestamp.year < MAXYEAR else None


def seconds(value: object, *, per_second: int = 1) -> datetime | None:
    """Convert a number of time units since 1970 to a time. Return None for an invalid number.

    `per_second` is the number of units in a second: 1 for seconds, 1000 for milliseconds.
    """
    if not isinstance(value, (int, float)) or isinstance(value, bool) or value <= 0:
        return None
    try:
        timestamp = datetime.fromtimestamp(value / per_second, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return timestamp if timestamp.year < MAXYEAR else None


def _values(line: bytes) -> int:
    """Return an upper bound for the number of values in a line, without parsing it; 0 for a short line."""
    return sum(map(line.count, (b",", b"[", b"{"))) if len(line) > MAX_VALUES else 0


def is_record(line: bytes | None) -> bool:
    """Return True if a line without a line end is already a complete JSON object.

    If the object is complete, the client has finished writing it.
    """
    return line is not None and line.rstrip().endswith(b"}") and isinstance(parsed(line), dict)


def parsed(line: bytes) -> object:
    """Return the JSON value of a line; None if the line can't be parsed."""
    try:
        value = json.loads(line.decode(errors="replace"))
    except (ValueError, RecursionError):
        return None
    return Record(value) if isinstance(value, dict) else value


def one_after_another(line: bytes) -> Sequence[bytes]:
    """Return the JSON objects concatenated in a line; empty if the line has anything else."""
    text, at, found = line.decode(errors="replace").strip(), 0, list[bytes]()
    try:
        while at < len(text):
            value, end = _DECODER.raw_decode(text, at)
            if not isinstance(value, dict):
                return ()
            found.append(text[at:end].encode())
            at = len(text) - len(text[end:].lstrip())
    except (ValueError, RecursionError):
        return ()
    return found
