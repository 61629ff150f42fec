"""Memories around a time."""

from datetime import datetime, timedelta
from typing import cast
from uuid import UUID

from attrs import evolve, field, frozen
from attrs.converters import optional

from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Hit
from lamella.domain.text.printing import stored_key


@frozen
class TimelineQuery:
    """Query for the observations nearest to an anchor.

    Attributes:
        anchor: Id of an observation, purged or not; or a time. Observations of exactly that time count as before
            it.
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
        """Return a storage's neighbours of an anchor."""
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
        """All observations of this part, oldest first."""
        return (*self.before, *(() if self.centre is None else (self.centre,)), *self.after)

    @property
    def has_more(self) -> bool:
        """True if there are further observations on either side."""
        return len(self.before) < self.total_before or len(self.after) < self.total_after

    def nearest(self, count: int) -> "Surroundings":
        """Keep at most `count` observations, the nearest in time to the anchor.

        Of two equally near ones, keep the earlier.
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
