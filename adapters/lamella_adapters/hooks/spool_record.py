"""The format of records in the spool, and their parser.

A record is one JSON object and a line end. Without the line end it is unfinished or truncated. `version` defines
the meaning of the fields. Records of a later version stay in the spool until a newer lamella stores them.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from lamella.ports.spool import Captured, CommandCaptured, ContextShown, EditCaptured, Skipped, TranscriptAdvanced
from lamella.ports.transcripts import CLAUDE_CODE
from lamella_adapters.hooks.capture import AFTER_WORDS
from lamella_adapters.hooks.clients import COMPACTED, END, kinds_of

MAX_BYTES = 4 * 1024 * 1024
"""Maximum size of a record. Hooks write at most a hundredth of this."""

_ENDING = frozenset({COMPACTED, END})
"""Kinds of events after which the session is summarised."""

_NOTHING = "nothing to store"
"""Reason for skipping a record without content."""

_VERSION = 2
"""Latest version of records that this lamella can read."""

_MAX_TEXT_CHARACTERS = 4096
"""Maximum length of a name, path or id."""

_MAX_COUNT = 2**31
"""Exclusive upper bound of numbers of tokens or milliseconds."""


class UnreadableError(Exception):
    """A record is damaged, or has an unknown format."""


class UnfinishedError(Exception):
    """The end of a record is missing."""


class NewerError(Exception):
    """The record was written by a newer version of lamella."""


def parse(name: str, content: bytes) -> Captured:
    """Parse a record.

    Args:
        name: The name of the record's file, used as the capture's name.
        content: The bytes of the file.

    Raises:
        UnfinishedError: The line end is missing.
        NewerError: The record was written by a newer lamella.
        UnreadableError: The content isn't a record, or a field has an impossible value.
    """
    if len(content) > MAX_BYTES:
        raise UnreadableError
    if not content.endswith(b"\n"):
        raise UnfinishedError
    try:
        record = json.loads(content)
    except (ValueError, RecursionError):
        raise UnreadableError from None
    if not isinstance(record, dict):
        raise UnreadableError
    version = record.get("version")
    if isinstance(version, int) and version > _VERSION:
        raise NewerError
    if version not in (1, _VERSION):
        raise UnreadableError
    if version == 1:
        # Records of version 1 have Claude Code's names of events.
        record["event"] = kinds_of("claude_code").get(str(record.get("event")), record.get("event"))
    try:
        return _captured(name, record)
    except (LookupError, TypeError, ValueError, OverflowError, OSError):
        raise UnreadableError from None


def is_of_session(session: str, content: bytes) -> bool:
    """Return True if a record belongs to a session. Search a damaged record for the session's field as text."""
    try:
        record = json.loads(content)
    except (ValueError, RecursionError):
        return json.dumps({"session": session})[1:-1].encode() in content
    return isinstance(record, dict) and record.get("session") == session


def _captured(name: str, record: Mapping[str, Any]) -> Captured:
    event, transcript = _text(record, "event"), _text(record, "transcript")
    path, hunks = _text(record, "path"), _text(record, "hunks", longest=MAX_BYTES)
    command, took = _text(record, "command"), _count(record, "took")
    injected, skipped = _count(record, "injected"), _text(record, "skipped")
    if not event or (transcript and not _is_absolute(transcript)):
        raise UnreadableError
    common, work = _common(name, record), _work(record)
    if skipped or (skipped is not None and injected is None):
        return Skipped(why=skipped or _NOTHING, **common)
    if injected is not None:
        shown = tuple(UUID(each).hex for each in (_text(record, "shown") or "").split())
        edit = _text(record, "edit", longest=2 * _MAX_TEXT_CHARACTERS) or ""
        return ContextShown(event=event, tokens=injected, memories=shown, edit=edit, **common)
    if path is not None and hunks is not None:
        return EditCaptured(path=path, hunks=hunks, **common, **work)
    if command is not None:
        lasted = None if took is None else timedelta(milliseconds=took)
        return CommandCaptured(command=command, took=lasted, **common, **work)
    if event in AFTER_WORDS and transcript:
        return TranscriptAdvanced(transcript=Path(transcript), ended=event in _ENDING, **common)
    return Skipped(why=_NOTHING, **common)


def _common(name: str, record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of every capture."""
    directory = _text(record, "directory")
    if not directory or not _is_absolute(directory):
        raise UnreadableError
    return {
        "name": name,
        "at": _timestamp(record["at"]),
        "directory": Path(directory),
        "session": _text(record, "session") or None,
        "project": _text(record, "project") or None,
        "author": _text(record, "author") or None,
        "client": _text(record, "client") or CLAUDE_CODE,
    }


def _work(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields common to edits and commands: their reason."""
    asked = record.get("asked")
    return {"reason": _text(record, "reason") or "", "asked": None if asked is None else _timestamp(asked)}


def _timestamp(seconds: float) -> datetime:
    if isinstance(seconds, bool):
        raise UnreadableError
    return datetime.fromtimestamp(seconds, UTC)


def _text(record: Mapping[str, Any], key: str, *, longest: int = _MAX_TEXT_CHARACTERS) -> str | None:
    value = record.get(key)
    if value is None:
        return None
    if not isinstance(value, str) or len(value) > longest:
        raise UnreadableError
    return value


def _count(record: Mapping[str, Any], key: str) -> int | None:
    value = record.get(key)
    if value is not None and (
        not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < _MAX_COUNT
    ):
        raise UnreadableError
    return value


def _is_absolute(path: str) -> bool:
    return path.startswith("/") and "\0" not in path
