"""Entries of the audit trail as rows."""

from collections.abc import Collection
from uuid import UUID, uuid4

from lamella.domain.audit.entry import Action, Entry
from lamella.domain.audit.signature import Signature
from lamella.domain.transactions.plan import NameInEntry
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
WITH next AS (
  UPDATE project SET entry = entry + 1 WHERE number = %(project)s
    AND NOT EXISTS (SELECT 1 FROM audit WHERE project = %(project)s AND id = %(id)s)
  RETURNING entry
)
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
_LACKING = """
ARRAY(SELECT id FROM unnest(%({0})s::uuid[]) WITH ORDINALITY AS u (id, place) WHERE id <> ALL({0}) ORDER BY place)
"""
_APPEND = f"""
UPDATE audit SET {", ".join(f"{change} = {change} || {_LACKING.format(change)}" for change in CHANGES)},
  count = count + {" + ".join(f"cardinality({_LACKING.format(change)})" for change in CHANGES)}
WHERE project = here() AND id = %(id)s
"""  # noqa: S608 - our own constants
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


def add_entry(turn: Turn, entry: Entry) -> None:
    """Write an entry of the project under its next number, unless its id is known."""
    _insert(turn, _AS_GIVEN, entry, turn.project)


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


def name_in_entry(turn: Turn, write: NameInEntry) -> None:
    """Append memories to an entry that don't stand in it yet, and count them."""
    turn.run(_APPEND, id=write.entry, **{change: list(getattr(write, change)) for change in CHANGES})


def number_by_time(turn: Turn, project: int | None = None) -> None:
    """Give entries new numbers from the first one on that is newer than one with a higher number."""
    statement = _NUMBER_BY_TIME if project is None else _NUMBER_BY_TIME.replace("here()", "%(project)s")
    turn.run(statement, project=project)


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
