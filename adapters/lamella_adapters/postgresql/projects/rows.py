"""Projects as rows of the registry."""

from lamella.domain.projects.project import OffPeriod, Project
from lamella.domain.transactions.catalogue import Catalogue
from lamella.domain.transactions.registry import ProjectLook
from lamella_adapters.postgresql.database.columns import from_microseconds, maybe_time, storable
from lamella_adapters.postgresql.database.turn import Row, Turn

_READ = """
SELECT p.id, p.name, ARRAY(SELECT alias FROM alias AS a WHERE a.project = p.id ORDER BY alias), p.created_at,
  p.moved_to, p.off, p.home
FROM project AS p WHERE {condition} ORDER BY p.name, p.id
"""

_EVERY = _READ.format(condition="true")
_ASKED = """
SELECT asked.id, asked.home FROM project AS asked
WHERE asked.id = ANY(%(ids)s::text[])
  OR asked.id IN (SELECT project FROM alias WHERE alias = ANY(%(aliases)s::text[]))
  OR asked.name = ANY(%(names)s::text[])"""
_THESE = _READ.format(condition=f"p.id = ANY(SELECT unnest(ARRAY[a.id, a.home]) FROM ({_ASKED}) AS a)")  # noqa: S608 - our own constants
_FAMILIES = _READ.format(condition=f"p.home = ANY(SELECT a.home FROM ({_ASKED}) AS a)")  # noqa: S608 - our own constants


def found(turn: Turn, look: ProjectLook, *, last: bool = False) -> Catalogue:
    """Return the projects that a look asks for.

    Args:
        turn: The transaction.
        look: The look.
        last: True if the transaction ends with it.
    """
    statement = _EVERY if look.every else _FAMILIES if look.families else _THESE
    values = {
        "ids": list(filter(storable, look.ids)),
        "aliases": list(look.aliases),
        "names": list(filter(storable, look.names)),
    }
    rows = turn.rows(statement, **values, last=last)
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
