"""Faults in observations: between threads, in finding them by id, and in erasing them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from threading import Event, RLock, Thread, current_thread
from typing import Any
from uuid import UUID

from attrs import evolve

from lamella.domain.audit.entry import Signature
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.memories.observation import Draft, Observation
from lamella.domain.memories.query import Hit, RecallQuery
from lamella.domain.text.printing import canonical
from lamella.domain.transactions.other_writes import Erase
from lamella.domain.transactions.plan import SetStatus
from lamella.domain.transactions.status import StatusChange
from lamella.ports.storage.observations import Saved
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.search import InMemorySearch
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.fixtures.project import START
from lamella_contracts.mutants.broken_storage import HANG_SECONDS, BrokenStorage, racing, storage_mutants, writing

MUTANTS = storage_mutants()


class Unlocked:
    """A lock that never makes a thread wait."""

    def __enter__(self) -> None:
        """Enter without waiting."""

    def __exit__(self, *_: object) -> None:
        """Leave without releasing a lock."""


@MUTANTS.add("transactions take no lock")
class Racing(InMemoryObservations):
    """Observations that read facts and write the plan without a lock."""

    @property
    def lock(self) -> Any:
        return Unlocked()


class Halfway(InMemoryRegistry):
    """Registry that pauses the first purge by a thread until a reader has read the memory."""

    def __init__(self) -> None:
        super().__init__()
        self.guard = RLock()
        self.purged: UUID | None = None
        self.reader: Thread | None = None
        self.found, self.blanked, self.read = Event(), Event(), Event()

    def is_first(self, id: UUID) -> bool:
        """Return True if this is the first purge by a thread."""
        with self.guard:
            first = racing() and self.purged is None
            self.purged = id if first else self.purged
            return first


class ShowsHalfAPurge(InMemoryObservations):
    """Observations that purge a memory in two visible steps: replace its content, then mark it as purged."""

    def purge(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        halfway = self.storage
        assert isinstance(halfway, Halfway)
        if ids and halfway.is_first(ids[0]):
            assert halfway.found.wait(HANG_SECONDS)
            row = self.rows[ids[0]]
            whole, row.observation = row.observation, evolve(row.observation, content="half")
            halfway.blanked.set()
            assert halfway.read.wait(HANG_SECONDS)
            row.observation = whole
        return super().purge(ids, by=by)

    def get_all(self, ids: Collection[UUID]) -> Mapping[UUID, Observation]:
        halfway = self.storage
        assert isinstance(halfway, Halfway)
        if halfway.purged not in ids or current_thread() is not halfway.reader:
            return super().get_all(ids)
        assert halfway.blanked.wait(HANG_SECONDS)
        found = super().get_all(ids)
        halfway.read.set()
        return found


class FindsTheWhole(InMemorySearch):
    """Search that makes a reader find a memory before its purge begins, and read it in the middle of the purge."""

    def find(self, query: RecallQuery) -> tuple[Hit, ...]:
        hits, halfway = super().find(query), self.observations.storage
        assert isinstance(halfway, Halfway)
        with halfway.guard:
            found = halfway.purged in {hit.observation.id for hit in hits}
            if racing() and found and halfway.reader is None:
                halfway.reader = current_thread()
                halfway.found.set()
        return hits


MUTANTS.add("a reader sees half of a purge")(ShowsHalfAPurge, FindsTheWhole, Halfway)


@MUTANTS.add("pages omit purged memories")
class LeavesOutPurged(InMemoryObservations):
    def page(self, *, after: int = 0, limit: int) -> tuple[Arrival, ...]:
        whole = super().page(after=after, limit=len(self.rows) + limit)
        return tuple(each for each in whole if not each.observation.purged)[:limit]


@MUTANTS.add("memories come in order of saving")
class AnswersAsSaved(InMemoryObservations):
    def get_all(self, ids: Collection[UUID]) -> Mapping[UUID, Observation]:
        return super().get_all([id for id in self.rows if id in ids])


@MUTANTS.add("a prefix matches in the middle of an id")
class FindsMiddles(InMemoryObservations):
    def ids(self, prefix: str, limit: int) -> list[UUID]:
        return [id for id in sorted(self.rows) if prefix in id.hex][:limit]


@MUTANTS.add("the empty prefix matches nothing")
class NoEmptyBeginning(InMemoryObservations):
    def ids(self, prefix: str, limit: int) -> Sequence[UUID]:
        return super().ids(prefix, limit) if prefix else ()


@MUTANTS.add("short ids ignore replaced memories")
class IgnoresReplaced(InMemoryObservations):
    def short_ids(self, ids: Iterable[UUID]) -> Mapping[UUID, str]:
        asked, every = list(ids), dict(self.rows)
        for id in [id for id, row in every.items() if row.observation.replaced_by and id not in asked]:
            del self.rows[id]
        short = super().short_ids(asked)
        self.rows.update(every)
        return short


@MUTANTS.add("an erase deletes the whole session")
class ErasesSessions(InMemoryObservations):
    def erase(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        sessions = {self.rows[id].observation.session for id in ids if id in self.rows} - {None}
        along = [id for id, row in self.rows.items() if row.observation.session in sessions and id not in ids]
        return super().erase([*ids, *along], by=by)[: len(ids)]


@MUTANTS.add("a journal keeps erased text")
class Journalling(BrokenStorage):
    """Storage that writes the content of each save to a file that is never emptied."""

    def observations(self, project: str) -> InMemoryObservations:
        journal, scope = self.folder / "journal", self._scope(project)

        class Journal(InMemoryObservations):
            def add(self, draft: Draft, *, id: UUID, now: datetime) -> Saved:
                with journal.open("a", encoding="utf-8") as file:
                    file.write(draft.content)
                return super().add(draft, id=id, now=now)

        return Journal(scope.project, scope.storage)


@MUTANTS.add("titles are interpolated into SQL")
class PastesText(InMemorySearch):
    """Search that interpolates titles into a query, so that a title with a quote or a bracket raises."""

    def find(self, query: Any) -> Any:
        if set("'\"(") & set(canonical(getattr(query.selector, "part", ""))):
            raise SyntaxError(query.selector.part)
        return super().find(query)


@MUTANTS.add("a scope caches its reads")
class Caching(InMemoryObservations):
    def get_all(self, ids: Collection[UUID]) -> Mapping[UUID, Observation]:
        cache: dict[UUID, Observation] = self.__dict__.setdefault("cache", {})
        return {id: cache.setdefault(id, each) for id, each in super().get_all(ids).items()}


MUTANTS.add("an erase is only a purge")(
    writing(Erase, lambda _, write: (SetStatus(ids=write.ids, at=START, purged=True),))
)
