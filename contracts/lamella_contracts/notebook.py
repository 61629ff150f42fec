"""One project of the storage under test, with a clock and ids that are the same in every run."""

import hashlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any
from uuid import UUID

from attrs import Factory, define, field

from lamella.domain.observation import Draft, Observation
from lamella.domain.projects import Location, Project
from lamella.domain.query import ByText, Filters, Hit, RecallQuery, Search
from lamella.ports.search import ObservationSearch
from lamella.ports.storage import Change, ObservationStorage, Saved, Storage
from lamella_adapters.memory import InMemoryStorage

DAWN = datetime(2024, 5, 6, 7, 8, 9, 123456, tzinfo=UTC)
"""When every notebook begins; the microseconds show who drops them."""

MINUTE = timedelta(minutes=1)


def place(name: str, key: str | None = None) -> Location:
    """A place called `name`, known by `key`."""
    return Location(key=f"/home/{name}/.git" if key is None else key, name=name, root=Path("/home") / name)


@define(eq=False)
class Notebook:
    """One project of `storage`: writes, changes and finds with few words.

    Each save is a minute after the one before. Two notebooks with the same location use the same ids and
    times, so that what is written in both can be compared as whole values.
    """

    open: Callable[[], Storage]
    storage: Storage
    location: Location
    folder: Path
    project: Project = field(
        init=False,
        default=Factory(lambda self: self.storage.registry.at(self.location, now=DAWN), takes_self=True),
    )
    _ids: Iterator[int] = field(init=False, factory=lambda: count(1))
    _minutes: Iterator[int] = field(init=False, factory=lambda: count(1))
    _blanks: Iterator[int] = field(init=False, factory=lambda: count(1))

    @property
    def observations(self) -> ObservationStorage:
        """The project's memories."""
        return self.storage.observations(self.project.id)

    @property
    def search(self) -> ObservationSearch:
        """Search in the project's memories."""
        return self.storage.search(self.project.id)

    def elsewhere(self, name: str) -> "Notebook":
        """A notebook for another project of the same storage."""
        return Notebook(self.open, self.storage, place(name), self.folder)

    def blank(self) -> "Notebook":
        """A notebook for a project of the same storage that nobody has used."""
        return self.elsewhere(f"{self.location.name}-{next(self._blanks)}")

    def model(self) -> "Notebook":
        """An empty notebook for the same project in the in-memory storage."""
        return Notebook(InMemoryStorage, InMemoryStorage(), self.location, self.folder)

    def reopened(self) -> "Notebook":
        """The same project after the storage was closed and opened again."""
        self.storage.close()
        self.storage = self.open()
        return Notebook(self.open, self.storage, self.location, self.folder)

    def new_id(self) -> UUID:
        """An id that nobody has used."""
        digest = hashlib.sha256(f"{self.location.name} {next(self._ids)}".encode()).digest()
        return UUID(bytes=digest[:16], version=4)

    def now(self) -> datetime:
        """A minute later than it was."""
        return DAWN + MINUTE * next(self._minutes)

    def add(self, draft: Draft, *, id: UUID | None = None, now: datetime | None = None) -> Saved:
        """Adds `draft`."""
        return self.observations.add(draft, id=id or self.new_id(), now=now or self.now())

    def save(
        self, content: str, *, id: UUID | None = None, now: datetime | None = None, **fields: Any
    ) -> Observation:
        """The observation that a draft with this content and these fields became."""
        return self.add(Draft(content=content, **fields), id=id, now=now).observation

    def get(self, observation: Observation) -> Observation:
        """What has become of `observation`."""
        return self.observations.get(observation.id)

    def purge(self, *observations: Observation) -> tuple[Change, ...]:
        """Purges these."""
        return self.observations.purge([each.id for each in observations], now=self.now())

    def restore(self, *observations: Observation) -> tuple[Change, ...]:
        """Restores these."""
        return self.observations.restore([each.id for each in observations], now=self.now())

    def erase(self, *observations: Observation) -> tuple[Change, ...]:
        """Erases these."""
        return self.observations.erase([each.id for each in observations])

    def find(
        self, search: str | Search, *, limit: int = 10, include_purged: bool = False, **filters: Any
    ) -> tuple[Hit, ...]:
        """What is found; a string is looked for as words."""
        query = RecallQuery(
            selector=ByText(search) if isinstance(search, str) else search,
            filters=Filters(**filters),
            limit=limit,
            include_purged=include_purged,
        )
        return self.search.find(query)

    def contents(
        self, search: str | Search, *, limit: int = 10, include_purged: bool = False, **filters: Any
    ) -> list[str]:
        """The content of each observation that is found."""
        found = self.find(search, limit=limit, include_purged=include_purged, **filters)
        return [hit.observation.content for hit in found]

    def scores(self, search: str, **asked: Any) -> dict[str, float | None]:
        """The score of each observation that is found, by content."""
        return {hit.observation.content: hit.score for hit in self.find(search, **asked)}
