"""Faults in the context that a memory's neighbours lend it."""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from attrs import evolve

from lamella.domain.audit.signature import Signature
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Filters, Hit, RecallQuery
from lamella.domain.search import indexing
from lamella.domain.text.words import Word
from lamella.ports.storage.observations import StatusChange
from lamella_adapters.fts5 import bm25
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.search import InMemorySearch
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.mutants.broken_storage import Mutant, Mutants, changed, finding_with
from lamella_contracts.mutants.search.finding import MANY
from lamella_contracts.mutants.search.ranking import indexing_with

MUTANTS = Mutants()

_CONTEXT, _INDEXED = indexing.context, indexing.indexed_text
_EXPLAIN: Callable[..., bm25.Explained] = bm25.explain


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
    "a purge moves nothing up", trips={"what_follows_a_purge_has_no_purged_text", "a_purge_moves_earlier_ones_up"}
)
class PurgeMovesNothingUp(Remembered):
    def previous(self, observation: Observation) -> list[Observation]:
        near = [] if observation.purged else self.before(observation, purged=True)[:2]
        return [each for each in near if not each.purged]


@MUTANTS.add(
    "a restore forgets the followers",
    trips={
        "a_restore_puts_text_back_into_the_context",
        "a_restored_one_has_its_context_of_today",
        "restored_ones_are_found_as_before",
    },
)
class RestoreForgetsFollowers(Remembered):
    """A restored one is never in a context again: it was once changed and is live."""

    def previous(self, observation: Observation) -> list[Observation]:
        near = [] if observation.purged else self.before(observation)[:2]
        return [each for each in near if each.updated_at == each.created_at]


@MUTANTS.add("a restored one has its old context", trips={"a_restored_one_has_its_context_of_today"})
class RestoredAreStale(Remembered):
    """A restored one keeps what was before it, purged or not."""

    def previous(self, observation: Observation) -> list[Observation]:
        restored = observation.updated_at != observation.created_at
        return [] if observation.purged else self.before(observation, purged=restored)[:2]


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


@MUTANTS.add("what only the context holds is found", trips={"context_alone_finds_nothing"})
class FindsByContext(InMemorySearch):
    def find(self, query: RecallQuery) -> tuple[Hit, ...]:
        with changed(bm25, explain=lambda *asked: evolve(_EXPLAIN(*asked), own=True)):
            return super().find(query)


@MUTANTS.add("what only the context holds counts for the limit", trips={"followers_take_no_place_of_hits"})
class CountsFollowers(FindsByContext):
    def find(self, query: RecallQuery) -> tuple[Hit, ...]:
        own = {hit.observation.id for hit in InMemorySearch.find(self, evolve(query, limit=MANY))}
        return tuple(hit for hit in super().find(query) if hit.observation.id in own)


@MUTANTS.add("the context gives strength", trips={"context_alone_finds_nothing"})
class StrongByContext(InMemorySearch):
    """Explains hits by the context, too."""

    def _ranked(self, words: Sequence[Word], candidates: Sequence[Observation], filters: Filters) -> list[Hit]:
        texts = {each.content: self.observations.indexed(each).context for each in candidates}

        def explain(*asked: Any) -> bm25.Explained:
            *others, content, beside = asked
            with_context = _EXPLAIN(*others, content, (*beside, texts[content]))
            return evolve(with_context, own=_EXPLAIN(*asked).own)

        with changed(bm25, explain=explain):
            return super()._ranked(words, candidates, filters)


class EraseLeavesContext(Remembered):
    """Erased text stays with its followers."""

    def previous(self, observation: Observation) -> list[Observation]:
        near = [] if observation.purged else self.before(observation)[:2]
        storage = self.storage
        assert isinstance(storage, KeepsErased)
        left = [
            each for each in storage.erased if each.session is not None and each.session == observation.session
        ]
        return near + left

    def erase(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        storage = self.storage
        assert isinstance(storage, KeepsErased)
        storage.erased += [self.rows[id].observation for id in ids if id in self.rows]
        return super().erase(ids, by=by)


class KeepsErased(InMemoryRegistry):
    """Remembers what was erased."""

    def __init__(self) -> None:
        super().__init__()
        self.erased: list[Observation] = []


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
    Mutant(
        fault="three observations are the context",
        search=finding_with(indexing, CONTEXT_OBSERVATIONS=3),
        trips={*FOLLOWERS, "a_merge_makes_contexts_anew"},
    ),
    Mutant(
        fault="the context leaves titles out",
        search=finding_with(indexing, context=lambda some: _CONTEXT(("", content) for _, content in some)),
        trips={"a_title_is_part_of_the_context"},
    ),
    Mutant(
        fault="the context holds whole contents",
        search=finding_with(indexing, CONTEXT_CHARACTERS=1_000_000),
        trips={"context_is_a_beginning"},
    ),
    Mutant(
        fault="an erase leaves its text in the context",
        observations=EraseLeavesContext,
        registry=KeepsErased,
        trips={"an_erase_leaves_nothing_in_another_project", "an_erase_takes_text_out_of_the_context"},
    ),
)
