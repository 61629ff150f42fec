"""Records of an export: projects, memories, names of sessions, and messages, as fields of JSON.

Redundant fields are left out: None, an empty list, an `origin` equal to the project, and an `updated_at` or
`occurred_at` equal to `created_at`.
"""

import struct
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC
from enum import StrEnum
from functools import cache, partial
from itertools import repeat
from typing import Any, NamedTuple

from attrs import AttrsInstance, fields_dict, frozen

from lamella.domain.audit.entry import Action, AuditEntry, Signature
from lamella.domain.conversations.message import MessageDraft, Role
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.exchange.fields import MAX_CHARACTERS, SHORT_CHARACTERS, Fields, InvalidRecordError
from lamella.domain.ledger.fingerprints import LineFingerprints, packed, unpacked
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.observation import MAX_KEYWORDS_CHARACTERS, CodeChange, Observation, stored_keywords
from lamella.domain.projects.project import Project
from lamella.domain.tables import read_table
from lamella.domain.text.marks import Erased
from lamella.domain.text.printing import storable, stored_key

VERSION = 1
"""Version of the format. A reader refuses other versions."""

EXPORTED_ACTIONS = (Action.PURGE, Action.RESTORE, Action.ERASE, Action.EDIT)
"""Actions to export. These actions change memories. Other actions concern this storage only."""


@frozen
class SessionName:
    """Name of a session, with the session's project."""

    project: str
    session: str
    name: str


@frozen
class Said:
    """Message, with its project."""

    project: str
    draft: MessageDraft


@frozen
class Audited:
    """Entry of an audit trail, with the trail's project."""

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


def _keywords(given: Fields, name: str) -> str:
    return stored_keywords(given.maybe(name, MAX_KEYWORDS_CHARACTERS) or "")


def _one_of(values: Iterable[StrEnum]) -> _Type:
    return _Type(partial(Fields.one_of, values={each.value: each for each in values}), str)


def _aliases(given: Fields, name: str) -> tuple[str, ...]:
    aliases = given.each(name, str)
    if any(len(each) > SHORT_CHARACTERS for each in aliases):
        raise InvalidRecordError(f"`{name}` are too long")
    return tuple(sorted(map(storable, aliases)))


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


_TYPES = {
    "project": _Type(Fields.project),
    "text": _Type(Fields.text),
    "maybe": _Type(Fields.maybe),
    "filled": _Type(_filled),
    "long": _Type(lambda given, name: _filled(given, name, MAX_CHARACTERS)),
    "hunks": _Type(lambda given, name: given.maybe(name, MAX_CHARACTERS) or "", lambda hunks: hunks or None),
    "keywords": _Type(_keywords, lambda said: said or None),
    "metadata": _Type(Fields.metadata, lambda said: [f"{name}={text}" for name, text in said.items()]),
    "key": _Type(_key),
    "number": _Type(Fields.number),
    "count": _Type(lambda given, name: given.number(name) or 0),
    "id": _Type(Fields.id, str),
    "time": _Type(Fields.time, lambda time: time.astimezone(UTC).isoformat().removesuffix("+00:00") + "Z"),
    "ids": _Type(Fields.ids, lambda ids: list(map(str, ids))),
    "lines": _Type(_fingerprints, lambda lines: packed(lines).hex() or None),
    "aliases": _Type(_aliases, list),
    "changes": _Type(_changes, _written_changes),
    "marks": _Type(Fields.marks, lambda marks: sorted(map(bytes.hex, marks))),
    "kind": _one_of(Kind),
    "action": _one_of(EXPORTED_ACTIONS),
    "role": _one_of(Role),
}


def _fields(written: str) -> Mapping[str, _Type]:
    pairs = [each.split("=") for each in written.split()]
    types = {f"{kind}?": _if_there(type) for kind, type in _TYPES.items()} | _TYPES
    return {name: types[kind] for name, kind in pairs}


_FIELDS = {kind: _fields(written) for kind, written in read_table(__file__, "records.txt").items()}
"""Fields of records by type, in the order of writing.

A field with a `?` after its type is left out if it has no value.
"""

_CHANGE = _FIELDS.pop("change")
_LIKE = {"origin": "project", "updated_at": "created_at", "occurred_at": "created_at"}
"""Fields of memories to omit if they equal another field, with the name of that other field."""


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
        by = Signature(**{name: said.pop(name) for name in fields_dict(Signature)})
        return Audited(project, AuditEntry(by=by, **said))
    if kind == "session":
        return SessionName(project, said["id"], said["name"])
    return Erased(project, said["marks"]) if kind == "erased" else Said(project, MessageDraft(**said))


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
    """Convert the values of a record to JSON. Leave out redundant values."""
    there = ((name, kind.write(said[name])) for name, kind in fields.items() if said[name] is not None)
    return {name: value for name, value in there if value is not None and value != []}


def _read(fields: Mapping[str, _Type], given: Fields) -> dict[str, Any]:
    """Return the values of a record. Reject unknown fields."""
    said = {name: kind.read(given, name) for name, kind in fields.items()}
    given.require_all_read()
    return said


_attributes_of = cache(fields_dict)


def _attributes(value: AttrsInstance) -> dict[str, Any]:
    """Return the attributes of a value by name. `asdict` of attrs takes four times as long."""
    return {name: getattr(value, name) for name in _attributes_of(type(value))}
