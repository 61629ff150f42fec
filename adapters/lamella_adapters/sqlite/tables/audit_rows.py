"""Convert audit entries to rows and back, and write the rows."""

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID, uuid4

import apsw
from attrs import evolve

from lamella.domain.audit.entry import Action, AuditEntry, Signature
from lamella.domain.transactions.other_writes import NameInEntry
from lamella.ports.storage.audit import Names
from lamella_adapters.sqlite.file.connection import failure, fetch
from lamella_adapters.sqlite.tables.merge_rows import LEAVING, Origins
from lamella_adapters.sqlite.tables.observation_rows import from_microseconds, to_microseconds
from lamella_adapters.statements import listed, statements

CHANGES = ("added", "purged", "restored")
"""Fields of `AuditEntry` with ids of memories. The column `audited.change` contains the names of these fields."""

SQL = statements(__file__, leaving=LEAVING)
_RENUMBER = ("UPDATE audit SET number = ? WHERE number = ?", "UPDATE audited SET entry = ? WHERE entry = ?")

_Row = tuple[Any, ...]


def add_entry(connection: apsw.Connection, entry: AuditEntry, origin: str) -> None:
    """Write an entry with its memories. If an entry with its id exists, write nothing.

    Args:
        connection: Connection to the project's file.
        entry: Entry to write. It gets the next number.
        origin: Id of the project that a split moves the entry to, unless the entry has an origin.
    """
    # Check first, because even an ignored insert would use up a number.
    if fetch(connection, SQL["known"], (entry.id.bytes,)):
        return
    connection.execute(SQL["insert"], _row(entry, entry.origin or origin))
    number = connection.last_insert_rowid()
    names = [
        (number, change, place, id.bytes) for change in CHANGES for place, id in enumerate(getattr(entry, change))
    ]
    connection.executemany(SQL["name"], names)


def write_move(
    connection: apsw.Connection, *, action: Action, by: Signature, origin: str, old: str, new: str
) -> None:
    """Write the entry of a merge or split into the file of `old`.

    The entry has the number of memories in the file.
    """
    count: int = connection.execute("SELECT count(*) FROM observation").get
    at = from_microseconds(max(to_microseconds(by.at), connection.execute(SQL["latest"]).get or 0))
    entry = AuditEntry(id=uuid4(), action=action, by=evolve(by, at=at), count=count, old=old, new=new)
    add_entry(connection, entry, origin)


def name_in_entry(connection: apsw.Connection, write: NameInEntry) -> None:
    """Append the memories of `write` that are missing in an entry. Add the number of new memories to its count."""
    ((number,),) = fetch(connection, SQL["known"], (write.entry.bytes,))
    new = 0
    for change in CHANGES:
        for id in getattr(write, change):
            connection.execute(SQL["name_new"], {"entry": number, "change": change, "memory": id.bytes})
            new += connection.changes()
    connection.execute(SQL["count_more"], (new, number))


def number_by_time(connection: apsw.Connection) -> None:
    """Renumber entries in order of time, from the first one whose number is out of order."""
    late = fetch(connection, SQL["late"])
    if not late:
        return
    ((last,),) = fetch(connection, SQL["numbered"])
    connection.execute("PRAGMA defer_foreign_keys = ON")
    numbers = [(number, old) for number, (old,) in enumerate(late, last + 1)]
    for statement in _RENUMBER:
        connection.executemany(statement, numbers)
    connection.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = 'audit'", (last + len(late),))


def _row(entry: AuditEntry, origin: str) -> _Row:
    by = entry.by
    signed = (entry.action.value, by.actor, by.author, by.session, by.undoes and by.undoes.bytes)
    return (entry.id.bytes, to_microseconds(by.at), *signed, entry.count, entry.old, entry.new, origin)


def entries(
    connection: apsw.Connection, where: str, parameters: Sequence[object], *, names: Names = None
) -> tuple[AuditEntry, ...]:
    """Return the entries that `where` selects. `where` is the end of an SQL query, such as `WHERE number = ?`.

    For each kind of change, an entry has the memories chosen by `names`.

    Raises:
        StorageDamagedError: Another program has altered an entry.
    """
    try:
        rows = fetch(connection, f"{SQL['read']} {where}", parameters)
        return tuple(_entry(connection, row, names) for row in rows)
    except (ValueError, TypeError, OverflowError) as error:
        raise failure("damaged") from error


def move_entries(leaving: apsw.Connection, arriving: apsw.Connection, origins: Origins) -> None:
    """Move the audit entries of `origins`, with new numbers. The entry of a split stays in both projects' trails.

    If the target has an entry with the same id, the moved entry is dropped.
    """
    for number, *row in fetch(leaving, SQL["leaving"], origins):
        arriving.execute(SQL["insert"], row)
        if arriving.changes():
            entry = arriving.last_insert_rowid()
            names = [(entry, *name) for name in fetch(leaving, SQL["audited"], (number,))]
            arriving.executemany(SQL["name"], names)
    leaving.execute(SQL["keep_split"], origins)
    leaving.execute(SQL["leave"], origins)
    number_by_time(arriving)


def copy_entry(leaving: apsw.Connection, arriving: apsw.Connection, action: Action, origin: str) -> None:
    """Copy the latest entry with `action` into another file, without its memories.

    The origin of the copy is the project id `origin`.
    """
    for _, *row in fetch(leaving, f"{SQL['read']} WHERE action = ? ORDER BY number DESC LIMIT 1", (action.value,)):
        arriving.execute(SQL["insert"], (*row[:-1], origin))
    number_by_time(arriving)


def forget(connection: apsw.Connection, ids: Iterable[UUID]) -> None:
    """Remove erased memories from the audit trail."""
    connection.executemany("DELETE FROM audited WHERE memory = ?", [(id.bytes,) for id in ids])


def _entry(connection: apsw.Connection, row: _Row, names: Names) -> AuditEntry:
    number, id, at, action, actor, author, session, undoes, count, old, new, origin = row
    undone = undoes and UUID(bytes=undoes)
    by = Signature(at=from_microseconds(at), actor=actor, author=author, session=session, undoes=undone)
    chosen: object
    if names is None or isinstance(names, int):
        statement, chosen = SQL["first_audited"], -1 if names is None else names
    else:
        statement, chosen = SQL["audited_among"], listed(each.hex for each in names)
    named: dict[str, Any] = {
        change: tuple(
            # The entry of an import may have a hundred thousand ids, and `UUID(bytes=...)` takes twice as long.
            UUID(int=int.from_bytes(memory))
            for (memory,) in fetch(connection, statement, (number, change, chosen))
        )
        for change in CHANGES
    }
    named |= {"old": old, "new": new, "origin": origin}
    return AuditEntry(id=UUID(bytes=id), number=number, action=Action(action), by=by, count=count, **named)
