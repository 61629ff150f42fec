"""Faults in the context of a memory."""

from collections.abc import Callable

from attrs import evolve

from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Hit, RecallQuery
from lamella.domain.search import indexing
from lamella_adapters.fts5 import bm25
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.search import InMemorySearch
from lamella_contracts.mutants.broken_storage import changed, finding_with, storage_mutants
from lamella_contracts.mutants.search.finding import MANY

MUTANTS = storage_mutants()


_EXPLAIN: Callable[..., bm25.MatchDetails] = bm25.explain


class FindsByContext(InMemorySearch):
    def find(self, query: RecallQuery) -> tuple[Hit, ...]:
        with changed(bm25, explain=lambda *asked: evolve(_EXPLAIN(*asked), own=True)):
            return super().find(query)


@MUTANTS.add("matches of the context alone count towards the limit", "followers_take_no_place_of_hits")
class CountsFollowers(FindsByContext):
    def find(self, query: RecallQuery) -> tuple[Hit, ...]:
        own = {hit.observation.id for hit in InMemorySearch.find(self, evolve(query, limit=MANY))}
        return tuple(hit for hit in super().find(query) if hit.observation.id in own)


def _before(rule: Callable[[Observation, Observation], bool]) -> type[InMemorySearch]:
    """Search with another rule for the context of a memory."""

    def before(scope: InMemoryObservations, said: Observation) -> list[Observation]:
        every = scope.in_order()
        return [each for each in every[: every.index(said)] if rule(each, said)][
            : -indexing.CONTEXT_OBSERVATIONS - 1 : -1
        ]

    return finding_with(InMemoryObservations, _before=before)


MUTANTS.add("context crosses sessions", "context_is_of_one_session")(
    _before(lambda each, said: None not in (each.session, said.session) and not each.purged)
)
MUTANTS.add(
    "purged text stays in the context",
    "a_purge_takes_text_out_of_the_context",
    "a_restore_puts_text_back_into_the_context",
)(_before(lambda each, said: each.session == said.session is not None))
MUTANTS.add("there is no context", "a_status_is_set_as_given", "a_word_raises_its_followers")(
    _before(lambda *_: False)
)
