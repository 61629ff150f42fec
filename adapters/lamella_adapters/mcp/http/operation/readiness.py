"""Readiness of the server for requests."""

import time
from contextlib import suppress
from threading import Lock

from attrs import define, field

from lamella.domain.errors import LamellaError, StorageFullError, StorageReadOnlyError, UnknownProjectError
from lamella.ports.storage.storage import Storage
from lamella.ports.storage.waiting import one_call

_SECONDS = 1.0
"""Time for which an answer is repeated: anybody may ask, and the storage should not feel it."""

_UNSAVED_SECONDS = 30.0
"""Time after a save that found a full or read-only storage, in which others are sent elsewhere."""

_NO_PROJECT = "\N{SYMBOL FOR NULL}"
"""A name that no project has."""


@define(eq=False)
class Readiness:
    """Finds out whether calls would be answered.

    Attributes:
        storage: The storage.
        draining: True if the server is about to end.
        unsaved: Why the latest save failed, if the next one will; None if it was stored.
    """

    storage: Storage
    draining: bool = False
    unsaved: str | None = None
    _unsaved_until: float = 0.0
    _known: str | None = None
    _until: float = 0.0
    _lock: Lock = field(factory=Lock)

    def trouble(self) -> str | None:
        """Return what keeps the server from its work, in a word or a sentence; None if nothing does.

        It reads from the storage, which connects and checks its schema at its first use.
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
        """Note that a memory was saved, or why not."""
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
