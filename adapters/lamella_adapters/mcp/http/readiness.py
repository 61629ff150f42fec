"""Readiness of the server for requests."""

import time
from contextlib import suppress
from threading import Lock

from attrs import define, field

from lamella.domain.errors import LamellaError, UnknownProjectError
from lamella.ports.storage.storage import Storage
from lamella.ports.storage.waiting import one_call

_SECONDS = 1.0
"""Time for which an answer is repeated: anybody may ask, and the storage should not feel it."""

_NO_PROJECT = "\N{SYMBOL FOR NULL}"
"""A name that no project has."""


@define(eq=False)
class Readiness:
    """Finds out whether calls would be answered.

    Attributes:
        storage: The storage.
        draining: True if the server is about to end.
    """

    storage: Storage
    draining: bool = False
    _known: str | None = None
    _until: float = 0.0
    _lock: Lock = field(factory=Lock)

    def trouble(self) -> str | None:
        """Return what keeps the server from its work, in a word or a sentence; None if nothing does.

        It reads from the storage, which connects and checks its schema at its first use.
        """
        if self.draining:
            return "draining"
        with self._lock:
            if time.monotonic() >= self._until:
                self._known = self._found()
                self._until = time.monotonic() + _SECONDS
            return self._known

    def _found(self) -> str | None:
        try:
            with one_call(), suppress(UnknownProjectError):
                self.storage.registry.named(_NO_PROJECT)
        except LamellaError as error:
            return str(error)
        return None
