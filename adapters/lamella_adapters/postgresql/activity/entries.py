"""Entries of the audit trail as rows."""

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID, uuid4

from lamella.domain.audit.entry import Action, Entry
from lamella.domain.audit.signature import Signature
from lamella_adapters.postgresql.database.columns import from_microseconds, to_microseconds
from lamella_adapters.postgresql.database.turn import Row, Turn

CHANGES = ("added", "purged", "restored")
"""Fields of `Entry` with ids of memories."""

_NAMES = ("id", "at", "action", "actor", "author", "session", "undoes", "count", "old", "new", *CHANGES)
COLUMNS = f"number, {', '.join(_NAMES)}"
"""Columns of an entry."""

FEW_NAMED = COLUMNS.replace(", ".join(CHANGES), ", ".join(f"{change}[:%(names)s]" for change in CHANGES))
"""The same, with `names` ids of each change at most."""

_VALUES = ", ".join(f"%({name})s" for name in _NAMES)
_INSERT = f"""
WITH next AS (UPDATE project SET entry = entry + 1 WHERE number = %(project)s RETURNING entry)
INSERT INTO audit (project, number, origin, {", ".join(_NAMES)})
SELECT %(project)s, entry, %(origin)s, {_VALUES.replace("%(at)s", "{at}")} FROM next
"""  # noqa: S608 - our own constants
_NEW = _INSERT.format(
    at="greatest(%(at)s, (SELECT max(at) FROM audit WHERE project = %(project)s))",
)
_AS_GIVEN = _INSERT.format(at="%(at)s")
_COPY_SPLIT = """
WITH next AS (UPDATE project SET entry = entry + 1 WHERE number = %(to)s RETURNING number, entry)
INSERT INTO audit (project, number, origin, id, at, action, actor, author, session, undoes, count, old, new, added,
  purged, restored)
SELECT n.number, n.entry, %(origin)s, a.id, a.at, action, actor, author, session, undoes, count, old, new, added,
  purged, restored
FROM audit AS a, next AS n WHERE a.id = %(entry)s AND a.project <> %(to)s
"""
_KNOWN = f"SELECT {COLUMNS} FROM audit WHERE project = here() AND id = ANY(%(ids)s::uuid[])"  # noqa: S608 - our own constants
_PRESENT = "SELECT id FROM observation WHERE project = here() AND id = ANY(%(ids)s::uuid[])"
_EXTEND = """
UPDATE audit SET added = %(added)s::uuid[], purged = %(purged)s::uuid[], restored = %(restored)s::uuid[],
  count = %(count)s
WHERE project = here() AND id = %(id)s
"""
_NUMBER_BY_TIME = """
WITH ordered AS (
    SELECT number, at, max(number) OVER (ORDER BY at, number) AS highest FROM audit WHERE project = here()
  ),
  first AS (SELECT at, number FROM ordered WHERE number < highest ORDER BY at, number LIMIT 1),
  late AS (
    SELECT o.number, row_number() OVER (ORDER BY o.at, o.number) AS place FROM ordered AS o, first AS f
    WHERE (o.at, o.number) >= (f.at, f.number)
  ),
  counted AS (
    UPDATE project SET entry = entry + (SELECT count(*) FROM late) WHERE number = here() RETURNING entry
  )
UPDATE audit AS a SET number = c.entry - (SELECT count(*) FROM late) + l.place FROM late AS l, counted AS c
WHERE a.project = here() AND a.number = l.number
"""
_WITHOUT = (
    "{0} = ARRAY(SELECT id FROM unnest({0}) WITH ORDINALITY AS u (id, place) WHERE id <> ALL({1}) ORDER BY place)"
)
_IDS, _KEYS = "%(ids)s::uuid[]", "%(keys)s::text[]"
_FORGET = f"""
UPDATE audit SET {", ".join(_WITHOUT.format(change, _IDS) for change in CHANGES)}
WHERE {" OR ".join(f"{change} && {_IDS}" for change in CHANGES)};
UPDATE activity SET {_WITHOUT.format("memories", _KEYS)} WHERE memories && {_KEYS}
"""  # noqa: S608 - our own constants


def entry(row: Row) -> Entry:
    """Return the entry in a row of `COLUMNS`."""
    number, id, at, action, actor, author, session, undoes, count, old, new, *named = row
    added, purged, restored = (tuple(each) for each in named)
    by = Signature(at=from_microseconds(at), actor=actor, author=author, session=session, undoes=undoes)
    return Entry(
        id=id,
        number=number,
        action=Action(action),
        by=by,
        added=added,
        purged=purged,
        restored=restored,
        count=count,
        old=old,
        new=new,
    )


def write_entry(turn: Turn, action: Action, by: Signature, *, count: int = 0, **changes: Sequence[UUID]) -> None:
    """Write the entry of a change in its transaction. What changed nothing has none.

    Args:
        turn: The transaction.
        action: Kind of change.
        by: Its signature.
        count: Number of memories, if they are not named.
        **changes: Ids of memories by one of `CHANGES`.
    """
    count = count or sum(map(len, changes.values()))
    if count:
        named: dict[str, Any] = {change: tuple(ids) for change, ids in changes.items()}
        _insert(turn, _NEW, Entry(id=uuid4(), action=action, by=by, count=count, **named), turn.project)


def write_move(
    turn: Turn, project: int, *, action: Action, by: Signature, origin: str, old: str, new: str
) -> UUID:
    """Write the entry of a merge or split into the trail of a project, given by its number. Return its id."""
    ((count,),) = turn.rows("SELECT count(*) FROM observation WHERE project = %(project)s", project=project)
    moved = Entry(id=uuid4(), action=action, by=by, count=count, old=old, new=new)
    _insert(turn, _NEW, moved, origin, project)
    return moved.id


def copy_split(turn: Turn, id: UUID, to: int, origin: str) -> None:
    """Copy the entry of a split into the trail of the other project."""
    turn.run(_COPY_SPLIT, entry=id, to=to, origin=origin)
    number_by_time(turn, to)


def take_over(turn: Turn, entries: Sequence[Entry]) -> None:
    """See `AuditTrail.add`."""
    asked = [id for each in entries for id in each.memories]
    known_rows, present_rows = turn.answers(
        (_KNOWN, {"ids": [each.id for each in entries]}), (_PRESENT, {"ids": asked})
    )
    known, present = {row[1]: entry(row) for row in known_rows}, {id for (id,) in present_rows}
    for each in entries:
        there = known.get(each.id)
        if there is None:
            _insert(turn, _AS_GIVEN, each, turn.project)
        named: dict[str, Any] = {
            change: tuple(
                dict.fromkeys([*_named(there, change), *filter(present.__contains__, _named(each, change))])
            )
            for change in CHANGES
        }
        kept = sum(map(len, named.values()))
        count = max(each.count, kept) if there is None else there.count + kept - len(there.memories)
        known[each.id] = Entry(id=each.id, action=each.action, by=each.by, count=count, **named)
        turn.run(_EXTEND, id=each.id, count=count, **{change: list(ids) for change, ids in named.items()})
    number_by_time(turn)


def number_by_time(turn: Turn, project: int | None = None) -> None:
    """Give entries new numbers from the first one on that is newer than one with a higher number."""
    statement = _NUMBER_BY_TIME if project is None else _NUMBER_BY_TIME.replace("here()", "%(project)s")
    turn.run(statement, project=project)


def _named(known: Entry | None, change: str) -> Sequence[UUID]:
    return getattr(known, change) if known else ()


def extend_entry(turn: Turn, imported: Entry, ids: Sequence[UUID]) -> None:
    """Add memories, none of which it names yet, to those that the entry of an import has added."""
    there = [entry(row) for row in turn.rows(_KNOWN, ids=[imported.id])]
    if not there:
        _insert(turn, _NEW, imported, turn.project)
    before = there[0] if there else imported
    named = {"added": [*before.added, *ids], "purged": list(before.purged), "restored": list(before.restored)}
    turn.run(_EXTEND, id=imported.id, count=before.count + len(ids), **named)


def forget(turn: Turn, ids: Collection[UUID]) -> None:
    """Take erased memories out of all trails and logs of activity of the tenant."""
    turn.run(_FORGET, ids=list(ids), keys=[id.hex for id in ids])


def _insert(turn: Turn, statement: str, new: Entry, origin: str, project: int | None = None) -> None:
    values = {
        "id": new.id,
        "at": to_microseconds(new.by.at),
        "action": new.action.value,
        "actor": new.by.actor,
        "author": new.by.author,
        "session": new.by.session,
        "undoes": new.by.undoes,
        "count": new.count,
        "old": new.old,
        "new": new.new,
        **{change: list(getattr(new, change)) for change in CHANGES},
    }
    if project is None:
        statement = statement.replace("%(project)s", "here()")
    turn.run(statement, project=project, origin=origin, **values)
