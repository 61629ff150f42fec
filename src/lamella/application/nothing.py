"""The memories of a project in which nothing was saved yet, so that looking for them makes no project."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from lamella.domain.errors import ObservationNotFoundError
from lamella.domain.observation import SHORT_ID_CHARACTERS, Draft, Observation
from lamella.domain.query import Hit, RecallQuery
from lamella.ports.search import ObservationSearch
from lamella.ports.storage import Change, ObservationStorage, Saved


class NoObservations(ObservationStorage):
    """Holds nothing, and keeps nothing: who saves makes a project first."""

    __slots__ = ()

    def add(self, draft: Draft, *, id: UUID, now: datetime) -> Saved:
        """Refuses.

        Raises:
            TypeError: always; there is no project that `draft` could be in.
        """
        del draft, id, now
        raise TypeError("a save needs a project")

    def get(self, id: UUID) -> Observation:
        """See `ObservationStorage.get`."""
        raise ObservationNotFoundError(id=str(id))

    def starting_with(self, prefix: str, *, limit: int) -> tuple[Observation, ...]:
        """See `ObservationStorage.starting_with`."""
        del prefix, limit
        return ()

    def short_ids(self, ids: Sequence[UUID]) -> tuple[str, ...]:
        """See `ObservationStorage.short_ids`."""
        return tuple(id.hex[:SHORT_ID_CHARACTERS] for id in ids)

    def purge(self, ids: Sequence[UUID], *, now: datetime) -> tuple[Change, ...]:
        """See `ObservationStorage.purge`."""
        del now
        return (Change.NOT_FOUND,) * len(ids)

    def restore(self, ids: Sequence[UUID], *, now: datetime) -> tuple[Change, ...]:
        """See `ObservationStorage.restore`."""
        del now
        return (Change.NOT_FOUND,) * len(ids)

    def erase(self, ids: Sequence[UUID]) -> tuple[Change, ...]:
        """See `ObservationStorage.erase`."""
        return (Change.NOT_FOUND,) * len(ids)


class NoSearch(ObservationSearch):
    """Finds nothing."""

    __slots__ = ()

    def find(self, query: RecallQuery) -> tuple[Hit, ...]:
        """See `ObservationSearch.find`."""
        del query
        return ()

    def neighbourhood(self, id: UUID, *, each_side: int, include_purged: bool = False) -> tuple[Observation, ...]:
        """See `ObservationSearch.neighbourhood`."""
        del each_side, include_purged
        raise ObservationNotFoundError(id=str(id))

    def count(self, *, include_purged: bool = False) -> int:
        """See `ObservationSearch.count`."""
        del include_purged
        return 0
