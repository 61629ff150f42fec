"""Indexing of observations with their context: the two preceding live observations of the session."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import islice
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
    """Reindex changed observations, and the later observations whose context contains a changed observation.

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


LAST = 2**63 - 1
"""Sequence number of a new observation in comparisons. It comes after all others."""


def reindexed(
    near: Mapping[UUID, Observation], changed: Iterable[UUID]
) -> Mapping[UUID, Sequence[tuple[str, str]]]:
    """Return the observations to reindex: titles and contents of their context, nearest first, keyed by id.

    Args:
        near: The changed observations and their neighbours, after the change.
        changed: Ids of the changed observations. The observations after them in the session are reindexed too.
    """

    def in_session(said: Observation) -> list[Observation]:
        same = (each for each in near.values() if each.session == said.session is not None and not each.purged)
        return sorted(same, key=_place)

    anew = {id: near[id] for id in changed}
    for said in list(anew.values()):
        later = (each for each in in_session(said) if _place(each) > _place(said))
        for each in islice(later, indexing.CONTEXT_OBSERVATIONS):
            if indexing.needs_context(each.content):
                anew.setdefault(each.id, each)
    before: dict[UUID, list[tuple[str, str]]] = {}
    for id, said in anew.items():
        earlier = [each for each in in_session(said) if _place(each) < _place(said)]
        nearest = reversed(earlier[-indexing.CONTEXT_OBSERVATIONS :])
        before[id] = [(each.title, each.content) for each in nearest]
    return before


def _place(said: Observation) -> tuple[datetime, int]:
    return said.occurred_at, said.sequence
