"""Neighbours of an observation, and what is around a time."""

from datetime import datetime
from uuid import UUID

from lamella.domain.memories.errors import ObservationNotFoundError
from lamella.domain.memories.query import Hit, Match
from lamella.domain.memories.timeline import Surroundings
from lamella.domain.text.keys import stored_key
from lamella_adapters.postgresql.database.columns import to_microseconds
from lamella_adapters.postgresql.database.turn import Turn
from lamella_adapters.postgresql.search.vocabulary import Question
from lamella_adapters.postgresql.tables import observation_rows

# Every statement is put together from constants of this module; values are always bound.
_CENTRE = f"{observation_rows.SELECT} AND o.id = %(id)s"
_NEAR = f"""
(WITH centre AS (SELECT session, moment, seq FROM observation WHERE project = here() AND id = %(id)s)
SELECT {observation_rows.COLUMNS}, {observation_rows.BESIDE} FROM centre AS c
JOIN observation AS o ON o.project = here() AND (c.session IS NULL OR o.session = c.session)
  AND (%(purged)s OR o.purged_at IS NULL) AND (o.moment, o.seq) {{beyond}} (c.moment, c.seq)
ORDER BY o.moment {{way}}, o.seq {{way}} LIMIT %(limit)s)
"""  # noqa: S608 - see above
_SIDE = """ AND o.purged_at IS NULL AND (%(session)s::text IS NULL OR o.session = %(session)s)
  AND (o.moment, o.seq) {beyond} (%(moment)s, %(seq)s)"""
_ORDER = " ORDER BY o.moment {way}, o.seq {way} LIMIT %(limit)s"
_TOTAL = f"SELECT count(*) FROM observation AS o WHERE o.project = here(){_SIDE}"  # noqa: S608 - see above
_WAYS = (("<", "DESC"), (">", "ASC"))
_AFTER_ALL_OF_THAT_TIME = 2**63 - 1


def neighbourhood(turn: Turn, id: UUID, *, each_side: int, include_purged: bool) -> tuple[Hit, ...]:
    """See `ObservationSearch.neighbourhood`."""
    asked = {"id": id, "purged": include_purged, "limit": each_side}
    near: list[Question] = [(_NEAR.format(beyond=beyond, way=way), asked) for beyond, way in _WAYS]
    centre, before, after = turn.answers((_CENTRE, {"id": id}), *near, last=True)
    if not centre:
        raise ObservationNotFoundError(id=str(id))
    sides = [*reversed(before)], [*after]
    earlier, later = ([observation_rows.hit(turn.project, row, Match.NEIGHBOUR) for row in side] for side in sides)
    return (*earlier, observation_rows.hit(turn.project, centre[0], Match.ID), *later)


def around(turn: Turn, anchor: UUID | datetime, *, before: int, after: int, session: str | None) -> Surroundings:
    """See `ObservationSearch.around`."""
    centre = None
    if isinstance(anchor, UUID):
        found = turn.rows(f"{_CENTRE} AND o.purged_at IS NULL", id=anchor)
        if not found:
            raise ObservationNotFoundError(id=str(anchor))
        (centre,) = observation_rows.observations(turn, found)
        at, sequence = centre.occurred_at, centre.sequence
    else:
        at, sequence = anchor, _AFTER_ALL_OF_THAT_TIME
    place = {
        "moment": to_microseconds(at),
        "seq": sequence,
        "session": None if session is None else stored_key(session),
    }
    questions: list[Question] = []
    for (beyond, way), limit in zip(_WAYS, (before, after), strict=True):
        side, order = _SIDE.format(beyond=beyond), _ORDER.format(way=way)
        questions.append((observation_rows.SELECT + side + order, {**place, "limit": limit}))
        questions.append((_TOTAL.format(beyond=beyond), place))
    earlier, total_before, later, total_after = turn.answers(*questions, last=True)
    return Surroundings(
        anchor=anchor,
        before=observation_rows.observations(turn, reversed(earlier)),
        centre=centre,
        after=observation_rows.observations(turn, later),
        total_before=int(total_before[0][0]),
        total_after=int(total_after[0][0]),
    )
