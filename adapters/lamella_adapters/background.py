"""Work of a server by itself: drain captures, tidy indexes, sync the shared folder, copy for hooks, learn."""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from threading import Event, Thread

from attrs import define, field

from lamella.container import Lamella, open_spool
from lamella.domain.errors import LamellaError
from lamella.ports.spool import Spool
from lamella.settings import Settings

LOOKS_EVERY_SECONDS = 1.0

Pause = Callable[[float], bool]
"""Waits so many seconds, or until serving ends. Returns True if it has ended."""

Job = Callable[[Pause], None]
"""Looks for work and does it. Between long steps it pauses."""

_logger = logging.getLogger(__name__)


def begin(settings: Settings, use: Callable[[], Lamella], *more: Job) -> "Background":
    """Start the background work of a server: store what hooks captured, and do further jobs.

    Args:
        settings: Settings of the process.
        use: Opens the use cases. Raises `LamellaError` if that fails.
        more: The further jobs.
    """
    background = Background([Draining(partial(open_spool, settings), use), *more])
    background.start()
    return background


@define(eq=False)
class Background:
    """Thread that runs jobs every second while the server runs.

    Between the steps of long work a job pauses for as long as the step took, which leaves that time to calls.

    Attributes:
        jobs: Jobs, in their order.
    """

    jobs: Sequence[Job]
    _closed: Event = field(factory=Event)

    def start(self) -> None:
        """Start the thread. Its first look comes after a second, when the server had time to start."""
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
                    _logger.exception("What the server does by itself failed")


TRIES_AGAIN_SECONDS = 10.0
"""Pause before captures that could not be stored are tried again."""


@define(eq=False)
class Draining:
    """Job that stores the captures in a spool.

    Attributes:
        open_spool: Returns the spool. The first look calls it, because the client waits for the server's start.
        use: Returns the use cases, or raises why there are none. It is not called before there is something to
            store.
    """

    open_spool: Callable[[], Spool]
    use: Callable[[], Lamella]
    _spool: Spool | None = None
    _try_again_at: float = 0.0
    """Reading of `time.monotonic`; 0 if nothing is left."""

    def __call__(self, pause: Pause) -> None:
        """Store what waits, unless storing failed a moment ago."""
        if self._spool is None:
            self._spool = self.open_spool()
        if self._try_again_at:
            waits = time.monotonic() >= self._try_again_at
        else:
            # Storage stays closed if nothing waits.
            waits = self._spool.news() and bool(self._spool.waiting(limit=1))
        if waits:
            self._try_again_at = time.monotonic() + TRIES_AGAIN_SECONDS
            if not self._drain(pause):
                self._try_again_at = 0.0

    def _drain(self, pause: Pause) -> bool:
        """Store what waits. Return True if something could not be stored."""
        left = False
        try:
            begun = time.monotonic()
            for account in self.use().drain():
                left = account.left > 0
                if pause(time.monotonic() - begun):
                    return False
                begun = time.monotonic()
        except LamellaError:
            return True  # the next call of a tool says what is wrong
        return left


@define(eq=False)
class Tidying:
    """Job that maintains indexes when a second has passed without a call.

    Attributes:
        uses: Returns how often the use cases were asked for.
        tidy: Runs a step of maintenance. Returns True if more may be pending.
    """

    uses: Callable[[], int]
    tidy: Callable[[], bool]
    _seen: int = 0
    _more: bool = False

    def __call__(self, pause: Pause) -> None:
        """Run steps until none is left or a call comes. The first look after a call only notes the call."""
        if self._notes_use():
            return
        while self._more and not self._notes_use():
            begun = time.monotonic()
            self._more = self.tidy()
            if pause(time.monotonic() - begun):
                return

    def _notes_use(self) -> bool:
        uses = self.uses()
        used = uses != self._seen
        self._seen, self._more = uses, self._more or used
        return used


LOOKS_SELDOM_SECONDS = 10.0
"""Time between two looks for what others have saved while nobody works here."""

_AT_WORK_SECONDS = 60.0
"""Time after a call or a capture in which each look counts."""


@define(eq=False)
class Copying:
    """Job that keeps the copy that hooks read: at each look while somebody works here, seldom otherwise.

    Attributes:
        uses: Returns how often the use cases were asked for.
        copy: Copies what has changed, in steps. It finds the project of the server first.
    """

    uses: Callable[[], int]
    copy: Callable[[], Iterator[object]]
    _seen: int = -1
    _used_at: float = 0.0
    _next: float = 0.0
    """Readings of `time.monotonic`."""
    _failed: bool = False

    def __call__(self, pause: Pause) -> None:
        """Copy what has changed, unless that failed or was looked for a moment ago."""
        now, uses = time.monotonic(), self.uses()
        if uses != self._seen:
            self._seen, self._used_at = uses, now
        at_work = now - self._used_at <= _AT_WORK_SECONDS
        if now < self._next and (self._failed or not at_work):
            return
        self._next, self._failed = now + LOOKS_SELDOM_SECONDS, True
        begun = time.monotonic()
        try:
            for _ in self.copy():
                if pause(time.monotonic() - begun):
                    return
                begun = time.monotonic()
        except LamellaError:
            return  # the next call of a tool says what is wrong
        self._failed = False


_SLICE_SECONDS = 0.5
_PASS_SECONDS = 300.0
"""Work on commits at one look, so that captures don't wait, and on all commits of one state of the history."""


@define(eq=False)
class Learning:
    """Job that learns from commits: some time after the start, and when others are checked out.

    Attributes:
        head: Returns what is checked out; None if there is no history.
        learn: Learns from the commits that are new, in steps.
        rests: Seconds before the first look and between looks.
    """

    head: Callable[[], str | None]
    learn: Callable[[], Iterator[object]]
    rests: float = LOOKS_SELDOM_SECONDS
    _next: float | None = None
    """Reading of `time.monotonic`; None before the first call."""
    _learned: str | None = None
    _steps: Iterator[object] = field(factory=lambda: iter(()))
    _left: float = 0.0
    """Seconds that the pass may still take."""

    def __call__(self, pause: Pause) -> None:
        """Go on with the present pass. Begin one if the history has changed since the last."""
        if self._left <= 0 and not self._begins():
            return
        until = time.monotonic() + _SLICE_SECONDS
        while (begun := time.monotonic()) < until:
            try:
                over = next(self._steps, self) is self
            except LamellaError:
                over = True  # memory is off, or nothing can be stored or read: another commit is another try
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
    """Job that syncs the shared folder: at the start, and when a second has passed since a call or a change of it.

    Attributes:
        uses: Returns how often the use cases were asked for.
        begins: Returns True if a folder is shared where the server runs. The first look calls it.
        stamp: Returns the stamp of the folder, empty if none is shared.
        sync: Syncs in steps.
    """

    uses: Callable[[], int]
    begins: Callable[[], bool]
    stamp: Callable[[], str]
    sync: Callable[[], Iterator[object]]
    _seen: int = 0
    """Uses at the last look."""
    _last: str = ""
    """Stamp before the last sync."""
    _due: bool | None = None

    def __call__(self, pause: Pause) -> None:
        """Sync if something may have changed. The first look after a call only notes the call."""
        if self._due is None:
            self._due = False
            self._due = self.begins()
        uses, stamp = self.uses(), self.stamp()
        if uses != self._seen:
            self._seen, self._due = uses, True
        elif self._due or stamp != self._last:
            # Of before the sync: what changes during it, its own files too, is looked at once more.
            self._due, self._last = False, stamp
            self._sync(pause)

    def _sync(self, pause: Pause) -> None:
        begun = time.monotonic()
        try:
            for _ in self.sync():
                if pause(time.monotonic() - begun):
                    return
                begun = time.monotonic()
        except LamellaError as error:
            _logger.warning("%s", error)  # `lamella share` says it to a person
