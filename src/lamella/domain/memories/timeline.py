"""Memories that were saved around a time."""

from datetime import datetime, timedelta
from typing import cast
from uuid import UUID

from attrs import evolve, frozen

from lamella.domain.memories.observation import Observation


@frozen(kw_only=True)
class Surroundings:
    """The nearest observations before and after an anchor.

    Attributes:
        anchor: Id of an observation, or a time.
        before: Observations before it, oldest first.
        centre: The anchor's observation, if the anchor is an id.
        after: Observations after it, oldest first.
        total_before: Number of all observations before it, shown or not.
        total_after: Number of all observations after it, shown or not.
    """

    anchor: UUID | datetime
    before: tuple[Observation, ...] = ()
    centre: Observation | None = None
    after: tuple[Observation, ...] = ()
    total_before: int = 0
    total_after: int = 0

    @property
    def shown(self) -> tuple[Observation, ...]:
        """All observations that are here, oldest first."""
        return (*self.before, *(() if self.centre is None else (self.centre,)), *self.after)

    @property
    def has_more(self) -> bool:
        """True if there are others on either side."""
        return len(self.before) < self.total_before or len(self.after) < self.total_after

    def nearest(self, count: int) -> "Surroundings":
        """Return the `count` nearest in time to the anchor, or all; of two equally near ones, the earlier."""
        others = sorted([*reversed(self.before), *self.after], key=self._away)
        near = {each.id for each in others[: max(0, count - (self.centre is not None))]}
        return evolve(
            self,
            before=tuple(each for each in self.before if each.id in near),
            centre=self.centre if count else None,
            after=tuple(each for each in self.after if each.id in near),
        )

    def _away(self, observation: Observation) -> timedelta:
        """Return how far in time an observation is from the anchor."""
        # Without its observation the anchor is a time.
        at = self.centre.occurred_at if self.centre else cast("datetime", self.anchor)
        return abs(observation.occurred_at - at)
