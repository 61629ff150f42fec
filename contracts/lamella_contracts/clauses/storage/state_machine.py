"""The clause that plays any history on a storage and on the in-memory one, and compares every answer."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    multiple,
    precondition,
    rule,
    run_state_machine_as_test,
)

from lamella.domain.errors import LamellaError
from lamella.domain.memories.observation import Draft, Observation
from lamella.domain.memories.query import (
    ByText,
    ByTitle,
    Filters,
    Hit,
    RecallQuery,
    Recent,
    Search,
)
from lamella.domain.project import Project
from lamella.ports.storage.observations import ObservationStorage, Saved
from lamella.ports.storage.storage import Capability, Storage
from lamella_adapters.memory import InMemoryStorage
from lamella_contracts.fixtures.project import DAWN, MINUTE, Notebook
from lamella_contracts.fixtures.strategies import (
    PATHS,
    SESSIONS,
    bounded,
    drafts,
    phrases,
    scores,
    unscored,
)

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
    since=st.one_of(st.none(), st.integers(0, 30).map(lambda minutes: DAWN + minutes * MINUTE)),
    session=st.sampled_from((None, *SESSIONS)),
    path=st.sampled_from((None, None, *PATHS)),
)
QUERIES = st.builds(RecallQuery, selector=SEARCHES, filters=FILTERS, limit=LIMITS, include_purged=st.booleans())


class History(RuleBasedStateMachine):
    """Does the same to two storages, in two projects, and compares what they answer as whole values."""

    ids: "Bundle[UUID]" = Bundle("ids")

    def __init__(self, notebooks: tuple[Notebook, Notebook]) -> None:
        """Plays in the projects of these notebooks, and in ones like them in memory."""
        super().__init__()
        self.tested, self.model = notebooks[0].storage, InMemoryStorage()
        self.places = [each.location for each in notebooks]
        for place in self.places:
            self.model.registry.at(place, now=DAWN)
        self.notebook = notebooks[0]
        self.now = DAWN

    def answers(self, call: Callable[[Storage], Any]) -> tuple[Any, Any]:
        """What both answer, errors included."""
        made = []
        for storage in (self.tested, self.model):
            try:
                made.append(call(storage))
            except LamellaError as error:
                made.append(type(error))
        return made[0], made[1]

    def same(self, call: Callable[[Storage], Any]) -> Any:
        """Asserts that both answer the same, and says what."""
        mine, theirs = self.answers(call)
        assert mine == theirs
        return mine

    def scope(self, storage: Storage, project: int) -> ObservationStorage:
        """One of the two projects."""
        return storage.observations(self.places[project].project_id)

    @initialize(target=ids, some=st.lists(drafts(), min_size=4, max_size=8))
    def begin(self, some: list[Draft]) -> Any:
        """Most of what can go wrong needs some memories to begin with."""
        return self.add(0, some, MINUTE)

    @rule(target=ids, project=PROJECTS, some=st.lists(drafts(), min_size=1, max_size=4), delay=DELAYS)
    def save(self, project: int, some: list[Draft], delay: timedelta) -> Any:
        """Saves, sometimes while the clock is set back."""
        return self.add(project, some, delay)

    def add(self, project: int, some: list[Draft], delay: timedelta) -> Any:
        """The ids under which these drafts were saved, or not, if they were duplicates."""
        ids = [self.notebook.new_id() for _ in some]
        for draft, id in zip(some, ids, strict=True):
            self.now += delay
            self.same(partial(self.added, project, draft, id))
        return multiple(*ids)

    def added(self, project: int, draft: Draft, id: UUID, storage: Storage) -> Saved:
        """What became of the draft in this storage."""
        return self.scope(storage, project).add(draft, id=id, now=self.now)

    @rule(project=PROJECTS, some=st.lists(ids, min_size=1, max_size=3))
    def purge(self, project: int, some: list[UUID]) -> None:
        """Purges, also what is unknown or purged already."""
        self.same(lambda storage: self.scope(storage, project).purge(some, now=self.now))

    @rule(project=PROJECTS, some=st.lists(ids, min_size=1, max_size=3))
    def restore(self, project: int, some: list[UUID]) -> None:
        """Restores, also what is unknown or live."""
        self.same(lambda storage: self.scope(storage, project).restore(some, now=self.now))

    @precondition(lambda self: Capability.ERASE in self.tested.capabilities)
    @rule(project=PROJECTS, some=st.lists(ids, max_size=2))
    def erase(self, project: int, some: list[UUID]) -> None:
        """Erases."""
        self.same(lambda storage: self.scope(storage, project).erase(some))

    @precondition(lambda self: Capability.MERGE in self.tested.capabilities)
    @rule(old=EITHER, new=EITHER)
    def merge(self, old: int, new: int) -> None:
        """Merges one project into the other, or tries to."""
        ids = [place.project_id for place in self.places]
        self.same(lambda storage: storage.registry.merge(ids[old], ids[new]))
        self.same(self.led_to)

    @precondition(lambda self: Capability.MERGE in self.tested.capabilities)
    @rule(old=EITHER)
    def split(self, old: int) -> None:
        """Takes a merge back, or tries to."""
        self.same(lambda storage: storage.registry.split(self.places[old].project_id))
        self.same(self.led_to)

    def led_to(self, storage: Storage) -> list[Project]:
        """Which projects the two places lead to."""
        return [storage.registry.at(place, now=self.now) for place in self.places]

    @rule(project=PROJECTS, queries=st.lists(QUERIES, min_size=1, max_size=4))
    def find(self, project: int, queries: list[RecallQuery]) -> None:
        """Finds by words, title or time."""
        id = self.places[project].project_id
        for query in queries:
            mine, theirs = self.answers(partial(_found, id, query))
            assert unscored(mine) == unscored(theirs)
            assert scores(mine) == pytest.approx(scores(theirs), rel=1e-9, abs=0)

    @rule(project=PROJECTS, id=ids, digits=st.integers(0, 32), side=st.integers(0, 3), purged=st.booleans())
    def look(self, project: int, id: UUID, digits: int, side: int, purged: bool) -> None:
        """Looks at one observation, at its id and at what is around it."""
        place = self.places[project]
        self.same(lambda storage: self.scope(storage, project).get(id))
        self.same(lambda storage: self.scope(storage, project).starting_with(id.hex[:digits], limit=5))
        self.same(lambda storage: self.scope(storage, project).short_ids([id]))
        self.same(lambda storage: _around(storage, place.project_id, id, side, include_purged=purged))
        self.same(lambda storage: storage.search(place.project_id).around(id, before=side, after=2))
        self.same(lambda storage: storage.search(place.project_id).count(include_purged=purged))


def _found(project: str, query: RecallQuery, storage: Storage) -> tuple[Hit, ...]:
    return storage.search(project).find(query)


def _around(
    storage: Storage, project: str, id: UUID, each_side: int, *, include_purged: bool
) -> tuple[Observation, ...]:
    return storage.search(project).neighbourhood(id, each_side=each_side, include_purged=include_purged)


class HistoryClauses:
    """The whole of a storage, compared with the model."""

    def test_any_history_agrees_with_the_model(self, notebook: Notebook) -> None:
        """Some sequence of calls is answered otherwise than in memory; the shortest one found is printed."""

        class Played(History):
            def __init__(self) -> None:
                super().__init__((notebook.blank(), notebook.blank()))

        run_state_machine_as_test(Played, settings=bounded(60, steps=40))
