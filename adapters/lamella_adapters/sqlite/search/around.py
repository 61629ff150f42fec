"""Timeline around a time or an observation in a project's file."""

from datetime import datetime
from uuid import UUID

from lamella.domain.memories.observation import Observation
from lamella.domain.memories.timeline import Surroundings
from lamella.domain.text.keys import stored_key
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.projects.scope import Opened
from lamella_adapters.sqlite.tables import observation_rows

# Every statement is put together from constants of this module; values are always bound.
_SIDE = (
    observation_rows.SELECT
    + """ WHERE {within}purged_at IS NULL AND (moment, seq) {beyond} (:moment, :seq)
  ORDER BY moment {way}, seq {way} LIMIT :limit"""
)
# `purged_at` is stored after the text of a row. Reading that far costs more than counting twice in an index.
_TOTAL = """
SELECT (SELECT count(*) FROM observation WHERE {within}(moment, seq) {beyond} (:moment, :seq))
  - (SELECT count(*) FROM observation INDEXED BY observation_purged
     WHERE purged_at IS NOT NULL AND {within}(moment, seq) {beyond} (:moment, :seq))
"""
_LIVE = " AND purged_at IS NULL"
_AFTER_ALL_OF_THAT_TIME = 2**63 - 1


def around(
    opened: Opened, anchor: UUID | datetime, *, before: int, after: int, session: str | None
) -> Surroundings:
    """See `ObservationSearch.around`."""
    centre = None
    if isinstance(anchor, UUID):
        centre = observation_rows.observation(opened.connection, opened.project, anchor, _LIVE)
        at, sequence = centre.occurred_at, centre.sequence
    else:
        at, sequence = anchor, _AFTER_ALL_OF_THAT_TIME
    within = "" if session is None else "session = :session AND "
    place: dict[str, object] = {"moment": observation_rows.to_microseconds(at), "seq": sequence}
    if session is not None:
        place["session"] = stored_key(session)

    def side(beyond: str, way: str, limit: int) -> tuple[tuple[Observation, ...], int]:
        nearest = _SIDE.format(within=within, beyond=beyond, way=way)
        found = fetch(opened.connection, nearest, {**place, "limit": limit})
        total: int = opened.connection.execute(_TOTAL.format(within=within, beyond=beyond), place).get
        return observation_rows.observations(opened.connection, opened.project, found), total

    earlier, total_before = side("<", "DESC", before)
    later, total_after = side(">", "ASC", after)
    return Surroundings(
        anchor=anchor,
        before=earlier[::-1],
        centre=centre,
        after=later,
        total_before=total_before,
        total_after=total_after,
    )
