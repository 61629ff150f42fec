"""Convert audit entries to rows and back, and write them."""

from collections.abc import Collection
from typing import Any
from uuid import UUID, uuid4

from lamella.domain.audit.entry import Action, AuditEntry, Signature
from lamella.domain.transactions.other_writes import NameInEntry
from lamella_adapters.postgresql.database.columns import from_microseconds, to_microseconds
from lamella_adapters.postgresql.database.transaction import Row, Transaction
from lamella_adapters.statements import statements

CHANGES = ("added", "purged", "restored")
"""Fields of `AuditEntry` with ids of memories."""

SQL = statements(__file__)


def entry(row: Row) -> AuditEntry:
    """Convert a row of the statement `newest`."""
    number, id, at, action, actor, author, session, undoes, count, old, new, origin, *named = row
    changes: dict[str, Any] = dict(zip(CHANGES, map(tuple, named), strict=True))
    changes |= {"old": old, "new": new, "origin": origin}
    by = Signature(at=from_microseconds(at), actor=actor, author=author, session=session, undoes=undoes)
    return AuditEntry(id=id, number=number, action=Action(action), by=by, count=count, **changes)


def add_entry(tx: Transaction, entry: AuditEntry) -> None:
    """Append an entry to the project's trail, unless the trail has an entry with this id."""
    _insert(tx, entry, origin=entry.origin or tx.project)


def write_move(
    tx: Transaction, project: int, *, action: Action, by: Signature, origin: str, old: str, new: str
) -> UUID:
    """Append the entry of a merge or split to the trail of a project. Return the entry's id.

    Args:
        tx: Writing transaction on the registry.
        project: Number of the project.
        action: Merge or split.
        by: Signature of the change.
        origin: Id of the project that gets the entry when projects are split later.
        old: Id of the project that is merged into `new`, or split from it.
        new: Id of the project that gets or loses the memories of `old`.
    """
    ((count,),) = tx.rows("SELECT count(*) FROM observation WHERE project = %(project)s", project=project)
    moved = AuditEntry(id=uuid4(), action=action, by=by, count=count, old=old, new=new)
    _insert(tx, moved, origin=origin, project=project, in_order=True)
    return moved.id


def copy_split(tx: Transaction, id: UUID, to: int, origin: str) -> None:
    """Copy the entry of a split into the trail of the project with the number `to`."""
    tx.run(SQL["copy_split"], entry=id, to=to, origin=origin)
    number_by_time(tx, to)


def name_in_entry(tx: Transaction, write: NameInEntry) -> None:
    """Add memories to an existing entry, and increase its count. Skip memories that the entry already names."""
    tx.run(SQL["append"], id=write.entry, **{change: list(getattr(write, change)) for change in CHANGES})


def number_by_time(tx: Transaction, project: int | None = None) -> None:
    """Renumber entries in order of time, from the first one whose number is out of order."""
    tx.run(SQL["number_by_time"], project=project)


def forget(tx: Transaction, ids: Collection[UUID]) -> None:
    """Remove the ids of erased memories from all audit trails and activity logs of the tenant."""
    tx.run(SQL["forget_in_trails"], ids=list(ids))
    tx.run(SQL["forget_in_activity"], keys=[id.hex for id in ids])


def _insert(
    tx: Transaction, new: AuditEntry, *, origin: str, project: int | None = None, in_order: bool = False
) -> None:
    tx.run(
        SQL["insert"],
        project=project,
        origin=origin,
        in_order=in_order,
        at=to_microseconds(new.by.at),
        action=new.action.value,
        **{name: getattr(new.by, name) for name in ("actor", "author", "session", "undoes")},
        **{name: getattr(new, name) for name in ("id", "count", "old", "new")},
        **{change: list(getattr(new, change)) for change in CHANGES},
    )
