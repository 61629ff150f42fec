"""Observations as they leave for elsewhere."""

from collections.abc import Mapping

from lamella.domain.exchange.arrival import Arrival, dropped
from lamella.domain.ledger.fingerprints import unpacked
from lamella.domain.ledger.hunk_fingerprints import LineFingerprints
from lamella_adapters.postgresql.database.turn import Turn
from lamella_adapters.postgresql.tables import observation_rows

_ROWS = f"""
SELECT {observation_rows.COLUMNS}, o.request, o.revision FROM observation AS o
WHERE o.project = here() AND {{condition}}
"""  # noqa: S608 - our own constants
_LINES = """
SELECT c.seq, c.place, c.came, c.went FROM (
  SELECT o.seq, o.changes FROM observation AS o WHERE o.project = here() AND {condition}
) AS o JOIN code_change AS c ON c.project = here() AND c.seq = o.seq
WHERE o.changes -> c.place ->> 'hunks' = '' AND (c.came <> '' OR c.went <> '')
"""


def arrivals(turn: Turn, condition: str, asked: Mapping[str, object]) -> list[tuple[Arrival, int]]:
    """Return observations as they leave for elsewhere, each with its revision. The transaction ends with it.

    Args:
        turn: The transaction.
        condition: One of our own, for the row `o`, with an order and a limit.
        asked: Values of its placeholders.
    """
    rows, lines = turn.answers(
        (_ROWS.format(condition=condition), asked), (_LINES.format(condition=condition), asked), last=True
    )
    kept: dict[int, dict[int, LineFingerprints]] = {}
    for seq, place, came, went in lines:
        kept.setdefault(seq, {})[place] = LineFingerprints(unpacked(came), unpacked(went))
    found = observation_rows.observations(turn, rows)
    return [
        (Arrival(observation=each, request=request, lines=dropped(each, kept.get(each.sequence, {}))), revision)
        for each, (*_, request, revision) in zip(found, rows, strict=True)
    ]
