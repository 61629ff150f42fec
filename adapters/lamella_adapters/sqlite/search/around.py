"""Neighbours of a time or an observation in a project's file."""

from datetime import datetime
from uuid import UUID

from lamella.domain.memories.query import Hit, Match
from lamella.domain.memories.timeline import Neighbours
from lamella.domain.text.printing import stored_key
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.projects.scope import Opened
from lamella_adapters.sqlite.tables import observation_rows
from lamella_adapters.statements import statements

SQL = statements(__file__, select=observation_rows.SELECT)

# Two statements: SQLite could not use the index of sessions with "any session or this one" in a single one.
_IN_SESSION = "session = :session AND "
_AFTER_ALL_OF_THAT_TIME = 2**63 - 1


def around(
    opened: Opened, anchor: UUID | datetime, limits: tuple[int, int], *, session: str | None, include_purged: bool
) -> Neighbours:
    """See `ObservationSearch.around`."""
    centre = None
    if isinstance(anchor, UUID):
        said = observation_rows.observation(opened.connection, opened.project, anchor)
        (centre,) = observation_rows.hits(opened.connection, [said], Match.ID)
        at, sequence = said.occurred_at, said.sequence
    else:
        at, sequence = anchor, _AFTER_ALL_OF_THAT_TIME
    within = "" if session is None else _IN_SESSION
    moment = observation_rows.to_microseconds(at)
    place: dict[str, object] = {"moment": moment, "seq": sequence, "purged": include_purged}
    if session is not None:
        place["session"] = stored_key(session)

    def side(beyond: str, way: str, limit: int) -> tuple[tuple[Hit, ...], int]:
        statement = SQL["side"].format(within=within, beyond=beyond, way=way)
        found = fetch(opened.connection, statement, {**place, "limit": limit})
        near = observation_rows.observations(opened.connection, opened.project, found)
        total: int = opened.connection.execute(SQL["total"].format(within=within, beyond=beyond), place).get
        return observation_rows.hits(opened.connection, near, Match.NEIGHBOUR), total

    (earlier, total_before), (later, total_after) = side("<", "DESC", limits[0]), side(">", "ASC", limits[1])
    return Neighbours(
        before=earlier[::-1], centre=centre, after=later, total_before=total_before, total_after=total_after
    )
