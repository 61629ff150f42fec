"""The memories of a project in which nothing was saved yet, so that looking for them makes no project."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from attrs import frozen

from lamella.domain.conversations.message import Batch, Message, Session
from lamella.domain.conversations.query import MessageHit, MessageQuery
from lamella.domain.conversations.summary import Summary
from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.domain.errors import ObservationNotFoundError
from lamella.domain.ledger.file_change import FileChange, Removal
from lamella.domain.memories.ids import SHORT_ID_CHARACTERS
from lamella.domain.memories.observation import Draft, Kind, Observation
from lamella.domain.memories.query import Filters, Hit, RecallQuery
from lamella.domain.memories.timeline import Surroundings
from lamella.ports.storage.activity import Activity, ActivityLog
from lamella.ports.storage.conversations import Conversations, SummaryCache
from lamella.ports.storage.ledger import Capture, CodeLedger, Recorded
from lamella.ports.storage.observations import ObservationStorage, Saved, StatusChange
from lamella.ports.storage.search import ObservationSearch
from lamella.ports.storage.vectors import Coverage, VectorIndex


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

    def purge(self, ids: Sequence[UUID], *, now: datetime) -> tuple[StatusChange, ...]:
        """See `ObservationStorage.purge`."""
        del now
        return (StatusChange.NOT_FOUND,) * len(ids)

    def restore(self, ids: Sequence[UUID], *, now: datetime) -> tuple[StatusChange, ...]:
        """See `ObservationStorage.restore`."""
        del now
        return (StatusChange.NOT_FOUND,) * len(ids)

    def erase(self, ids: Sequence[UUID]) -> tuple[StatusChange, ...]:
        """See `ObservationStorage.erase`."""
        return (StatusChange.NOT_FOUND,) * len(ids)


class NoSearch(ObservationSearch):
    """Finds nothing."""

    __slots__ = ()

    def find(self, query: RecallQuery) -> tuple[Hit, ...]:
        """See `ObservationSearch.find`."""
        del query
        return ()

    def rarities(self, words: Sequence[str]) -> tuple[float, ...]:
        """See `ObservationSearch.rarities`."""
        return (0.0,) * len(words)

    def neighbourhood(self, id: UUID, *, each_side: int, include_purged: bool = False) -> tuple[Observation, ...]:
        """See `ObservationSearch.neighbourhood`."""
        del each_side, include_purged
        raise ObservationNotFoundError(id=str(id))

    def around(
        self, anchor: UUID | datetime, *, before: int, after: int, session: str | None = None
    ) -> Surroundings:
        """See `ObservationSearch.around`."""
        del before, after, session
        if isinstance(anchor, UUID):
            raise ObservationNotFoundError(id=str(anchor))
        return Surroundings(anchor=anchor)

    def count(self, *, include_purged: bool = False) -> int:
        """See `ObservationSearch.count`."""
        del include_purged
        return 0

    def kinds(self, *, since: datetime | None = None, purged: bool = False) -> Mapping[Kind, int]:
        """See `ObservationSearch.kinds`."""
        del since, purged
        return {}


class NoConversations(Conversations, SummaryCache):
    """Nothing was said here."""

    __slots__ = ()

    def add(self, batch: Batch) -> int:
        """Refuses.

        Raises:
            TypeError: always; there is no project that `batch` could be in.
        """
        del batch
        raise TypeError("an import needs a project")

    def known(self, keys: Collection[str]) -> frozenset[str]:
        """See `Conversations.known`."""
        del keys
        return frozenset()

    def position(self, source: str) -> str:
        """See `Conversations.position`."""
        del source
        return ""

    def messages(self, numbers: Sequence[int]) -> tuple[Message, ...]:
        """See `Conversations.messages`."""
        del numbers
        return ()

    def numbers(self, session: str) -> tuple[int, ...]:
        """See `Conversations.numbers`."""
        del session
        return ()

    def sessions(self, id: str | None = None) -> tuple[Session, ...]:
        """See `Conversations.sessions`."""
        del id
        return ()

    def count(self, *, since: datetime) -> int:
        """See `Conversations.count`."""
        del since
        return 0

    def find(self, query: MessageQuery) -> tuple[MessageHit, ...]:
        """See `Conversations.find`."""
        del query
        return ()

    def erase(self, session: str) -> int:
        """See `Conversations.erase`."""
        del session
        return 0

    def kept(self, session: str, level: int) -> Mapping[str, Summary]:
        """See `SummaryCache.kept`."""
        del session, level
        return {}

    def keep(self, session: str, level: int, summaries: Mapping[str, Summary]) -> None:
        """See `SummaryCache.keep`."""
        del session, level, summaries


class NoLedger(CodeLedger):
    """Nothing was changed here."""

    __slots__ = ()

    def record(self, captures: Sequence[Capture]) -> tuple[Recorded, ...]:
        """Refuses.

        Raises:
            TypeError: always; there is no project that `captures` could be in.
        """
        del captures
        raise TypeError("a capture needs a project")

    def known(self, requests: Collection[str]) -> frozenset[str]:
        """See `CodeLedger.known`."""
        del requests
        return frozenset()

    def names(self, path: str) -> tuple[str, ...]:
        """See `CodeLedger.names`."""
        return (path,)

    def history(self, path: str, *, limit: int) -> tuple[FileChange, ...]:
        """See `CodeLedger.history`."""
        del path, limit
        return ()

    def removals(self, path: str, fingerprints: Collection[int]) -> tuple[Removal, ...]:
        """See `CodeLedger.removals`."""
        del path, fingerprints
        return ()

    def tell(self, session: str, removal: Removal) -> bool:
        """See `CodeLedger.tell`."""
        del session, removal
        return False


class NoActivity(ActivityLog):
    """Nothing was done here."""

    __slots__ = ()

    def add(self, entries: Sequence[Activity]) -> None:
        """Refuses.

        Raises:
            TypeError: always; there is no project that `entries` could be in.
        """
        del entries
        raise TypeError("an entry needs a project")

    def since(self, moment: datetime) -> tuple[Activity, ...]:
        """See `ActivityLog.since`."""
        del moment
        return ()


@frozen
class NoVectors(VectorIndex):
    """There is nothing to embed, and nothing near to anything."""

    model: EmbeddingModel

    def adopt(self) -> None:
        """See `VectorIndex.adopt`."""

    def pending(self, *, limit: int) -> tuple[Observation, ...]:
        """See `VectorIndex.pending`."""
        del limit
        return ()

    def put(self, vectors: Mapping[Observation, Vector | None]) -> None:
        """See `VectorIndex.put`."""
        del vectors

    def nearest(
        self, vector: Vector, *, limit: int, filters: Filters, include_purged: bool = False
    ) -> tuple[Hit, ...]:
        """See `VectorIndex.nearest`."""
        del vector, limit, filters, include_purged
        return ()

    def similarities(self, vector: Vector, ids: Sequence[UUID]) -> Mapping[UUID, float]:
        """See `VectorIndex.similarities`."""
        del vector, ids
        return {}

    def coverage(self) -> Coverage:
        """See `VectorIndex.coverage`."""
        return Coverage(embedded=0, total=0)
