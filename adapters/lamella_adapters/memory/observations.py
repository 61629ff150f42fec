"""The observations of one project, in a dictionary."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import islice
from threading import RLock
from typing import Protocol
from uuid import UUID

from attrs import define, evolve, field

from lamella.domain.audit.signature import Signature
from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.memories.errors import NotReplaceableError
from lamella.domain.memories.ids import SHORT_ID_CHARACTERS, short_id
from lamella.domain.memories.observation import Draft, Kind, Observation
from lamella.domain.memories.query import Hit, Match
from lamella.domain.search import indexing
from lamella.ports.storage.activity import Activity
from lamella.ports.storage.observations import Added, ObservationStorage, Saved, StatusChange, TakenOver
from lamella_adapters.memory.message_store import Archive


@define
class Row:
    """An observation with fields internal to the storage."""

    observation: Observation
    fingerprint: bytes
    request: str | None


@define
class Shelf:
    """All data of one project.

    Attributes:
        rows: Observations by id, in the order of saving.
        model: Model of `vectors`, or None if none was adopted.
        vectors: Vectors by id of the observation; None if it has nothing to embed.
        captured: Projects that captures were recorded in, by request.
        told: Pairs of session and file for which a removal was reported, by id of its observation.
        activity: Entries of the log by name, each with the project that it was added to.
    """

    rows: dict[UUID, Row] = field(factory=dict)
    last_sequence: int = 0
    model: EmbeddingModel | None = None
    vectors: dict[UUID, Vector | None] = field(factory=dict)
    archive: Archive = field(factory=Archive)
    captured: dict[str, str] = field(factory=dict)
    told: dict[UUID, set[tuple[str, str]]] = field(factory=dict)
    activity: dict[str, tuple[str, Activity]] = field(factory=dict)

    def place(self, row: Row, project: str) -> Observation:
        """Add `row` to this shelf of `project` under the next sequence number and return its observation."""
        self.last_sequence += 1
        row.observation = evolve(row.observation, project=project, sequence=self.last_sequence)
        self.rows[row.observation.id] = row
        return row.observation

    def take(self, id: UUID) -> Row | None:
        """Remove a row with everything about it and return it, or None if it is not here."""
        self.vectors.pop(id, None)
        self.told.pop(id, None)
        return self.rows.pop(id, None)


class Home(Protocol):
    """Finder of the present shelf of a project, which a merge may have changed."""

    @property
    def lock(self) -> RLock:
        """Return the lock to hold while reading or writing a shelf."""

    def home(self, project: str) -> tuple[str, Shelf]:
        """Return the id and the shelf of the project that `project` was merged into, or else its own."""


@define(eq=False)
class InMemoryObservations(ObservationStorage):
    """Memories of one project, also after a merge."""

    project: str
    storage: Home

    @property
    def lock(self) -> RLock:
        """Return the lock to hold while several reads must see the same rows."""
        return self.storage.lock

    @property
    def shelf(self) -> Shelf:
        """Return the present shelf of the project."""
        return self.storage.home(self.project)[1]

    @property
    def rows(self) -> dict[UUID, Row]:
        """Return the present rows of the project."""
        return self.shelf.rows

    def add(self, draft: Draft, *, id: UUID, now: datetime) -> Saved:
        """See `ObservationStorage.add`."""
        with self.lock:
            same = [row for row in self.rows.values() if row.fingerprint == draft.fingerprint]
            for row in same:
                if draft.request is not None and row.request == draft.request:
                    return Saved(row.observation, Added.RETRY)
            for row in same:
                if not row.observation.purged:
                    self.replace(draft.replaces, by=row.observation.id, now=now)
                    return Saved(row.observation, Added.DUPLICATE)
            self.replace(draft.replaces, by=id, now=now)
            project, shelf = self.storage.home(self.project)
            moment = max([now, *(row.observation.occurred_at for row in shelf.rows.values())])
            observation = draft.observed(id=id, project=project, sequence=0, now=now, occurred_at=moment)
            row = Row(observation, draft.fingerprint, draft.request)
            return Saved(shelf.place(row, project), Added.NEW)

    def replace(self, ids: Sequence[UUID], *, by: UUID, now: datetime) -> None:
        """Purge memories that another one takes the place of.

        Raises:
            NotReplaceableError: One of them is not here, or is purged already.
        """
        rows = {id: self.rows.get(id) for id in ids if id != by}
        for id, row in rows.items():
            if row is None:
                raise NotReplaceableError(id=str(id), reason="not found")
            if row.observation.purged and row.observation.replaced_by != by:
                raise NotReplaceableError(id=str(id), reason="already purged")
        for row in filter(None, rows.values()):
            if not row.observation.purged:
                row.observation = evolve(row.observation, purged_at=now, updated_at=now, replaced_by=by)

    def get_all(self, ids: Collection[UUID]) -> Mapping[UUID, Observation]:
        """See `ObservationStorage.get_all`."""
        with self.lock:
            rows = self.rows
            return {id: rows[id].observation for id in ids if id in rows}

    def starting_with(self, prefixes: Sequence[str], *, limit: int) -> Mapping[str, tuple[Hit, ...]]:
        """See `ObservationStorage.starting_with`."""
        with self.lock:
            return {
                prefix: tuple(self.hits([self.rows[id].observation for id in self.ids(prefix, limit)], Match.ID))
                for prefix in prefixes
            }

    def ids(self, prefix: str, limit: int) -> Sequence[UUID]:
        """Return the first `limit` ids that begin with `prefix`, in order."""
        return sorted(id for id in self.rows if id.hex.startswith(prefix))[:limit]

    def short_ids(self, ids: Iterable[UUID]) -> Mapping[UUID, str]:
        """Return the short ids of some observations, by id."""
        alike: dict[str, list[UUID]] = {}
        for id in self.rows:
            alike.setdefault(id.hex[:SHORT_ID_CHARACTERS], []).append(id)
        return {id: short_id(id, alike.get(id.hex[:SHORT_ID_CHARACTERS], ())) for id in ids}

    def hits(self, observations: Sequence[Observation], match: Match) -> list[Hit]:
        """Return observations as hits with their short ids."""
        short_ids = self.short_ids(each.id for each in observations)
        return [Hit(observation=each, short_id=short_ids[each.id], match=match) for each in observations]

    def purge(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        """See `ObservationStorage.purge`."""
        return self._mark(ids, purged_at=by.at, now=by.at)

    def restore(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        """See `ObservationStorage.restore`."""
        return self._mark(ids, purged_at=None, now=by.at)

    def erase(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        """See `ObservationStorage.erase`."""
        with self.lock:
            for row in self.rows.values():
                if row.observation.replaced_by in ids:
                    row.observation = evolve(row.observation, replaced_by=None)
            return tuple(StatusChange.DONE if self.shelf.take(id) else StatusChange.NOT_FOUND for id in ids)

    def page(self, *, after: int = 0, limit: int) -> tuple[Arrival, ...]:
        """See `ObservationStorage.page`."""
        with self.lock:
            later = [row for row in self.rows.values() if row.observation.sequence > after]
            later.sort(key=lambda row: row.observation.sequence)
            return tuple(Arrival(observation=row.observation, request=row.request) for row in later[:limit])

    def take_over(self, arrivals: Sequence[Arrival]) -> tuple[TakenOver, ...]:
        """See `ObservationStorage.take_over`."""
        with self.lock:
            return tuple(map(self._take_over, arrivals))

    def _take_over(self, arrival: Arrival) -> TakenOver:
        observation, request = arrival.observation, arrival.request
        project, shelf = self.storage.home(self.project)
        if observation.id in shelf.rows:
            return TakenOver.KNOWN
        shelf.place(Row(observation, observation.fingerprint, request), project)
        if request is not None and observation.kind is Kind.CHANGE:
            shelf.captured.setdefault(request, observation.origin)
        return TakenOver.NEW

    def in_order(self) -> list[Observation]:
        """Return every observation, oldest first, by time and then sequence number."""
        with self.lock:
            return sorted((row.observation for row in self.rows.values()), key=_age)

    def indexed(self, observation: Observation) -> indexing.IndexedText:
        """Return the present indexed text of `observation`; a purged one has no context."""
        return indexing.indexed_text(observation, () if observation.purged else self._before(observation))

    def _before(self, observation: Observation) -> Iterable[Observation]:
        earlier = (
            other
            for other in reversed(self.in_order())
            if other.session is not None
            and other.session == observation.session
            and not other.purged
            and _age(other) < _age(observation)
        )
        return islice(earlier, indexing.CONTEXT_OBSERVATIONS)

    def _mark(self, ids: Sequence[UUID], *, purged_at: datetime | None, now: datetime) -> tuple[StatusChange, ...]:
        changes = []
        with self.lock:
            for id in ids:
                row = self.rows.get(id)
                if row is None:
                    changes.append(StatusChange.NOT_FOUND)
                elif row.observation.purged == (purged_at is not None):
                    changes.append(StatusChange.ALREADY)
                else:
                    row.observation = evolve(
                        row.observation, purged_at=purged_at, updated_at=now, replaced_by=None
                    )
                    changes.append(StatusChange.DONE)
        return tuple(changes)


def _age(observation: Observation) -> tuple[datetime, int]:
    return observation.occurred_at, observation.sequence
