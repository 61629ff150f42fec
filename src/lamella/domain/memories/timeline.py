"""Memories around a time."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from math import inf
from typing import Any, cast
from uuid import UUID

from attrs import evolve, field, frozen
from attrs.converters import optional

from lamella.domain.memories.errors import ObservationNotFoundError
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Hit, Match
from lamella.domain.text.printing import stored_key

Hits = Callable[[Sequence[Observation], Match], Sequence[Hit]]
"""Function that makes hits from observations."""


@frozen
class TimelineQuery:
    """Query for the observations nearest to an anchor.

    Attributes:
        anchor: Id of an observation, purged or not; or a time. Observations of exactly that time count as before
            the anchor.
        before: Maximum number of observations before the anchor.
        after: Maximum number of observations after the anchor.
        session: Return only observations of this session; None for all.
        include_purged: True to include purged neighbours.
    """

    anchor: UUID | datetime
    before: int = field(kw_only=True)
    after: int = field(kw_only=True)
    session: str | None = field(default=None, converter=optional(stored_key), kw_only=True)
    include_purged: bool = field(default=False, kw_only=True)


@frozen(kw_only=True)
class Neighbours:
    """Hits directly before and after an anchor, as found by a storage.

    Attributes:
        before: Nearest hits before the anchor, oldest first, with `Match.NEIGHBOUR`.
        centre: Observation of the anchor with `Match.ID`; None if the anchor is a time.
        after: Nearest hits after the anchor, oldest first.
        total_before: Number of all observations before the anchor.
        total_after: Number of all observations after the anchor.
    """

    before: tuple[Hit, ...] = ()
    centre: Hit | None = None
    after: tuple[Hit, ...] = ()
    total_before: int = 0
    total_after: int = 0

    @classmethod
    def of(cls, oldest_first: Sequence[Observation], query: TimelineQuery, hits: Hits) -> "Neighbours":
        """Return the answer to a query, for storages that compare in Python.

        Args:
            oldest_first: All observations, sorted by `occurred_at`, then by sequence.
            query: The query.
            hits: Function that makes hits of observations.

        Raises:
            ObservationNotFoundError: No observation has the anchor's id.
        """
        places: dict[object, Any] = {each.id: (each.occurred_at, each.sequence) for each in oldest_first}
        if isinstance(query.anchor, UUID) and query.anchor not in places:
            raise ObservationNotFoundError(id=str(query.anchor))
        at = places.get(query.anchor, (query.anchor, inf))
        seen = [each for each in oldest_first if query.include_purged or not each.purged]
        seen = [each for each in seen if query.session in (None, each.session)]
        earlier = [each for each in seen if places[each.id] < at]
        later = [each for each in seen if places[each.id] > at]
        return cls(
            before=tuple(hits(earlier[max(0, len(earlier) - query.before) :], Match.NEIGHBOUR)),
            centre=next(iter(hits([each for each in oldest_first if each.id == query.anchor], Match.ID)), None),
            after=tuple(hits(later[: query.after], Match.NEIGHBOUR)),
            total_before=len(earlier),
            total_after=len(later),
        )


@frozen(kw_only=True)
class Surroundings:
    """The nearest observations before and after an anchor.

    Attributes:
        anchor: Id of an observation, or a time.
        before: Observations before the anchor, oldest first.
        centre: The anchor's observation, if the anchor is an id.
        after: Observations after the anchor, oldest first.
        total_before: Number of all observations before the anchor, shown or not.
        total_after: Number of all observations after the anchor, shown or not.
    """

    anchor: UUID | datetime
    before: tuple[Observation, ...] = ()
    centre: Observation | None = None
    after: tuple[Observation, ...] = ()
    total_before: int = 0
    total_after: int = 0

    @classmethod
    def of(cls, anchor: UUID | datetime, found: Neighbours) -> "Surroundings":
        """Return the neighbours that a storage has found around an anchor as `Surroundings`."""
        return cls(
            anchor=anchor,
            before=tuple(hit.observation for hit in found.before),
            centre=None if found.centre is None else found.centre.observation,
            after=tuple(hit.observation for hit in found.after),
            total_before=found.total_before,
            total_after=found.total_after,
        )

    @property
    def shown(self) -> tuple[Observation, ...]:
        """The anchor's observation and the observations around it, oldest first."""
        return (*self.before, *(() if self.centre is None else (self.centre,)), *self.after)

    @property
    def has_more(self) -> bool:
        """True if there are further observations on either side."""
        return len(self.before) < self.total_before or len(self.after) < self.total_after

    def nearest(self, count: int) -> "Surroundings":
        """Keep at most `count` observations, the nearest in time to the anchor.

        Of two equally near observations, keep the earlier.
        """
        others = sorted([*reversed(self.before), *self.after], key=self._away)
        near = {each.id for each in others[: max(0, count - (self.centre is not None))]}
        return evolve(
            self,
            before=tuple(each for each in self.before if each.id in near),
            centre=self.centre if count else None,
            after=tuple(each for each in self.after if each.id in near),
        )

    def _away(self, observation: Observation) -> timedelta:
        """Return the time between an observation and the anchor."""
        # Without a centre, the anchor is a time.
        at = self.centre.occurred_at if self.centre else cast("datetime", self.anchor)
        return abs(observation.occurred_at - at)
