"""Indexing of observations with their context: the two preceding live observations of the session."""

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from lamella.domain.memories.observation import Observation
from lamella.domain.search import indexing
from lamella_adapters.postgresql.database.transaction import Transaction
from lamella_adapters.postgresql.tables import index, observation_rows
from lamella_adapters.postgresql.tables.index import LIVE, PURGED, Document
from lamella_adapters.statements import statements

SQL = statements(__file__, columns=observation_rows.COLUMNS)


def document(said: Observation, hidden_forms: str, before: Sequence[Sequence[str]]) -> Document:
    """Return an observation's document. `before` has the titles and contents of its context, nearest first."""
    context = "" if said.purged else indexing.context_of(said.content, [(title, text) for title, text in before])
    part = PURGED if said.purged else LIVE
    return Document.of(part, said.sequence, observation_rows.indexed_texts(said, hidden_forms, context))


def refresh(tx: Transaction, *, ids: Collection[UUID] = (), seqs: Collection[int] = ()) -> None:
    """Reindex changed observations, their followers in the session, and others with a changed context.

    Args:
        tx: Writing transaction on the project.
        ids: Ids of changed observations.
        seqs: Sequence numbers of unchanged observations in a changed session.
    """
    if not ids and not seqs:
        return
    bounds: dict[str, Any] = {"characters": indexing.CONTEXT_CHARACTERS, "count": indexing.CONTEXT_OBSERVATIONS}
    documents = []
    for row in tx.rows(SQL["indexed"], ids=list(ids), seqs=list(seqs), **bounds):
        said = observation_rows.observation(tx.project, row)
        if said.id in ids or indexing.needs_context(said.content):
            documents.append(document(said, row[-2], row[-1]))
    index.remove(tx, [each.seq for each in documents])
    index.add(tx, documents)
