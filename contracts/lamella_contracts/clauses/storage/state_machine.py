"""Clause to make random calls on a storage and on the in-memory storage, and to compare all answers."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID

from attrs import evolve
from hypothesis import stateful
from hypothesis import strategies as st

from lamella.domain.errors import LamellaError
from lamella.domain.memories.observation import Draft
from lamella.domain.memories.query import ByText, ByTitle, Filters, Hit, RecallQuery, Recent, Search
from lamella.domain.memories.timeline import TimelineQuery
from lamella.domain.projects.project import Project
from lamella.ports.storage.observations import ObservationStorage, Saved
from lamella.ports.storage.storage import Capability, Storage
from lamella_contracts.fixtures.answers import assert_same_ranking, unnumbered
from lamella_contracts.fixtures.model import ModelStorage
from lamella_contracts.fixtures.project import MINUTE, START, ProjectFixture, signed
from lamella_contracts.fixtures.strategies import PATHS, SESSIONS, bounded, drafts, phrases

_ALL = 1_000
"""More observations than a history has."""

PROJECTS = st.sampled_from((0, 0, 0, 1))
EITHER = st.integers(0, 1)
DELAYS = st.integers(-3, 5).map(lambda minutes: minutes * MINUTE)
LIMITS = st.integers(1, 8)
SEARCHES: st.SearchStrategy[Search] = st.one_of(
    phrases(3).map(ByText),
    st.sampled_from(("", "ZEBRA", "%", "_", "e", "naïve", "连接")).map(ByTitle),
    st.just(Recent()),
)
FILTERS = st.just(Filters()) | st.builds(
    Filters,
    since=st.one_of(st.none(), st.integers(0, 30).map(lambda minutes: START + minutes * MINUTE)),
    session=st.sampled_from((None, *SESSIONS)),
    path=st.sampled_from((None, None, *PATHS)),
)
QUERIES = st.builds(RecallQuery, selector=SEARCHES, filters=FILTERS, limit=LIMITS, include_purged=st.booleans())


class History(stateful.RuleBasedStateMachine):
    """State machine to make the same calls on two storages, in two projects, and compare the answers."""

    ids: "stateful.Bundle[UUID]" = stateful.Bundle("ids")

    def __init__(self, notebooks: tuple[ProjectFixture, ProjectFixture]) -> None:
        """Use the projects of these fixtures, and the same projects in an in-memory storage."""
        super().__init__()
        self.tested, self.model = notebooks[0].storage, ModelStorage()
        self.places = [each.location for each in notebooks]
        for place in self.places:
            self.model.registry.at(place, now=START)
        self.project = notebooks[0]
        self.now = START

    def answers(self, call: Callable[[Storage], Any]) -> tuple[Any, Any]:
        """Return the answers of both storages. For an error, the answer is its type."""
        made = []
        for storage in (self.tested, self.model):
            try:
                made.append(call(storage))
            except LamellaError as error:
                made.append(type(error))
        return made[0], made[1]

    def same(self, call: Callable[[Storage], Any]) -> Any:
        """Assert equal answers of both storages, ignoring gaps in sequence numbers. Return the answer."""
        mine, theirs = map(unnumbered, self.answers(call))
        assert mine == theirs
        return mine

    def same_order(self) -> None:
        """Assert that both storages number the observations in the same order."""
        for place in self.places:
            # Search first. If the first search of a storage creates an index, the next change must update it.
            _found(place.project_id, RecallQuery(selector=ByText("zebra")), self.tested)
            self.same(partial(_by_sequence, place.project_id))

    def scope(self, storage: Storage, project: int) -> ObservationStorage:
        """Return the observations of one of the two projects."""
        return storage.observations(self.places[project].project_id)

    @stateful.initialize(target=ids, some=st.lists(drafts(), min_size=4, max_size=8))
    def begin(self, some: list[Draft]) -> Any:
        """Save some memories first. In an empty storage, most faults don't show."""
        return self.add(0, some, MINUTE)

    @stateful.rule(target=ids, project=PROJECTS, some=st.lists(drafts(), min_size=1, max_size=4), delay=DELAYS)
    def save(self, project: int, some: list[Draft], delay: timedelta) -> Any:
        """Save drafts, sometimes at a time before the previous save."""
        return self.add(project, some, delay)

    def add(self, project: int, some: list[Draft], delay: timedelta) -> Any:
        """Add the drafts and return their ids, including the ids of duplicates, which aren't saved."""
        ids = [self.project.new_id() for _ in some]
        for draft, id in zip(some, ids, strict=True):
            self.now += delay
            self.same(partial(self.added, project, draft, id))
        self.same_order()
        return stateful.multiple(*ids)

    def added(self, project: int, draft: Draft, id: UUID, storage: Storage) -> Saved:
        """Add the draft to one storage and return the outcome."""
        return self.scope(storage, project).add(draft, id=id, now=self.now)

    @stateful.rule(project=PROJECTS, some=st.lists(ids, min_size=1, max_size=3))
    def purge(self, project: int, some: list[UUID]) -> None:
        """Purge ids, including unknown and purged ids."""
        self.same(lambda storage: self.scope(storage, project).purge(some, by=signed(self.now)))

    @stateful.rule(project=PROJECTS, some=st.lists(ids, min_size=1, max_size=3))
    def restore(self, project: int, some: list[UUID]) -> None:
        """Restore ids, including unknown and live ids."""
        self.same(lambda storage: self.scope(storage, project).restore(some, by=signed(self.now)))

    @stateful.precondition(lambda self: Capability.ERASE in self.tested.capabilities)
    @stateful.rule(project=PROJECTS, some=st.lists(ids, max_size=2))
    def erase(self, project: int, some: list[UUID]) -> None:
        """Erase ids."""
        self.same(lambda storage: self.scope(storage, project).erase(some, by=signed(self.now)))

    @stateful.precondition(lambda self: Capability.MERGE in self.tested.capabilities)
    @stateful.rule(old=EITHER, new=EITHER)
    def merge(self, old: int, new: int) -> None:
        """Merge one project into the other, or check that both storages refuse the merge with the same error."""
        ids = [place.project_id for place in self.places]
        self.same(lambda storage: storage.registry.merge(ids[old], ids[new], by=signed()))
        self.same(self.led_to)
        self.same_order()

    @stateful.precondition(lambda self: Capability.MERGE in self.tested.capabilities)
    @stateful.rule(old=EITHER)
    def split(self, old: int) -> None:
        """Undo a merge, or check that both storages refuse the split with the same error."""
        self.same(lambda storage: storage.registry.split(self.places[old].project_id, by=signed()))
        self.same(self.led_to)
        self.same_order()

    def led_to(self, storage: Storage) -> list[Project]:
        """Return the projects at the two locations, following merges."""
        return [storage.registry.at(place, now=self.now) for place in self.places]

    @stateful.rule(project=PROJECTS, queries=st.lists(QUERIES, min_size=1, max_size=4))
    def find(self, project: int, queries: list[RecallQuery]) -> None:
        """Find by words, title or time."""
        id = self.places[project].project_id
        for query in queries:
            mine = _found(id, query, self.tested)
            theirs = _found(id, evolve(query, limit=_ALL), self.model)
            assert_same_ranking(mine, theirs, limit=query.limit, exact=False)

    @stateful.rule(
        project=PROJECTS,
        some=st.lists(ids, min_size=1, max_size=3),
        digits=st.integers(0, 32),
        side=st.integers(0, 3),
        purged=st.booleans(),
    )
    def look(self, project: int, some: list[UUID], digits: int, side: int, purged: bool) -> None:
        """Read observations by id and by prefix, and the neighbours of an observation."""
        place, id = self.places[project], some[0]
        prefixes = [each.hex[:digits] for each in some]
        self.same(lambda storage: list(self.scope(storage, project).get_all(some).items()))
        self.same(lambda storage: self.scope(storage, project).starting_with(prefixes, limit=5))
        self.same(
            lambda storage: storage.search(place.project_id).around(
                TimelineQuery(id, before=side, after=2, include_purged=purged)
            )
        )
        self.same(lambda storage: storage.search(place.project_id).count(include_purged=purged))


def _found(project: str, query: RecallQuery, storage: Storage) -> tuple[Hit, ...]:
    return storage.search(project).find(query)


def _by_sequence(project: str, storage: Storage) -> tuple[UUID, ...]:
    """Return the ids of all observations, the first saved first."""
    hits = storage.search(project).find(RecallQuery(limit=_ALL, include_purged=True))
    return tuple(hit.observation.id for hit in sorted(hits, key=lambda hit: hit.observation.sequence))


class HistoryClauses:
    """A storage behaves like the in-memory storage in every history."""

    def test_any_history_agrees_with_the_model(self, project: ProjectFixture) -> None:
        """Fails if the answer to a random sequence of calls differs from the in-memory storage's.

        The shortest such sequence is printed.
        """

        class Played(History):
            def __init__(self) -> None:
                super().__init__((project.fresh(), project.fresh()))

        stateful.run_state_machine_as_test(Played, settings=bounded(10, steps=40))
