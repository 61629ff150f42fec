"""Faults in the context that a memory's neighbours lend it."""

from collections.abc import Callable

from attrs import evolve

from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Hit, RecallQuery
from lamella.domain.search import indexing
from lamella_adapters.fts5 import bm25
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.search import InMemorySearch
from lamella_contracts.mutants.broken_storage import Mutant, Mutants, changed, finding_with
from lamella_contracts.mutants.search.finding import MANY
from lamella_contracts.mutants.search.ranking import indexing_with

MUTANTS = Mutants()

_CONTEXT, _INDEXED = indexing.context, indexing.indexed_text
_EXPLAIN: Callable[..., bm25.MatchDetails] = bm25.explain


class Remembered(InMemoryObservations):
    """Fills the context column by a rule of its own."""

    def indexed(self, observation: Observation) -> indexing.IndexedText:
        return _INDEXED(observation, self.previous(observation))

    def previous(self, observation: Observation) -> list[Observation]:
        """Return the observations in the context of `observation`."""
        raise NotImplementedError

    def before(self, observation: Observation, *, purged: bool = False) -> list[Observation]:
        """Return the observations before it in its session, nearest first."""
        earlier = [each for each in self.earlier(observation) if each.session == observation.session is not None]
        return earlier if purged else [each for each in earlier if not each.purged]

    def earlier(self, observation: Observation) -> list[Observation]:
        """Return the observations before it in the project, nearest first."""
        every = self.in_order()[::-1]
        return every[[each.id for each in every].index(observation.id) + 1 :]


@MUTANTS.add(
    "a purge leaves its text in the context",
    trips={
        "what_follows_a_purge_has_no_purged_text",
        "a_purge_takes_text_out_of_the_context",
        "a_purge_moves_earlier_ones_up",
        "a_restored_one_has_its_context_of_today",
    },
)
class PurgeLeavesContext(Remembered):
    def previous(self, observation: Observation) -> list[Observation]:
        return [] if observation.purged else self.before(observation, purged=True)[:2]


@MUTANTS.add(
    "purged ones keep their context",
    trips={"purged_ones_have_no_context", "purged_hits_are_ranked_among_themselves"},
)
class PurgedKeepTheirs(Remembered):
    def previous(self, observation: Observation) -> list[Observation]:
        return self.before(observation, purged=True)[:2] if observation.purged else self.before(observation)[:2]


@MUTANTS.add("the context is of any session", trips={"context_is_of_one_session"})
class AcrossSessions(Remembered):
    def before(self, observation: Observation, *, purged: bool = False) -> list[Observation]:
        earlier = self.earlier(observation) if observation.session is not None else []
        return [each for each in earlier if each.session is not None and (purged or not each.purged)]

    def previous(self, observation: Observation) -> list[Observation]:
        return [] if observation.purged else self.before(observation)[:2]


class FindsByContext(InMemorySearch):
    def find(self, query: RecallQuery) -> tuple[Hit, ...]:
        with changed(bm25, explain=lambda *asked: evolve(_EXPLAIN(*asked), own=True)):
            return super().find(query)


@MUTANTS.add("what only the context holds counts for the limit", trips={"followers_take_no_place_of_hits"})
class CountsFollowers(FindsByContext):
    def find(self, query: RecallQuery) -> tuple[Hit, ...]:
        own = {hit.observation.id for hit in InMemorySearch.find(self, evolve(query, limit=MANY))}
        return tuple(hit for hit in super().find(query) if hit.observation.id in own)


FOLLOWERS = {"a_word_raises_its_followers", "a_restore_puts_text_back_into_the_context"}

MUTANTS += (
    Mutant(
        fault="there is no context",
        search=indexing_with(context=lambda *_: ""),
        trips={
            "a_status_is_set_as_given",
            "a_merge_makes_contexts_anew",
            "a_split_makes_contexts_anew",
            "context_is_a_beginning",
            "what_follows_a_purge_has_no_purged_text",
            *FOLLOWERS,
            "a_title_is_part_of_the_context",
            "a_purge_moves_earlier_ones_up",
            "a_restored_one_has_its_context_of_today",
            "a_text_that_refers_to_nothing_has_no_context",
        },
    ),
    Mutant(
        fault="every text has a context",
        search=finding_with(indexing, needs_context=lambda _: True),
        trips={"a_text_that_refers_to_nothing_has_no_context"},
    ),
    Mutant(
        fault="a question counts once",
        search=finding_with(indexing, observation_context=_CONTEXT),
        trips={"a_question_counts_twice"},
    ),
)
