"""Search for observations."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from attrs import frozen

from lamella.domain.memories.observation import Kind, Observation
from lamella.domain.memories.query import Hit, RecallQuery
from lamella.domain.memories.timeline import Neighbours, TimelineQuery


@frozen(kw_only=True)
class KindCounts:
    """Numbers of observations, keyed by kind. Kinds without observations are left out.

    Attributes:
        live: Numbers of live observations.
        purged: Numbers of purged observations.
        since: For each requested time, the numbers of live observations of that time or later.
    """

    live: Mapping[Kind, int]
    purged: Mapping[Kind, int]
    since: tuple[Mapping[Kind, int], ...]

    @classmethod
    def of(cls, observations: Sequence[Observation], since: Sequence[datetime]) -> "KindCounts":
        """Count observations; see `ObservationSearch.kinds`."""
        live = [each for each in observations if not each.purged]
        return cls(
            live=Counter(each.kind for each in live),
            purged=Counter(each.kind for each in observations if each.purged),
            since=tuple(Counter(each.kind for each in live if each.occurred_at >= time) for time in since),
        )


class ObservationSearch(Protocol):
    """Search in the observations of one project."""

    @abstractmethod
    def find(self, query: RecallQuery) -> tuple[Hit, ...]:
        """Return the best `query.limit` observations, best first. Any text is valid.

        For `ByText`, the score is BM25 over the columns and weights of `lamella.domain.search`, multiplied by the
        `kind_weight` of the observation's kind. The statistics are those of the project's live observations. Among
        equal scores, the observation that was saved later comes first. Scores agree with the in-memory storage's
        scores to nine digits, or to the last bit with `Capability.EXACT_RANKING`. The same query on the same
        observations always has the same result.

        `ByTitle` and `Recent` return the newest observations first, by `occurred_at` and then by sequence.
        `Recent` leaves out commits learned from history, unless the filters have a path. The path `.` matches
        every observation with a code change.

        `query.include_purged` adds purged observations. In a search by text, purged hits follow all live hits.
        They are ranked without context, and with the statistics of purged observations.
        """

    def count_found(self, query: RecallQuery) -> int:
        """Return the number of observations found by `find`, at most `query.limit`."""
        return len(self.find(query))

    @abstractmethod
    def around(self, query: TimelineQuery) -> Neighbours:
        """Return the observations nearest to an anchor, by `occurred_at` and then sequence.

        Raises:
            ObservationNotFoundError: No observation has this id.
        """

    def count(self, *, include_purged: bool = False) -> int:
        """Return the number of live observations, or of all observations with `include_purged`."""
        counts = self.kinds()
        return sum(counts.live.values()) + (sum(counts.purged.values()) if include_purged else 0)

    @abstractmethod
    def kinds(self, *, since: Sequence[datetime] = ()) -> KindCounts:
        """Return the numbers of observations of each kind.

        Args:
            since: Times. For each time, also count the live observations with an `occurred_at` at that time or
                later.
        """
