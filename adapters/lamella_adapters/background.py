"""Background jobs of a server: store captures, maintain indexes, sync the shared folder, update hooks' copies."""

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from threading import Event, Thread
from typing import TypeVar

from attrs import define, field

from lamella.container import Lamella, open_spool
from lamella.domain.errors import LamellaError
from lamella.ports.spool import Spool
from lamella.settings import Settings

LOOKS_EVERY_SECONDS = 1.0

Pause = Callable[[float], bool]
"""Function that waits a number of seconds, or until the server ends. Returns True if the server has ended."""

Job = Callable[[Pause], None]
"""Function that looks for work and does it. It pauses between long steps."""

_Step = TypeVar("_Step")

_logger = logging.getLogger(__name__)


def begin(settings: Settings, use: Callable[[], Lamella], *more: Job) -> "Background":
    """Start the background jobs of a server: storing the events captured by hooks, and `more`.

    Args:
        settings: Settings of the process.
        use: Opens the use cases. Raises `LamellaError` if that fails.
        more: Jobs to run after the storing of captures.
    """
    background = Background([Draining(partial(open_spool, settings), use), *more])
    background.start()
    return background


@define(eq=False)
class Background:
    """Thread that runs each job once a second while the server runs.

    After each step of long work, a job pauses as long as the step took. Otherwise calls would wait too long.

    Attributes:
        jobs: Jobs, in the order in which they run.
    """

    jobs: Sequence[Job]
    _closed: Event = field(factory=Event)

    def start(self) -> None:
        """Start the thread.

        It runs the jobs for the first time after a second, so that the server can start first.
        """
        Thread(target=self._work, name="lamella-background", daemon=True).start()

    def close(self) -> None:
        """Make the thread stop after its current step, without waiting for it."""
        self._closed.set()

    def _work(self) -> None:
        while not self._closed.wait(LOOKS_EVERY_SECONDS):
            for job in self.jobs:
                try:
                    job(self._closed.wait)
                except Exception:
                    _logger.exception("A task of the server in the background failed")


def _paced(steps: Iterable[_Step], pause: Pause) -> Iterator[_Step]:
    """Yield the steps of a long job. Pause after each step as long as it took. Stop when the server ends."""
    begun = time.monotonic()
    for step in steps:
        yield step
        if pause(time.monotonic() - begun):
            return
        begun = time.monotonic()


TRIES_AGAIN_SECONDS = 10.0
"""Pause before retrying failed captures."""


@define(eq=False)
class Draining:
    """Job to move hooks' captures from the spool into the storage.

    Attributes:
        open_spool: Returns the spool. Called by the job's first run, so as not to delay the server's start.
        use: Returns the use cases, or raises an error if they can't be opened. Called only if captures are
            pending.
    """

    open_spool: Callable[[], Spool]
    use: Callable[[], Lamella]
    _spool: Spool | None = None
    _try_again_at: float = 0.0
    """Time of the next attempt, as `time.monotonic`; 0 if there are no failed captures."""

    def __call__(self, pause: Pause) -> None:
        """Store pending captures, unless the last attempt failed less than `TRIES_AGAIN_SECONDS` ago."""
        if self._spool is None:
            self._spool = self.open_spool()
        if self._try_again_at:
            waits = time.monotonic() >= self._try_again_at
        else:
            # Don't open the storage if nothing is pending.
            waits = self._spool.news() and bool(self._spool.waiting(limit=1))
        if waits:
            self._try_again_at = time.monotonic() + TRIES_AGAIN_SECONDS
            if not self._drain(pause):
                self._try_again_at = 0.0

    def _drain(self, pause: Pause) -> bool:
        """Store pending captures. Return True if a capture could not be stored."""
        left = False
        try:
            for account in _paced(self.use().drain(), pause):
                left = account.left > 0
        except LamellaError:
            return True  # the next tool call reports the error
        return left


@define(eq=False)
class Maintaining:
    """Job to maintain indexes after a second without a call.

    Attributes:
        uses: Returns a counter that increases with each tool call.
        maintain: Runs a step of maintenance. Returns True if more may be pending.
    """

    uses: Callable[[], int]
    maintain: Callable[[], bool]
    _seen: int = 0
    _more: bool = False

    def __call__(self, pause: Pause) -> None:
        """Run steps of maintenance until no work is left or a call arrives. If a call has arrived, do nothing."""
        if self._notes_use():
            return
        while self._more and not self._notes_use():
            self._more, begun = False, time.monotonic()
            with suppress(LamellaError):  # the next tool call reports the error
                self._more = self.maintain()
            if pause(time.monotonic() - begun):
                return

    def _notes_use(self) -> bool:
        uses = self.uses()
        used = uses != self._seen
        self._seen, self._more = uses, self._more or used
        return used


LOOKS_SELDOM_SECONDS = 10.0
"""Seconds before the first check for new commits, between two checks, and before a failed copy is repeated."""

_LONGEST_SECONDS = 30.0
"""Maximum seconds between two checks for saves by other machines."""


@define(eq=False)
class Copying:
    """Job to update the copy of the memories that hooks read.

    The job copies after each call. It also checks for changes by other machines, at growing intervals.

    Attributes:
        uses: Returns a counter that increases with each tool call.
        copy: Finds the project of the server, then copies changes in steps.
    """

    uses: Callable[[], int]
    copy: Callable[[], Iterator[object]]
    _seen: int = -1
    _rest: float = 0.0
    """Seconds between the last check and the next one."""
    _next: float = 0.0
    """Time of the next check, as `time.monotonic`."""
    _failed: bool = False

    def __call__(self, pause: Pause) -> None:
        """Copy changes if a check is due, or after a call. If the last copy failed, only a due check counts."""
        now, uses = time.monotonic(), self.uses()
        used, self._seen = uses != self._seen, uses
        if now < self._next and (self._failed or not used):
            return
        self._next, self._failed = now + LOOKS_SELDOM_SECONDS, True
        changed = used
        try:
            for _ in _paced(self.copy(), pause):
                changed = True
        except LamellaError:
            return  # the next tool call reports the error
        self._rest = LOOKS_EVERY_SECONDS if changed else min(2 * self._rest, _LONGEST_SECONDS)
        self._next, self._failed = now + self._rest, False


_SLICE_SECONDS = 0.5
_PASS_SECONDS = 300.0
"""Maximum seconds to learn from commits: in one run, in which captures wait, and for one checked-out commit."""


@define(eq=False)
class Learning:
    """Job to read new commits: first after `rests` seconds, and again each time HEAD has changed.

    Attributes:
        head: Returns the id of the checked-out commit; None without a history.
        learn: Reads new commits, in steps.
        rests: Seconds before the first check of HEAD and between checks.
    """

    head: Callable[[], str | None]
    learn: Callable[[], Iterator[object]]
    rests: float = LOOKS_SELDOM_SECONDS
    _next: float | None = None
    """Time of the next check, as `time.monotonic`; None before the first run."""
    _learned: str | None = None
    _steps: Iterator[object] = field(factory=lambda: iter(()))
    _left: float = 0.0
    """Seconds left to learn from commits while the present commit is checked out."""

    def __call__(self, pause: Pause) -> None:
        """Continue to read commits, or begin again if HEAD has changed since the last check."""
        if self._left <= 0 and not self._begins():
            return
        until = time.monotonic() + _SLICE_SECONDS
        while (begun := time.monotonic()) < until:
            try:
                over = next(self._steps, self) is self
            except LamellaError:
                over = True  # try again after the next commit: memory is off, or an error occurred
            self._left = 0.0 if over else self._left - (time.monotonic() - begun)
            if self._left <= 0 or pause(time.monotonic() - begun):
                return

    def _begins(self) -> bool:
        now = time.monotonic()
        due = self._next is not None and now >= self._next
        if self._next is None or due:
            self._next = now + self.rests
        head = self.head() if due else None
        if head in (None, self._learned):
            return False
        self._learned, self._steps, self._left = head, self.learn(), _PASS_SECONDS
        return True


@define(eq=False)
class Sharing:
    """Job to sync the shared folder: at the start, and a second after a call or a change in the folder.

    Attributes:
        uses: Returns a counter that increases with each tool call.
        begins: Returns True if the server's project shares a folder. Called by the first run.
        stamp: Returns a digest of the folder's contents; empty without a folder.
        sync: Syncs in steps.
    """

    uses: Callable[[], int]
    begins: Callable[[], bool]
    stamp: Callable[[], str]
    sync: Callable[[], Iterator[object]]
    _seen: int = 0
    """Value of `uses()` at the last run."""
    _last: str = ""
    """Stamp before the last sync."""
    _due: bool | None = None

    def __call__(self, pause: Pause) -> None:
        """Sync if something may have changed. If a call has arrived since the last run, sync in the next run."""
        if self._due is None:
            self._due = False
            self._due = self.begins()
        uses, stamp = self.uses(), self.stamp()
        if uses != self._seen:
            self._seen, self._due = uses, True
        elif self._due or stamp != self._last:
            # Keep the stamp from before the sync, so that the next run notices changes made during the sync.
            self._due, self._last = False, stamp
            self._sync(pause)

    def _sync(self, pause: Pause) -> None:
        try:
            for _ in _paced(self.sync(), pause):
                pass
        except LamellaError as error:
            _logger.warning("%s", error)  # `lamella share` shows the error to the user
