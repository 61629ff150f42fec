"""Search for observations."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from lamella.domain.memories.observation import Kind, Observation
from lamella.domain.memories.query import Hit, RecallQuery
from lamella.domain.memories.timeline import Surroundings


class ObservationSearch(Protocol):
    """Search in the observations of one project."""

    __slots__ = ()

    @abstractmethod
    def find(self, query: RecallQuery) -> tuple[Hit, ...]:
        """The best `query.limit` observations, best first; empty where nothing matches. No text raises.

        By text: the BM25 score over the columns and weights of `lamella.domain.search`, statistics of the live
        observations of this project alone; equal scores: the later saved first. By title, and recent: newest
        first, by moment and then sequence. With `include_purged` purged ones take part; by text they follow all
        live hits, ranked by the statistics of the purged ones alone and without context, and never touch live
        statistics. The path `.` passes whatever has a code change.
        """

    @abstractmethod
    def rarities(self, words: Sequence[str]) -> tuple[float, ...]:
        """Return the inverse document frequency of each of `words` in the live observations.

        `ln(1 + (N - n + 0.5) / (n + 0.5))` for a word that `n` of `N` observations contain, in any column of the
        index; of a word that the index splits, that of its rarest part; 0 where none of its parts is anywhere.
        """

    @abstractmethod
    def neighbourhood(self, id: UUID, *, each_side: int, include_purged: bool = False) -> tuple[Observation, ...]:
        """The observation and up to `each_side` before and after it in its session, oldest first.

        In the whole project if it has no session.

        Raises:
            ObservationNotFoundError: there is none with this id.
        """

    @abstractmethod
    def around(
        self, anchor: UUID | datetime, *, before: int, after: int, session: str | None = None
    ) -> Surroundings:
        """Up to `before` live observations before `anchor` and `after` after it, and how many there are in all.

        Ordered by moment and then sequence. What was saved exactly at a moment is before it; an observation is
        neither before nor after itself. With `session` only its observations are neighbours, of whichever session
        the anchor is.

        Raises:
            ObservationNotFoundError: no live observation has the id.
        """

    @abstractmethod
    def count(self, *, include_purged: bool = False) -> int:
        """Return the number of observations."""

    @abstractmethod
    def kinds(self, *, since: datetime | None = None, purged: bool = False) -> Mapping[Kind, int]:
        """Return the number of live, or of purged, observations of each kind that has any.

        With `since` only those whose moment is not before it.
        """
