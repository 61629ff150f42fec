"""Timeline neighbours of a time or an observation."""

from datetime import datetime
from uuid import UUID

from lamella.domain.memories.errors import ObservationNotFoundError
from lamella.domain.memories.query import Match
from lamella.domain.memories.timeline import Neighbours, TimelineQuery
from lamella_adapters.postgresql.database.columns import to_microseconds
from lamella_adapters.postgresql.database.transaction import Question, Transaction
from lamella_adapters.postgresql.tables import observation_rows
from lamella_adapters.statements import statements

SQL = statements(__file__)
_WAYS = (("<", "DESC"), (">", "ASC"))
_AFTER_ALL_OF_THAT_TIME = 2**63 - 1


def around(tx: Transaction, query: TimelineQuery) -> Neighbours:
    """See `ObservationSearch.around`."""
    anchor = query.anchor
    place = SQL["at_id" if isinstance(anchor, UUID) else "at_time"]
    asked = {
        "id": anchor,
        "moment": to_microseconds(anchor) if isinstance(anchor, datetime) else 0,
        "seq": _AFTER_ALL_OF_THAT_TIME,
        "session": query.session,
        "purged": query.include_purged,
    }
    questions: list[Question] = (
        [(observation_rows.SELECT + SQL["centre"], asked)] if isinstance(anchor, UUID) else []
    )
    for (beyond, way), limit in zip(_WAYS, (query.before, query.after), strict=True):
        side, order = SQL["side"].format(beyond=beyond, place=place), SQL["order"].format(way=way)
        questions.append((observation_rows.SELECT + side + order, {**asked, "limit": limit}))
        questions.append((SQL["total"] + side, asked))
    *centre, earlier, total_before, later, total_after = tx.answers(*questions, last=True)
    if [] in centre:
        raise ObservationNotFoundError(id=str(anchor))
    before, after = (
        tuple(observation_rows.hit(tx.project, row, Match.NEIGHBOUR) for row in side)
        for side in (earlier[::-1], later)
    )
    return Neighbours(
        before=before,
        centre=observation_rows.hit(tx.project, centre[0][0], Match.ID) if centre else None,
        after=after,
        total_before=int(total_before[0][0]),
        total_after=int(total_after[0][0]),
    )
