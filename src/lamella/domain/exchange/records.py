"""Records of an export: projects, memories, names of sessions, and messages, as fields of JSON.

A field that says nothing is left out: None, an empty list, an `origin` that is the project, and `updated_at` and
`occurred_at` that are `created_at`.
"""

import struct
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from itertools import repeat
from typing import Any

from attrs import frozen

from lamella.domain.audit.entry import Action, Entry
from lamella.domain.audit.signature import Signature
from lamella.domain.conversations.message import MessageDraft, Role
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.exchange.fields import MAX_CHARACTERS, SHORT_CHARACTERS, Fields, InvalidRecordError
from lamella.domain.ledger.fingerprints import packed, unpacked
from lamella.domain.ledger.hunk_fingerprints import LineFingerprints
from lamella.domain.memories.observation import CodeChange, Kind, Observation
from lamella.domain.projects.key import storable
from lamella.domain.projects.project import Project
from lamella.domain.text.keys import stored_key

VERSION = 1
"""Version of the format. A reader refuses all others."""

EXPORTED_ACTIONS = (Action.PURGE, Action.RESTORE, Action.ERASE, Action.EDIT)
"""Actions whose entries are exported: the others are about this storage, and not about memories."""

_KINDS = {each.value: each for each in Kind}
_ACTIONS = {each.value: each for each in EXPORTED_ACTIONS}
_ROLES = {each.value: each for each in Role}


@frozen
class SessionName:
    """Name of a session of a project."""

    project: str
    session: str
    name: str


@frozen
class Said:
    """Message of a project."""

    project: str
    draft: MessageDraft


@frozen
class Audited:
    """Entry of the audit trail of a project."""

    project: str
    entry: Entry


Record = Project | Arrival | Audited | SessionName | Said
"""One record of an export."""


def record_fields(record: Record) -> dict[str, Any]:
    """Return a record as JSON has it. The order of the fields is always the same."""
    if isinstance(record, Arrival):
        return _memory_fields(record)
    if isinstance(record, Project):
        fields = {
            "type": "project",
            "id": record.id,
            "name": record.name,
            "aliases": list(record.aliases),
            "created_at": _printed(record.created_at),
            "moved_to": record.moved_to,
        }
    elif isinstance(record, Audited):
        fields = _entry_fields(record)
    elif isinstance(record, SessionName):
        fields = {"type": "session", "project": record.project, "id": record.session, "name": record.name}
    else:
        draft = record.draft
        fields = {
            "type": "message",
            "project": record.project,
            "session": draft.session,
            "key": draft.key,
            "role": draft.role.value,
            "at": _printed(draft.at),
            "text": draft.text,
        }
    return _telling(fields)


def record_of(fields: Mapping[str, Any]) -> Record:
    """Return the record that JSON has as these fields.

    Raises:
        InvalidRecordError: They are those of no record.
    """
    given = Fields(fields)
    kind = given.text("type")
    make = _READERS.get(kind)
    if make is None:
        raise InvalidRecordError(f"the type {kind[:60]!r} is not known")
    record = make(given)
    given.require_all_read()
    return record


def _entry_fields(audited: Audited) -> dict[str, Any]:
    entry, by = audited.entry, audited.entry.by
    return {
        "type": "entry",
        "project": audited.project,
        "id": str(entry.id),
        "action": entry.action.value,
        "at": _printed(by.at),
        "actor": by.actor,
        "author": by.author,
        "session": by.session,
        "undoes": None if by.undoes is None else str(by.undoes),
        "added": list(map(str, entry.added)),
        "purged": list(map(str, entry.purged)),
        "restored": list(map(str, entry.restored)),
        "count": entry.count,
    }


def _memory_fields(arrival: Arrival) -> dict[str, Any]:
    said = arrival.observation
    created_at = said.created_at
    return _telling(
        {
            "type": "memory",
            "project": said.project,
            "id": str(said.id),
            "origin": None if said.origin == said.project else said.origin,
            "kind": said.kind.value,
            "source": said.source,
            "actor": said.actor,
            "author": said.author,
            "session": said.session,
            "request": arrival.request,
            "created_at": _printed(created_at),
            "updated_at": None if said.updated_at == created_at else _printed(said.updated_at),
            "occurred_at": None if said.occurred_at == created_at else _printed(said.occurred_at),
            "purged_at": None if said.purged_at is None else _printed(said.purged_at),
            "replaced_by": None if said.replaced_by is None else str(said.replaced_by),
            "title": said.title,
            "content": said.content,
            "changes": list(map(_change_fields, said.changes, arrival.lines or repeat(LineFingerprints()))),
        }
    )


def _change_fields(change: CodeChange, lines: LineFingerprints) -> dict[str, Any]:
    """Return a change of a file as JSON has it."""
    fields = {
        "path": change.path,
        "former": change.former,
        "additions": change.additions,
        "deletions": change.deletions,
        "version": change.version,
        "hunks": change.hunks or None,
        "came": packed(lines.added).hex() or None,
        "went": packed(lines.removed).hex() or None,
    }
    return _telling(fields)


def _telling(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None and value != []}


def _printed(time: datetime) -> str:
    return time.astimezone(UTC).isoformat().removesuffix("+00:00") + "Z"


def _project(given: Fields) -> Project:
    aliases = given.each("aliases", str)
    if any(len(each) > SHORT_CHARACTERS for each in aliases):
        raise InvalidRecordError("`aliases` are too long")
    return Project(
        id=given.project("id"),
        name=given.text("name"),
        aliases=tuple(sorted(map(storable, aliases))),
        created_at=given.time("created_at"),
        moved_to=given.project("moved_to") if given.has("moved_to") else None,
    )


def _memory(given: Fields) -> Arrival:
    project, created_at = given.project("project"), given.time("created_at")
    purged_at = given.time("purged_at") if given.has("purged_at") else None
    replaced_by = given.id("replaced_by") if given.has("replaced_by") else None
    if replaced_by is not None and purged_at is None:
        raise InvalidRecordError("`replaced_by` is given for a memory that is not purged")
    changes = tuple(_change(Fields(each)) for each in given.each("changes", dict))
    return Arrival(
        observation=Observation(
            id=given.id("id"),
            project=project,
            origin=given.project("origin") if given.has("origin") else project,
            sequence=0,
            session=stored_key(session) if (session := given.maybe("session")) is not None else None,
            kind=given.one_of("kind", _KINDS),
            actor=given.text("actor"),
            author=given.maybe("author"),
            title=given.text("title"),
            content=_not_blank("content", given.text("content", MAX_CHARACTERS)),
            source=given.text("source"),
            created_at=created_at,
            updated_at=given.time("updated_at") if given.has("updated_at") else created_at,
            purged_at=purged_at,
            occurred_at=given.time("occurred_at") if given.has("occurred_at") else created_at,
            changes=tuple(change for change, _ in changes),
            replaced_by=replaced_by,
        ),
        request=given.maybe("request"),
        lines=lines if any(map(any, lines := tuple(each for _, each in changes))) else (),
    )


def _change(given: Fields) -> tuple[CodeChange, LineFingerprints]:
    change = CodeChange(
        path=_not_blank("path", given.text("path")),
        former=given.maybe("former"),
        additions=given.number("additions"),
        deletions=given.number("deletions"),
        version=given.maybe("version"),
        hunks=given.maybe("hunks", MAX_CHARACTERS) or "",
    )
    lines = LineFingerprints(added=_fingerprints(given, "came"), removed=_fingerprints(given, "went"))
    given.require_all_read()
    return change, LineFingerprints() if change.hunks else lines


def _fingerprints(given: Fields, name: str) -> frozenset[int]:
    try:
        return unpacked(bytes.fromhex(given.maybe(name, MAX_CHARACTERS) or ""))
    except (ValueError, struct.error):
        raise InvalidRecordError(f"`{name}` holds no fingerprints") from None


def _entry(given: Fields) -> Audited:
    session = given.maybe("session")
    by = Signature(
        at=given.time("at"),
        actor=given.text("actor"),
        author=given.maybe("author"),
        session=None if session is None else stored_key(session),
        undoes=given.id("undoes") if given.has("undoes") else None,
    )
    entry = Entry(
        id=given.id("id"),
        action=given.one_of("action", _ACTIONS),
        by=by,
        count=given.number("count") or 0,
        added=given.ids("added"),
        purged=given.ids("purged"),
        restored=given.ids("restored"),
    )
    return Audited(given.project("project"), entry)


def _session(given: Fields) -> SessionName:
    return SessionName(given.project("project"), _not_blank("id", given.text("id")), given.text("name"))


def _message(given: Fields) -> Said:
    draft = MessageDraft(
        key=_not_blank("key", given.text("key")),
        session=_not_blank("session", given.text("session")),
        role=given.one_of("role", _ROLES),
        at=given.time("at"),
        text=_not_blank("text", given.text("text", MAX_CHARACTERS)),
    )
    return Said(given.project("project"), draft)


def _not_blank(name: str, text: str) -> str:
    if not text.strip():
        raise InvalidRecordError(f"`{name}` is blank")
    return text


_READERS: Mapping[str, Callable[[Fields], Record]] = {
    "project": _project,
    "memory": _memory,
    "entry": _entry,
    "session": _session,
    "message": _message,
}
