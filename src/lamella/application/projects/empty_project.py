"""Null objects for a project that does not exist yet, so that reads never create one."""

# ruff: noqa: ARG002 - an empty project gives one answer, whatever it is asked

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from lamella.domain.conversations.message import Batch, Message, Session
from lamella.domain.conversations.query import MessageHit, MessageQuery
from lamella.domain.conversations.summary import Summary
from lamella.domain.embeddings.vector import Vector
from lamella.domain.errors import ObservationNotFoundError
from lamella.domain.ledger.file_change import FileChange, Removal
from lamella.domain.memories.observation import Draft, Observation
from lamella.domain.memories.query import Filters, Hit, RecallQuery
from lamella.domain.memories.timeline import Surroundings
from lamella.ports.storage.activity import Activity, ActivityLog
from lamella.ports.storage.conversations import Conversations, SummaryCache
from lamella.ports.storage.ledger import Capture, CodeLedger, Recorded
from lamella.ports.storage.observations import ObservationStorage, Saved, StatusChange
from lamella.ports.storage.search import KindCounts, ObservationSearch
from lamella.ports.storage.vectors import Coverage, Nearest, NewVector, VectorIndex


class NoObservations(ObservationStorage):
    """No observations."""

    def add(self, draft: Draft, *, id: UUID, now: datetime) -> Saved:
        """Refuse: there is no project yet.

        Raises:
            TypeError: always; create the project first.
        """
        raise TypeError("a save needs a project")

    def get_all(self, ids: Collection[UUID]) -> Mapping[UUID, Observation]:
        """See `ObservationStorage.get_all`."""
        return {}

    def starting_with(self, prefixes: Sequence[str], *, limit: int) -> Mapping[str, tuple[Hit, ...]]:
        """See `ObservationStorage.starting_with`."""
        return dict.fromkeys(prefixes, ())

    def purge(self, ids: Sequence[UUID], *, now: datetime) -> tuple[StatusChange, ...]:
        """See `ObservationStorage.purge`."""
        return (StatusChange.NOT_FOUND,) * len(ids)

    def restore(self, ids: Sequence[UUID], *, now: datetime) -> tuple[StatusChange, ...]:
        """See `ObservationStorage.restore`."""
        return (StatusChange.NOT_FOUND,) * len(ids)

    def erase(self, ids: Sequence[UUID]) -> tuple[StatusChange, ...]:
        """See `ObservationStorage.erase`."""
        return (StatusChange.NOT_FOUND,) * len(ids)


class NoSearch(ObservationSearch):
    """Search that finds nothing."""

    def find(self, query: RecallQuery) -> tuple[Hit, ...]:
        """See `ObservationSearch.find`."""
        return ()

    def rarities(self, words: Sequence[str]) -> tuple[float, ...]:
        """See `ObservationSearch.rarities`."""
        return (0.0,) * len(words)

    def neighbourhood(self, id: UUID, *, each_side: int, include_purged: bool = False) -> tuple[Hit, ...]:
        """See `ObservationSearch.neighbourhood`."""
        raise ObservationNotFoundError(id=str(id))

    def around(
        self, anchor: UUID | datetime, *, before: int, after: int, session: str | None = None
    ) -> Surroundings:
        """See `ObservationSearch.around`."""
        if isinstance(anchor, UUID):
            raise ObservationNotFoundError(id=str(anchor))
        return Surroundings(anchor=anchor)

    def count(self, *, include_purged: bool = False) -> int:
        """See `ObservationSearch.count`."""
        return 0

    def kinds(self, *, since: Sequence[datetime] = ()) -> KindCounts:
        """See `ObservationSearch.kinds`."""
        return KindCounts(live={}, purged={}, since=({},) * len(since))


class NoConversations(Conversations, SummaryCache):
    """No conversations and no summaries."""

    def add(self, batch: Batch) -> int:
        """Refuse: there is no project yet.

        Raises:
            TypeError: always; create the project first.
        """
        raise TypeError("an import needs a project")

    def known(self, keys: Collection[str]) -> frozenset[str]:
        """See `Conversations.known`."""
        return frozenset()

    def position(self, source: str) -> str:
        """See `Conversations.position`."""
        return ""

    def messages(self, numbers: Sequence[int]) -> tuple[Message, ...]:
        """See `Conversations.messages`."""
        return ()

    def numbers(self, session: str) -> tuple[int, ...]:
        """See `Conversations.numbers`."""
        return ()

    def sessions(self, id: str | None = None) -> tuple[Session, ...]:
        """See `Conversations.sessions`."""
        return ()

    def counts(self, *, since: Sequence[datetime]) -> tuple[int, ...]:
        """See `Conversations.counts`."""
        return (0,) * len(since)

    def find(self, query: MessageQuery) -> tuple[MessageHit, ...]:
        """See `Conversations.find`."""
        return ()

    def erase(self, session: str) -> int:
        """See `Conversations.erase`."""
        return 0

    def kept(self, session: str, level: int) -> Mapping[str, Summary]:
        """See `SummaryCache.kept`."""
        return {}

    def keep(self, session: str, level: int, summaries: Mapping[str, Summary]) -> None:
        """See `SummaryCache.keep`."""


class NoLedger(CodeLedger):
    """Ledger without entries."""

    def record(self, captures: Sequence[Capture]) -> tuple[Recorded, ...]:
        """Refuse: there is no project yet.

        Raises:
            TypeError: always; create the project first.
        """
        raise TypeError("a capture needs a project")

    def known(self, requests: Collection[str]) -> frozenset[str]:
        """See `CodeLedger.known`."""
        return frozenset()

    def names(self, path: str) -> tuple[str, ...]:
        """See `CodeLedger.names`."""
        return (path,)

    def history(self, path: str, *, limit: int) -> tuple[FileChange, ...]:
        """See `CodeLedger.history`."""
        return ()

    def removals(self, path: str, fingerprints: Collection[int]) -> tuple[Removal, ...]:
        """See `CodeLedger.removals`."""
        return ()

    def tell(self, session: str, removal: Removal) -> bool:
        """See `CodeLedger.tell`."""
        return False


class NoActivity(ActivityLog):
    """Log without entries."""

    def add(self, entries: Sequence[Activity]) -> None:
        """Refuse: there is no project yet.

        Raises:
            TypeError: always; create the project first.
        """
        raise TypeError("an entry needs a project")

    def since(self, moment: datetime) -> tuple[Activity, ...]:
        """See `ActivityLog.since`."""
        return ()


class NoVectors(VectorIndex):
    """No vectors, and nothing to embed."""

    def adopt(self) -> None:
        """See `VectorIndex.adopt`."""

    def pending(self, *, limit: int) -> tuple[Observation, ...]:
        """See `VectorIndex.pending`."""
        return ()

    def put(self, vectors: Sequence[NewVector]) -> None:
        """See `VectorIndex.put`."""

    def nearest(
        self,
        vector: Vector,
        *,
        limit: int,
        filters: Filters,
        include_purged: bool = False,
        compared: Collection[UUID] = (),
    ) -> Nearest:
        """See `VectorIndex.nearest`."""
        return Nearest()

    def coverage(self) -> Coverage:
        """See `VectorIndex.coverage`."""
        return Coverage(embedded=0, total=0)
