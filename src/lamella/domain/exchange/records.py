"""Records of an export: projects, memories, names of sessions, and messages, as fields of JSON.

Redundant fields are left out: None, an empty list, an `origin` equal to the project, and an `updated_at` or
`occurred_at` equal to `created_at`.
"""

import struct
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from functools import cache, partial
from itertools import repeat
from typing import Any, NamedTuple

from attrs import AttrsInstance, fields_dict, frozen

from lamella.domain.audit.entry import Action, AuditEntry
from lamella.domain.audit.signature import Signature
from lamella.domain.conversations.message import MessageDraft, Role
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.exchange.fields import MAX_CHARACTERS, SHORT_CHARACTERS, Fields, InvalidRecordError
from lamella.domain.ledger.fingerprints import packed, unpacked
from lamella.domain.ledger.hunk_fingerprints import LineFingerprints
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.metadata import as_entries
from lamella.domain.memories.observation import MAX_KEYWORDS_CHARACTERS, CodeChange, Observation, stored_keywords
from lamella.domain.projects.project import Project
from lamella.domain.text.marks import Erased
from lamella.domain.text.printing import storable, stored_key

VERSION = 1
"""Version of the format. A reader refuses all others."""

EXPORTED_ACTIONS = (Action.PURGE, Action.RESTORE, Action.ERASE, Action.EDIT)
"""Exported actions, which are about memories. Others concern this storage only."""


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
    entry: AuditEntry


Record = Project | Arrival | Audited | SessionName | Said | Erased
"""One record of an export."""


class _Type(NamedTuple):
    """Type of a field: functions to read it by name and to write its value."""

    read: Callable[[Fields, str], Any]
    write: Callable[[Any], Any] = lambda value: value


def _if_there(kind: _Type) -> _Type:
    return _Type(lambda given, name: kind.read(given, name) if given.has(name) else None, kind.write)


def _filled(given: Fields, name: str, most: int = SHORT_CHARACTERS) -> str:
    text = given.text(name, most)
    if not text.strip():
        raise InvalidRecordError(f"`{name}` is blank")
    return text


def _key(given: Fields, name: str) -> str | None:
    key = given.maybe(name)
    return None if key is None else stored_key(key)


def _aliases(given: Fields, name: str) -> tuple[str, ...]:
    aliases = given.each(name, str)
    if any(len(each) > SHORT_CHARACTERS for each in aliases):
        raise InvalidRecordError(f"`{name}` are too long")
    return tuple(sorted(map(storable, aliases)))


def _printed(time: datetime) -> str:
    return time.astimezone(UTC).isoformat().removesuffix("+00:00") + "Z"


def _fingerprints(given: Fields, name: str) -> frozenset[int]:
    try:
        return unpacked(bytes.fromhex(given.maybe(name, MAX_CHARACTERS) or ""))
    except (ValueError, struct.error):
        raise InvalidRecordError(f"`{name}` is not a list of fingerprints") from None


def _changes(given: Fields, name: str) -> list[tuple[CodeChange, LineFingerprints]]:
    return [_change(Fields(each)) for each in given.each(name, dict)]


def _change(given: Fields) -> tuple[CodeChange, LineFingerprints]:
    said = _read(_CHANGE, given)
    lines = LineFingerprints(added=said.pop("came"), removed=said.pop("went"))
    change = CodeChange(**said)
    return change, LineFingerprints() if change.hunks else lines


def _written_changes(changes: Iterable[tuple[CodeChange, LineFingerprints]]) -> list[dict[str, Any]]:
    return [
        _written(_CHANGE, _attributes(change) | {"came": lines.added, "went": lines.removed})
        for change, lines in changes
    ]


_PROJECT, _TEXT, _MAYBE = _Type(Fields.project), _Type(Fields.text), _Type(Fields.maybe)
_FILLED = _Type(_filled)
_LONG = _Type(lambda given, name: _filled(given, name, MAX_CHARACTERS))
_HUNKS = _Type(lambda given, name: given.maybe(name, MAX_CHARACTERS) or "", lambda hunks: hunks or None)
_KEYWORDS = _Type(
    lambda given, name: stored_keywords(given.maybe(name, MAX_KEYWORDS_CHARACTERS) or ""),
    lambda said: said or None,
)
_METADATA = _Type(Fields.metadata, as_entries)
_KEY, _NUMBER = _Type(_key), _Type(Fields.number)
_COUNT = _Type(lambda given, name: given.number(name) or 0)
_ID, _TIME = _Type(Fields.id, str), _Type(Fields.time, _printed)
_IDS = _Type(Fields.ids, lambda ids: list(map(str, ids)))
_LINES = _Type(_fingerprints, lambda lines: packed(lines).hex() or None)
_KIND, _ACTION, _ROLE = (
    _Type(partial(Fields.one_of, values={each.value: each for each in values}), str)
    for values in (Kind, EXPORTED_ACTIONS, Role)
)

_CHANGE = {
    "path": _FILLED,
    "former": _MAYBE,
    "additions": _NUMBER,
    "deletions": _NUMBER,
    "version": _MAYBE,
    "hunks": _HUNKS,
    "came": _LINES,
    "went": _LINES,
}
_SIGNATURE = {"at": _TIME, "actor": _TEXT, "author": _MAYBE, "session": _KEY, "undoes": _if_there(_ID)}
_FIELDS: Mapping[str, Mapping[str, _Type]] = {
    "project": {
        "id": _PROJECT,
        "name": _TEXT,
        "aliases": _Type(_aliases, list),
        "created_at": _TIME,
        "moved_to": _if_there(_PROJECT),
    },
    "memory": {
        "project": _PROJECT,
        "id": _ID,
        "origin": _if_there(_PROJECT),
        "kind": _KIND,
        "source": _TEXT,
        "actor": _TEXT,
        "author": _MAYBE,
        "branch": _MAYBE,
        "head": _MAYBE,
        "client": _MAYBE,
        "session": _KEY,
        "request": _MAYBE,
        "created_at": _TIME,
        "updated_at": _if_there(_TIME),
        "occurred_at": _if_there(_TIME),
        "purged_at": _if_there(_TIME),
        "replaced_by": _if_there(_ID),
        "title": _TEXT,
        "keywords": _KEYWORDS,
        "metadata": _METADATA,
        "content": _LONG,
        "changes": _Type(_changes, _written_changes),
    },
    "entry": {
        "project": _PROJECT,
        "id": _ID,
        "action": _ACTION,
        **_SIGNATURE,
        "added": _IDS,
        "purged": _IDS,
        "restored": _IDS,
        "count": _COUNT,
    },
    "session": {"project": _PROJECT, "id": _FILLED, "name": _TEXT},
    "message": {
        "project": _PROJECT,
        "session": _FILLED,
        "key": _FILLED,
        "role": _ROLE,
        "at": _TIME,
        "client": _MAYBE,
        "text": _LONG,
    },
    "erased": {"project": _PROJECT, "marks": _Type(Fields.marks, lambda marks: sorted(map(bytes.hex, marks)))},
}
"""Fields of records by type, in the order of writing."""

_LIKE = {"origin": "project", "updated_at": "created_at", "occurred_at": "created_at"}
"""Fields of memories, each omitted if equal to another one."""


def names_of_fields(kind: str) -> frozenset[str]:
    """Return the names of the fields of a type of record."""
    return frozenset({"type", *_FIELDS[kind]})


def record_fields(record: Record) -> dict[str, Any]:
    """Convert a record to JSON fields, in a fixed order."""
    if isinstance(record, Arrival):
        said = _attributes(record.observation)
        said |= {name: None for name, other in _LIKE.items() if said[name] == said[other]}
        changes = zip(said["changes"], record.lines or repeat(LineFingerprints()), strict=False)
        kind, said = "memory", said | {"request": record.request, "changes": changes}
    elif isinstance(record, Project):
        kind, said = "project", _attributes(record)
    elif isinstance(record, Audited):
        kind, said = "entry", _attributes(record.entry) | _attributes(record.entry.by) | _attributes(record)
    elif isinstance(record, SessionName):
        kind, said = "session", _attributes(record) | {"id": record.session}
    elif isinstance(record, Said):
        kind, said = "message", _attributes(record.draft) | _attributes(record)
    else:
        kind, said = "erased", _attributes(record)
    return {"type": kind, **_written(_FIELDS[kind], said)}


def record_of(fields: Mapping[str, Any]) -> Record:
    """Convert JSON fields to a record.

    Raises:
        InvalidRecordError: The fields are invalid.
    """
    given = Fields(fields)
    kind = given.text("type")
    if kind not in _FIELDS:
        raise InvalidRecordError(f"the type {kind[:60]!r} is not known")
    said = _read(_FIELDS[kind], given)
    if kind == "project":
        return Project(**said)
    if kind == "memory":
        return _memory(said)
    project = said.pop("project")
    if kind == "entry":
        by = Signature(**{name: said.pop(name) for name in _SIGNATURE})
        return Audited(project, AuditEntry(by=by, **said))
    if kind == "session":
        return SessionName(project, said["id"], said["name"])
    if kind == "erased":
        return Erased(project, said["marks"])
    return Said(project, MessageDraft(**said))


def _memory(said: dict[str, Any]) -> Arrival:
    if said["replaced_by"] is not None and said["purged_at"] is None:
        raise InvalidRecordError("`replaced_by` is given for a memory that is not purged")
    request, changes = said.pop("request"), said.pop("changes")
    said |= {name: said[other] for name, other in _LIKE.items() if said[name] is None}
    lines = tuple(each for _, each in changes)
    return Arrival(
        observation=Observation(**said, sequence=0, changes=tuple(change for change, _ in changes)),
        request=request,
        lines=lines if any(map(any, lines)) else (),
    )


def _written(fields: Mapping[str, _Type], said: Mapping[str, Any]) -> dict[str, Any]:
    """Return values as JSON, without redundant ones."""
    there = ((name, kind.write(said[name])) for name, kind in fields.items() if said[name] is not None)
    return {name: value for name, value in there if value is not None and value != []}


def _read(fields: Mapping[str, _Type], given: Fields) -> dict[str, Any]:
    """Return the values of a record. Reject unknown fields."""
    said = {name: kind.read(given, name) for name, kind in fields.items()}
    given.require_all_read()
    return said


_attributes_of = cache(fields_dict)


def _attributes(value: AttrsInstance) -> dict[str, Any]:
    """Return the attributes of a value; `asdict` takes four times as long."""
    return {name: getattr(value, name) for name in _attributes_of(type(value))}
