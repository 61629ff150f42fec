"""Background maintenance: indexes, log of recalls, ageing of captured edits, daily copies."""

from collections import deque
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from attrs import define, field

from lamella.domain.errors import LamellaError
from lamella.ports.storage.backups import Copy, Label
from lamella.ports.storage.storage import Capability, Storage
from lamella.ports.system import Clock

DAY, WEEK = timedelta(days=1), timedelta(days=7)
KEPT = {Label.DAILY: 7, Label.WEEKLY: 4}
"""Number of copies to keep of a project, for each automatic label."""

LOOKS_EVERY = timedelta(hours=1)
"""Interval between checks of all projects, and before retrying a failure."""

AGED_AT_ONCE = 20
"""Number of old captured edits that lose their lines in one step. A step takes some tens of milliseconds."""


def maintained(storage: Storage) -> None:
    """Run all pending index maintenance of a storage.

    Call this after bulk writes in a process that has no idle time.
    """
    while storage.maintain():
        pass


@define
class LookAfter:
    """Maintain a storage, one step per call.

    Attributes:
        keeps_backups: True to back up projects that have changed.
        keeps_lines: Age at which captured edits lose their lines; None to keep them forever.
        log_recalls: Writes recalled memories to the activity log. The default does nothing.
    """

    storage: Storage
    clock: Clock
    keeps_backups: bool = True
    keeps_lines: timedelta | None = None
    log_recalls: Callable[[], object] = lambda: None
    _projects: deque[str] = field(init=False, factory=deque)
    _next: datetime | None = field(init=False, default=None)

    def __call__(self) -> bool:
        """Run one step. Return True if more steps may be pending. A failed step is retried later."""
        self.log_recalls()
        if self.storage.maintain():
            return True
        now = self.clock.now()
        if self._projects:
            try:
                done = self._look_after(self._projects[0], now)
            except LamellaError:
                done = True  # the commands `status` and `doctor` report missing copies
            if done:
                self._projects.popleft()
            return bool(self._projects)
        if self._next is not None and self._next - LOOKS_EVERY <= now < self._next:
            return False
        self._next = now + LOOKS_EVERY
        self._projects.extend(each.id for each in self.storage.registry.all())
        return bool(self._projects)

    def _look_after(self, project: str, now: datetime) -> bool:
        """Run the next part of a project's maintenance. Return True if nothing remains to be done."""
        if self.keeps_lines is not None and Capability.LEDGER in self.storage.capabilities:
            before = now - self.keeps_lines
            if self.storage.ledger(project).age(before, limit=AGED_AT_ONCE):
                return False
        if self.keeps_backups and Capability.BACKUP in self.storage.capabilities:
            self._back_up(project, now)
        return True

    def _back_up(self, project: str, now: datetime) -> None:
        """Copy a project if its latest automatic copy is a day old, and delete surplus copies."""
        backups = self.storage.backups
        mine = [each for each in backups.copies() if each.project == project and each.label in KEPT]
        weekly = [each for each in mine if each.label is Label.WEEKLY]
        if _is_due(mine, DAY, now):
            made = backups.copy(project, Label.WEEKLY if _is_due(weekly, WEEK, now) else Label.DAILY)
            mine += [made] if made else []
        backups.drop(surplus(mine))


def surplus(copies: Sequence[Copy]) -> tuple[Copy, ...]:
    """Return the surplus copies of a project, oldest first.

    For each label in `KEPT`, the latest copies are kept, up to the label's number. Older copies are surplus.
    """
    labelled = {label: [each for each in copies if each.label is label] for label in KEPT}
    return tuple(each for label, count in KEPT.items() for each in labelled[label][:-count])


def _is_due(copies: Sequence[Copy], every: timedelta, now: datetime) -> bool:
    """Return True if the latest copy is older than `every`. Copies dated in the future don't count."""
    return not any(timedelta() <= now - each.at < every for each in copies)
