"""What a command of the command line works with."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve

from lamella.container import Lamella, Settings, running
from lamella.domain.errors import InvalidValueError
from lamella_adapters.settings import settings_from

if TYPE_CHECKING:
    from lamella.application.capture.drain_spool import Drained

_DRAIN_SECONDS = 5.0
"""How long a command stores what hooks have captured; the next one goes on."""


def present_settings() -> Settings:
    """The settings of this process.

    Raises:
        InvalidValueError: the folder it stands in was deleted.
    """
    try:
        directory = Path.cwd()
    except FileNotFoundError:
        raise InvalidValueError(
            name="The working directory", given="one that was deleted", allowed="a folder that exists"
        ) from None
    return settings_from(os.environ, directory)


@contextmanager
def opened(*, drain: bool = True) -> Iterator[Lamella]:
    """The use cases, until the block ends; what hooks have captured is stored before, where `drain`.

    Raises:
        LamellaError: the settings or the storage don't allow it.
    """
    # Who waits at a terminal waits for the embedder too.
    with running(evolve(present_settings(), patient=True)) as lamella:
        if drain:
            # What can't be stored waits, and the command has its own work to do; `doctor` tells.
            with suppress(Exception):
                drained(lamella)
        yield lamella


def drained(lamella: Lamella) -> "Drained | None":
    """What has become of the captures that waited, as far as time allowed; None where none did."""
    account = None
    until = time.monotonic() + _DRAIN_SECONDS
    if lamella.spool.news():
        for account in lamella.drain():
            if time.monotonic() > until:
                return account
    return account
