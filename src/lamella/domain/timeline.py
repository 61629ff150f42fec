"""What was saved around a moment."""

from datetime import datetime
from uuid import UUID

from attrs import evolve, frozen

from lamella.domain.observation import Observation


@frozen(kw_only=True)
class Surroundings:
    """The nearest observations before and after an anchor, each side oldest first.

    `centre` is the anchor's observation where it is the id of one. The totals count all that there is on a side,
    shown or not.
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
        """Whether there are others on either side."""
        return len(self.before) < self.total_before or len(self.after) < self.total_after

    def nearest(self, count: int) -> "Surroundings":
        """The `count` that are nearest to the anchor, or all; of two that are equally near, the earlier one."""
        sides = max(0, count - (self.centre is not None))
        before = min(len(self.before), max((sides + 1) // 2, sides - len(self.after)))
        return evolve(
            self,
            before=self.before[len(self.before) - before :],
            centre=self.centre if count else None,
            after=self.after[: sides - before],
        )
