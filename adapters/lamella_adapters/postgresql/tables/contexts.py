"""Contexts: what an observation is indexed with of the two live ones before it in its session."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from lamella.domain.memories.observation import Observation
from lamella.domain.search import indexing
from lamella_adapters.postgresql.database.turn import Turn
from lamella_adapters.postgresql.tables import index, observation_rows
from lamella_adapters.postgresql.tables.index import LIVE, PURGED, Document

BEFORE = """
SELECT b.title, left(b.content, %(characters)s) FROM observation AS b
WHERE b.project = here() AND b.session = %(session)s AND b.purged_at IS NULL AND b.moment <= %(moment)s
ORDER BY b.moment DESC, b.seq DESC LIMIT %(count)s
"""
"""Question for the latest titles and contents of a session, up to a moment."""

BOUNDS: Mapping[str, Any] = {
    "characters": indexing.CONTEXT_CHARACTERS,
    "count": indexing.CONTEXT_OBSERVATIONS,
}
"""Values of these questions: how much of how many."""

AFFECTED = """
SELECT f.seq FROM observation AS t CROSS JOIN LATERAL (
  SELECT o.seq FROM observation AS o
  WHERE o.project = here() AND o.session = t.session AND o.purged_at IS NULL AND o.seq <> ALL(%(seqs)s::bigint[])
    AND (o.moment, o.seq) > (t.moment, t.seq)
  ORDER BY o.moment, o.seq LIMIT %(count)s
) AS f WHERE t.project = here() AND t.seq = ANY(%(seqs)s::bigint[])
"""
"""Question for the numbers of those that follow some others in their sessions."""

_INDEXED = f"""
SELECT {observation_rows.COLUMNS}, o.sub, ARRAY(
  SELECT ARRAY[b.title, left(b.content, %(characters)s)] FROM observation AS b
  WHERE b.project = here() AND b.session = o.session AND b.purged_at IS NULL
    AND (b.moment, b.seq) < (o.moment, o.seq)
  ORDER BY b.moment DESC, b.seq DESC LIMIT %(count)s
) FROM observation AS o
WHERE o.project = here() AND (o.seq = ANY(%(seqs)s::bigint[]) OR o.seq IN ({AFFECTED})) ORDER BY o.seq
"""  # noqa: S608 - our own constants


def document(said: Observation, sub: str, before: Sequence[Sequence[str]]) -> Document:
    """Return what is indexed of an observation, with the titles and contents before it, nearest first."""
    context = "" if said.purged else indexing.context_of(said.content, [(title, text) for title, text in before])
    part = PURGED if said.purged else LIVE
    return Document.of(part, said.sequence, observation_rows.indexed_texts(said, sub, context))


def index_anew(turn: Turn, seqs: Collection[int]) -> None:
    """Index observations as they are now, and those that follow them with another context."""
    if not seqs:
        return
    rows = turn.rows(_INDEXED, seqs=list(seqs), **BOUNDS)
    documents = []
    for row in rows:
        said = observation_rows.observation(turn.project, row)
        if said.sequence in seqs or indexing.needs_context(said.content):
            documents.append(document(said, row[-2], row[-1]))
    index.replace(turn, documents)
