"""Contexts: what an observation is indexed with of the two live ones before it in its session."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from lamella.domain.memories.observation import Observation
from lamella.domain.search import indexing
from lamella_adapters.postgresql.database.turn import Row, Turn
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
  WHERE o.project = here() AND o.session = t.session AND o.purged_at IS NULL AND o.id <> ALL(%(ids)s::uuid[])
    AND (o.moment, o.seq) > (t.moment, t.seq)
  ORDER BY o.moment, o.seq LIMIT %(count)s
) AS f WHERE t.project = here() AND t.id = ANY(%(ids)s::uuid[])
"""
"""Question for the numbers of those that follow some others in their sessions."""

INDEXED = f"""
SELECT {observation_rows.COLUMNS}, o.sub, ARRAY(
  SELECT ARRAY[b.title, left(b.content, %(characters)s)] FROM observation AS b
  WHERE b.project = here() AND b.session = o.session AND b.purged_at IS NULL
    AND (b.moment, b.seq) < (o.moment, o.seq)
  ORDER BY b.moment DESC, b.seq DESC LIMIT %(count)s
) FROM observation AS o
WHERE o.project = here() AND o.seq IN (
  SELECT unnest(%(seqs)s::bigint[])
  UNION SELECT seq FROM observation WHERE project = here() AND id = ANY(%(ids)s::uuid[])
  UNION {AFFECTED}) ORDER BY o.seq
"""  # noqa: S608 - our own constants
"""Question for what is indexed of some observations, by number or id, and of those that follow the latter."""


def document(said: Observation, sub: str, before: Sequence[Sequence[str]]) -> Document:
    """Return what is indexed of an observation, with the titles and contents before it, nearest first."""
    context = "" if said.purged else indexing.context_of(said.content, [(title, text) for title, text in before])
    part = PURGED if said.purged else LIVE
    return Document.of(part, said.sequence, observation_rows.indexed_texts(said, sub, context))


def index_anew(turn: Turn, rows: Sequence[Row], changed: Collection[UUID]) -> None:
    """Index observations as they are now.

    Args:
        turn: The transaction.
        rows: The answer to `INDEXED`.
        changed: Ids of those that changed themselves. Of others, only the context may be another one.
    """
    documents = []
    for row in rows:
        said = observation_rows.observation(turn.project, row)
        if said.id in changed or indexing.needs_context(said.content):
            documents.append(document(said, row[-2], row[-1]))
    index.replace(turn, documents)


def refresh(turn: Turn, *, ids: Collection[UUID] = (), seqs: Collection[int] = ()) -> None:
    """Index anew observations that changed, with those that follow them, and others whose context may have."""
    if ids or seqs:
        index_anew(turn, turn.rows(INDEXED, ids=list(ids), seqs=list(seqs), **BOUNDS), ids)
