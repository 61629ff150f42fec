"""Projects as rows of the registry."""

from collections.abc import Sequence

from lamella.domain.projects.project import OffPeriod, Project
from lamella.domain.transactions.catalogue import Catalogue
from lamella_adapters.postgresql.database.columns import from_microseconds, maybe_time
from lamella_adapters.postgresql.database.turn import Row, Turn

_READ = """
SELECT p.id, p.name, ARRAY(SELECT alias FROM alias AS a WHERE a.project = p.id ORDER BY alias), p.created_at,
  p.moved_to, p.off, p.home
FROM project AS p WHERE {condition} ORDER BY p.name, p.id
"""

EVERY = _READ.format(condition="true")
"""All projects."""

THESE = _READ.format(
    condition="""p.id = ANY(
  SELECT unnest(ARRAY[asked.id, asked.home]) FROM project AS asked
  WHERE asked.id = ANY(%(ids)s::text[])
    OR asked.id IN (SELECT project FROM alias WHERE alias = ANY(%(aliases)s::text[]))
    OR asked.name = ANY(%(names)s::text[]))"""
)
"""Projects with some ids, aliases or names, and those that they were merged into."""

FAMILY = _READ.format(
    condition="""p.home = (SELECT home FROM project WHERE id = %(id)s)
  OR p.id = (SELECT home FROM project WHERE id = %(id)s)"""
)
"""A project, the one that has its memories, and all others that lead there."""


def catalogue(rows: Sequence[Row]) -> Catalogue:
    """Return the projects in some rows."""
    return Catalogue({row[0]: _project(row) for row in rows}, {row[0]: row[-1] for row in rows})


def found(
    turn: Turn,
    *,
    ids: Sequence[str] = (),
    aliases: Sequence[str] = (),
    names: Sequence[str] = (),
    last: bool = False,
) -> Catalogue:
    """Return the projects with some ids, aliases or names, and those that they were merged into."""
    return catalogue(turn.rows(THESE, ids=list(ids), aliases=list(aliases), names=list(names), last=last))


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
