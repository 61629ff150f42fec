"""The settings, the use cases and the call of a command."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve

from lamella.container import Lamella, running
from lamella.domain.call import USER, Call
from lamella.domain.errors import AdvisedError, InvalidValueError, LamellaError
from lamella_adapters.process.installation import install_command
from lamella_adapters.process.settings import caller_from, settings_from

if TYPE_CHECKING:
    from lamella.application.capture.drained import Drained

_DRAIN_SECONDS = 5.0
"""Longest time that a command drains the spool; the next one goes on."""


def present_directory() -> Path:
    """Return the working directory.

    Raises:
        InvalidValueError: It was deleted.
    """
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise InvalidValueError(
            name="The working directory", given="one that was deleted", allowed="a folder that exists"
        ) from None


def from_here(path: str) -> str:
    """Return a path that a person gave, which is relative to the working directory, as an absolute one."""
    return os.path.normpath(present_directory() / path)


_COPY_SECONDS = 2.0
"""Longest time that a command copies memories for hooks."""


@contextmanager
def opened(project: str | None = None, *, drain: bool = True) -> Iterator[tuple[Lamella, Call]]:
    """Open the use cases, and make the call of the command.

    Args:
        project: Project that the command names.
        drain: Store first what hooks have captured.

    Raises:
        LamellaError: The settings or the storage don't allow it.
    """
    directory = present_directory()
    # Who waits at a terminal waits for the embedder too.
    with running(evolve(settings_from(os.environ), patient=True)) as lamella:
        call = caller_from(os.environ, directory, actor=USER).call(project=project)
        if drain:
            # What can't be stored waits, and the command has its own work to do; `doctor` tells.
            with suppress(Exception):
                drained(lamella)
        yield lamella, call
        # The server's next look does it too, if there is one.
        with suppress(LamellaError):
            _copied(lamella, call)


def _copied(lamella: Lamella, call: Call) -> None:
    """Copy for hooks what has changed in this machine's projects, as far as time allows."""
    if lamella.hook_copy is None:
        return
    until = time.monotonic() + _COPY_SECONDS
    lamella.projects.everywhere(call)
    for _ in lamella.keep_hook_copy():
        if time.monotonic() > until:
            return


def drained(lamella: Lamella) -> "Drained | None":
    """Store the captures that wait, as far as time allows. Return None if none waited."""
    account = None
    until = time.monotonic() + _DRAIN_SECONDS
    if lamella.spool.news():
        for account in lamella.drain():
            if time.monotonic() > until:
                return account
    return account


@contextmanager
def needing(extra: str, *modules: str, reason: str, advice: str = "Install it with") -> Iterator[None]:
    """Say how to install an extra if one of its modules is missing.

    Raises:
        AdvisedError: One is.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name not in modules:
            raise
        raise AdvisedError(reason=reason, advice=f"{advice}: {install_command(extra)}") from None
