"""Entries of the audit trail as rows."""

from collections.abc import Collection
from uuid import UUID, uuid4

from lamella.domain.audit.entry import Action, AuditEntry
from lamella.domain.audit.signature import Signature
from lamella.domain.transactions.plan import NameInEntry
from lamella_adapters.postgresql.database.columns import from_microseconds, to_microseconds
from lamella_adapters.postgresql.database.transaction import Row, Transaction
from lamella_adapters.statements import statements

CHANGES = ("added", "purged", "restored")
"""Fields of `AuditEntry` with ids of memories."""

SQL = statements(__file__)


def entry(row: Row) -> AuditEntry:
    """Return the entry in a row of `newest`."""
    number, id, at, action, actor, author, session, undoes, count, old, new, *named = row
    added, purged, restored = (tuple(each) for each in named)
    by = Signature(at=from_microseconds(at), actor=actor, author=author, session=session, undoes=undoes)
    return AuditEntry(
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


def add_entry(tx: Transaction, entry: AuditEntry) -> None:
    """Write an entry of the project under its next number, unless its id is known."""
    _insert(tx, entry, origin=tx.project)


def write_move(
    tx: Transaction, project: int, *, action: Action, by: Signature, origin: str, old: str, new: str
) -> UUID:
    """Write the entry of a merge or split into the trail of a project, given by its number. Return its id."""
    ((count,),) = tx.rows("SELECT count(*) FROM observation WHERE project = %(project)s", project=project)
    moved = AuditEntry(id=uuid4(), action=action, by=by, count=count, old=old, new=new)
    _insert(tx, moved, origin=origin, project=project, in_order=True)
    return moved.id


def copy_split(tx: Transaction, id: UUID, to: int, origin: str) -> None:
    """Copy the entry of a split into the trail of the other project."""
    tx.run(SQL["copy_split"], entry=id, to=to, origin=origin)
    number_by_time(tx, to)


def name_in_entry(tx: Transaction, write: NameInEntry) -> None:
    """Append memories to an entry that don't stand in it yet, and count them."""
    tx.run(SQL["append"], id=write.entry, **{change: list(getattr(write, change)) for change in CHANGES})


def number_by_time(tx: Transaction, project: int | None = None) -> None:
    """Give entries new numbers from the first one on that is newer than one with a higher number."""
    tx.run(SQL["number_by_time"], project=project)


def forget(tx: Transaction, ids: Collection[UUID]) -> None:
    """Take erased memories out of all trails and logs of activity of the tenant."""
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
        id=new.id,
        at=to_microseconds(new.by.at),
        action=new.action.value,
        actor=new.by.actor,
        author=new.by.author,
        session=new.by.session,
        undoes=new.by.undoes,
        count=new.count,
        old=new.old,
        new=new.new,
        **{change: list(getattr(new, change)) for change in CHANGES},
    )
