"""Timeline around a time or an observation in a project's file."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from attrs import evolve

from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Hit, Match
from lamella.domain.memories.timeline import Surroundings
from lamella.domain.text.keys import stored_key
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.projects.scope import Opened
from lamella_adapters.sqlite.tables import observation_rows

# Every statement is put together from constants of this module; values are always bound.
# Two conditions: with "any session or this one" in a single one SQLite could not use the index of sessions.
_SIDE = (
    observation_rows.SELECT
    + """ WHERE {within}(:purged OR purged_at IS NULL) AND (moment, seq) {beyond} (:moment, :seq)
  ORDER BY moment {way}, seq {way} LIMIT :limit"""
)
_IN_SESSION = "session = :session AND "
# `purged_at` is stored after the text of a row. Reading that far costs more than counting twice in an index.
_TOTAL = """
SELECT (SELECT count(*) FROM observation WHERE {within}(moment, seq) {beyond} (:moment, :seq))
  - (SELECT count(*) FROM observation INDEXED BY observation_purged
     WHERE purged_at IS NOT NULL AND {within}(moment, seq) {beyond} (:moment, :seq))
"""
_LIVE = " AND purged_at IS NULL"
_AFTER_ALL_OF_THAT_TIME = 2**63 - 1


def neighbourhood(opened: Opened, id: UUID, *, each_side: int, include_purged: bool) -> tuple[Hit, ...]:
    """See `ObservationSearch.neighbourhood`."""
    centre = observation_rows.observation(opened.connection, opened.project, id)
    place = {
        "session": centre.session,
        "moment": observation_rows.to_microseconds(centre.occurred_at),
        "seq": centre.sequence,
        "purged": include_purged,
        "limit": each_side,
    }
    within = "" if centre.session is None else _IN_SESSION
    before, after = (_beyond(opened, beyond, within, place) for beyond in "<>")
    near = observation_rows.observations(opened.connection, opened.project, [*reversed(before), *after])
    every = [*near[: len(before)], centre, *near[len(before) :]]
    hits = observation_rows.hits(opened.connection, every, Match.NEIGHBOUR)
    return tuple(evolve(hit, match=Match.ID) if hit.observation is centre else hit for hit in hits)


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
    within = "" if session is None else _IN_SESSION
    place: dict[str, object] = {"moment": observation_rows.to_microseconds(at), "seq": sequence}
    if session is not None:
        place["session"] = stored_key(session)

    def side(beyond: str, limit: int) -> tuple[tuple[Observation, ...], int]:
        found = _beyond(opened, beyond, within, {**place, "purged": False, "limit": limit})
        total: int = opened.connection.execute(_TOTAL.format(within=within, beyond=beyond), place).get
        return observation_rows.observations(opened.connection, opened.project, found), total

    earlier, total_before = side("<", before)
    later, total_after = side(">", after)
    return Surroundings(
        anchor=anchor,
        before=earlier[::-1],
        centre=centre,
        after=later,
        total_before=total_before,
        total_after=total_after,
    )


def _beyond(opened: Opened, beyond: str, within: str, place: Mapping[str, object]) -> list[tuple[Any, ...]]:
    """Return the rows before (`<`) or after (`>`) a place, the nearest first."""
    statement = _SIDE.format(within=within, beyond=beyond, way="DESC" if beyond == "<" else "ASC")
    return fetch(opened.connection, statement, place)
