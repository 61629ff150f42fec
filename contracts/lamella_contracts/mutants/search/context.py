"""Faults in the texts indexed with later memories, and in the strengths and spans of matches."""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from attrs import define, evolve, field

from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Hit, RecallQuery, Span
from lamella.domain.search import indexing
from lamella_adapters.fts5 import bm25
from lamella_adapters.fts5.bm25 import MatchDetails
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.search import InMemorySearch
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.mutants.broken_storage import changed, finding_with, storage_mutants
from lamella_contracts.mutants.search.finding import MANY

MUTANTS = storage_mutants()


_EXPLAIN: Callable[..., bm25.MatchDetails] = bm25.explain
_INFORMATION = bm25.information


@MUTANTS.add("matches of the context alone count towards the limit")
class CountsFollowers(InMemorySearch):
    def find(self, query: RecallQuery) -> tuple[Hit, ...]:
        own = {hit.observation.id for hit in super().find(evolve(query, limit=MANY))}
        with changed(bm25, explain=lambda *asked: evolve(_EXPLAIN(*asked), own=True)):
            return tuple(hit for hit in super().find(query) if hit.observation.id in own)


def _before(rule: Callable[[Observation, Observation], bool]) -> type[InMemorySearch]:
    """Return a search class that indexes a memory with the two latest earlier memories that `rule` accepts."""

    def before(scope: InMemoryObservations, said: Observation) -> list[Observation]:
        every = scope.in_order()
        return [each for each in every[: every.index(said)] if rule(each, said)][
            : -indexing.CONTEXT_OBSERVATIONS - 1 : -1
        ]

    return finding_with(InMemoryObservations, _before=before)


MUTANTS.add("context crosses sessions")(
    _before(lambda each, said: None not in (each.session, said.session) and not each.purged)
)
MUTANTS.add("purged text stays in the context")(
    _before(lambda each, said: each.session == said.session is not None)
)
MUTANTS.add("there is no context")(_before(lambda *_: False))


@define(eq=False)
class Indexed(InMemoryRegistry):
    texts: dict[UUID, tuple[Observation, indexing.IndexedText]] = field(factory=dict)


class IndexesChangedRows(InMemoryObservations):
    storage: Indexed

    def indexed(self, observation: Observation) -> indexing.IndexedText:
        known = self.storage.texts.get(observation.id)
        if known is None or known[0] != observation:
            known = self.storage.texts[observation.id] = observation, super().indexed(observation)
        return known[1]


MUTANTS.add("a change indexes only its row again, not the rows after it")(Indexed, IndexesChangedRows)


def _behind_a_heading(*asked: Any) -> MatchDetails:
    why = _EXPLAIN(*asked)
    return evolve(why, spans=tuple(Span(span.start + 11, span.end + 11, span.word) for span in why.spans))


def _of_known(words: Sequence[Any], hits: Any, rows: int) -> Sequence[float]:
    known = [bool(bm25.most_holders(bm25.forms(word), hits)) for word in words]
    return [each * has for each, has in zip(_INFORMATION(words, hits, rows), known, strict=True)]


MUTANTS.add("spans are offset by the heading")(finding_with(bm25, explain=_behind_a_heading))
MUTANTS.add("unknown words carry no information")(finding_with(bm25, information=_of_known))
