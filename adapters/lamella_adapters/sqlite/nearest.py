"""The vectors of a project's file that are nearest to another one."""

import apsw

from lamella.domain.query import Filters
from lamella.domain.vectors import Vector
from lamella_adapters.sqlite.connection import fetch
from lamella_adapters.sqlite.distances import TOLERANCE, distances
from lamella_adapters.sqlite.filtering import conditions

CODED_FROM = 4_000
"""From so many live rows on, the vectors to be compared are chosen by their codes."""

CANDIDATES_AT_LEAST, CANDIDATES_EACH, CANDIDATES_SHARE = 400, 20, 0.01
"""How many vectors are chosen: at least, for each one that is wanted, and of all; 98 % of the ten nearest are."""

_MARGIN = 4
"""How many more than wanted are read, because those at the end may be nearer than they seem."""

# Every statement is put together from constants of our modules; values are always bound.
_SEEN = {False: "NOT purged", True: "purged"}
_PASSING = " AND seq IN (SELECT o.seq FROM observation AS o WHERE TRUE{conditions})"
_CODED = """
seq IN (SELECT seq FROM vector WHERE code IS NOT NULL AND {rows} ORDER BY {far}, seq DESC LIMIT :most)
"""
_NEAREST = """
SELECT seq, vector, {far} AS distance FROM vector WHERE vector IS NOT NULL AND {rows}
ORDER BY distance, seq DESC LIMIT :limit
"""


def nearest(
    connection: apsw.Connection, vector: Vector, *, limit: int, filters: Filters, purged: bool
) -> list[tuple[int, float]]:
    """Sequence numbers and cosines of live or of purged rows, best first, equal ones the later saved first."""
    far = distances(connection)
    passing, values = conditions(filters)
    rows = _SEEN[purged] + (_PASSING.format(conditions=passing) if passing else "")
    live: int = connection.execute("SELECT live FROM statistics").get
    if live >= CODED_FROM:
        rows = _CODED.format(rows=rows, far=far.code)
    statement = _NEAREST.format(rows=rows, far=far.vector)
    most = max(CANDIDATES_AT_LEAST, CANDIDATES_EACH * limit, int(CANDIDATES_SHARE * live))
    values |= {"vector": vector.components, "code": vector.code, "most": most}
    read = limit + _MARGIN
    while True:
        found = fetch(connection, statement, {**values, "limit": read})
        if len(found) < read or found[-1][2] > found[limit - 1][2] + TOLERANCE:
            break
        read *= 2
    scored = [(sequence, vector.cosine(Vector(components))) for sequence, components, _ in found]
    return sorted(scored, key=lambda each: (-each[1], -each[0]))[:limit]
