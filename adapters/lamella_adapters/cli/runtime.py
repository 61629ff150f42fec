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
"""Time limit of a command for draining the spool; the next one continues."""


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
    """Return a user's path, relative to the working directory, as an absolute one."""
    return os.path.normpath(present_directory() / path)


_COPY_SECONDS = 2.0
"""Time limit of a command for copying memories for hooks."""


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
    # A user at a terminal waits for the embedder too.
    with running(evolve(settings_from(os.environ), patient=True)) as lamella:
        call = caller_from(os.environ, directory, actor=USER).call(project=project)
        if drain:
            # A failed capture waits, and the command has its own work to do; `doctor` reports it.
            with suppress(Exception):
                drained(lamella)
        yield lamella, call
        # A running server does this in its next look, too.
        with suppress(LamellaError):
            _copied(lamella, call)


def _copied(lamella: Lamella, call: Call) -> None:
    """Copy changes in this machine's projects for hooks, within the time limit."""
    if lamella.hook_copy is None:
        return
    until = time.monotonic() + _COPY_SECONDS
    lamella.projects.everywhere(call)
    for _ in lamella.keep_hook_copy():
        if time.monotonic() > until:
            return


def drained(lamella: Lamella) -> "Drained | None":
    """Store pending captures, within the time limit. Return None without any."""
    account = None
    until = time.monotonic() + _DRAIN_SECONDS
    if lamella.spool.news():
        for account in lamella.drain():
            if time.monotonic() > until:
                return account
    return account


@contextmanager
def needing(extra: str, *modules: str, reason: str, advice: str = "Install it with") -> Iterator[None]:
    """Report how to install an extra if one of its modules is missing.

    Raises:
        AdvisedError: A module is missing.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name not in modules:
            raise
        raise AdvisedError(reason=reason, advice=f"{advice}: {install_command(extra)}") from None
