"""Projects as rows of the registry."""

from lamella.domain.projects.project import OffPeriod, Project
from lamella.domain.transactions.catalogue import Catalogue, ProjectLook
from lamella_adapters.postgresql.database.columns import from_microseconds, maybe_time, storable
from lamella_adapters.postgresql.database.transaction import Row, Transaction
from lamella_adapters.statements import statements

SQL = statements(__file__)


def found(tx: Transaction, look: ProjectLook, *, last: bool = False) -> Catalogue:
    """Return the projects requested by `look`.

    Args:
        tx: Transaction on the registry.
        look: Ids, aliases and names of projects.
        last: True to commit with this query.
    """
    condition = "true" if look.every else SQL["families" if look.families else "these"]
    values = {
        "ids": list(filter(storable, look.ids)),
        "aliases": list(look.aliases),
        "names": list(filter(storable, look.names)),
    }
    rows = tx.rows(SQL["read"].format(condition=condition), **values, last=last)
    return Catalogue({row[0]: _project(row) for row in rows}, {row[0]: row[-1] for row in rows})


def _project(row: Row) -> Project:
    id, name, aliases, created_at, moved_to, off, _ = row
    return Project(
        id=id,
        name=name,
        aliases=tuple(aliases),
        created_at=from_microseconds(created_at),
        moved_to=moved_to,
        off=tuple(OffPeriod(from_microseconds(since), maybe_time(until)) for since, until in off),
    )
