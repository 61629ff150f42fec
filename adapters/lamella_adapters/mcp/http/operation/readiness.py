"""Readiness of the server, for load balancers."""

import time
from contextlib import suppress
from threading import Lock

from attrs import define, field

from lamella.domain.errors import LamellaError, StorageFullError, StorageReadOnlyError, UnknownProjectError
from lamella.ports.storage.storage import Storage
from lamella.ports.storage.waiting import one_call

_SECONDS = 1.0
"""Seconds to cache a result. Anybody can call `/readyz`. Without the cache, each call would read the storage."""

_UNSAVED_SECONDS = 30.0
"""Seconds to report "not ready" after a save failed on a full or read-only storage."""

_NO_PROJECT = "\N{SYMBOL FOR NULL}"
"""Name that no project has. The check looks this name up, only to read from the storage."""


@define(eq=False)
class Readiness:
    """Readiness check.

    Attributes:
        storage: Storage to check.
        draining: True while the server is shutting down.
        unsaved: Error of the latest save if the storage is full or read-only; None after a successful save.
    """

    storage: Storage
    draining: bool = False
    unsaved: str | None = None
    _unsaved_until: float = 0.0
    _known: str | None = None
    _until: float = 0.0
    _lock: Lock = field(factory=Lock)

    def trouble(self) -> str | None:
        """Return the reason why the server isn't ready; None if it is.

        The check reads from the storage. The first read also connects and checks the schema.
        """
        if self.draining:
            return "draining"
        if self.unsaved is not None and time.monotonic() < self._unsaved_until:
            return self.unsaved
        with self._lock:
            if time.monotonic() >= self._until:
                self._known = self._found()
                self._until = time.monotonic() + _SECONDS
            return self._known

    def note_save(self, error: BaseException | None = None) -> None:
        """Record a successful save, or the error of a failed save."""
        if error is None:
            self.unsaved = None
        elif isinstance(error, StorageFullError | StorageReadOnlyError):
            self.unsaved, self._unsaved_until = str(error), time.monotonic() + _UNSAVED_SECONDS

    def _found(self) -> str | None:
        try:
            with one_call(), suppress(UnknownProjectError):
                self.storage.registry.named(_NO_PROJECT)
        except LamellaError as error:
            return str(error)
        return None
