"""Settings, use cases and call context of a command."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve

from lamella.container import Lamella, running
from lamella.domain.call import USER, Call
from lamella.domain.errors import AdvisedError, InvalidValueError, LamellaError, MemoryOffError
from lamella_adapters.process.commands import typed
from lamella_adapters.process.installation import install_command
from lamella_adapters.process.settings import caller_from, settings_from

if TYPE_CHECKING:
    from lamella.application.capture.drained import Drained

_DRAIN_SECONDS = 5.0
"""Time limit of a command for draining the spool. The next command continues."""


def present_directory() -> Path:
    """Return the working directory.

    Raises:
        InvalidValueError: The working directory was deleted.
    """
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise InvalidValueError(
            name="The working directory", given="a deleted folder", allowed="a folder that exists"
        ) from None


def from_here(path: str) -> str:
    """Convert a user's path, relative to the working directory, to an absolute path."""
    return os.path.normpath(present_directory() / path)


def decoded(text: bytes) -> str:
    """Decode a user's text.

    Raises:
        InvalidValueError: The text isn't UTF-8, or has NUL characters, as UTF-16 has.
    """
    with suppress(UnicodeDecodeError):
        if b"\0" not in text:
            return text.decode()
    raise InvalidValueError(
        name="text", given="text that isn't UTF-8, or has NUL characters", allowed="UTF-8 without NUL characters"
    )


def project_option(project: str | None) -> str:
    """Return ` --project NAME` for the end of a printed command, or "" without a project."""
    return f" --project {typed(project)}" if project else ""


_COPY_SECONDS = 2.0
"""Time limit of a command for copying memories for hooks."""


@contextmanager
def opened(project: str | None = None, *, drain: bool = True) -> Iterator[tuple[Lamella, Call]]:
    """Open the use cases, and create the call context of the command.

    Args:
        project: The project named on the command line.
        drain: True to first store pending captures of hooks.

    Raises:
        LamellaError: The settings are invalid, or the storage can't be opened.
    """
    directory = present_directory()
    # Wait for the embedder (`patient`), because a command has no later call that could use it.
    with running(evolve(settings_from(os.environ), patient=True)) as lamella:
        call = caller_from(os.environ, directory, actor=USER).call(project=project)
        if drain:
            # If captures can't be stored, run the command anyway. `doctor` reports the failure.
            with suppress(Exception):
                drained(lamella)
        try:
            yield lamella, call
        except MemoryOffError as error:
            raise evolve(error, advice=f"{error.advice}{project_option(project)}") from error
        # Update the copy now. Running servers update it too, but only at their next background run.
        with suppress(LamellaError):
            _copied(lamella, call)


def _copied(lamella: Lamella, call: Call) -> None:
    """Update the copy of this machine's projects that hooks read, within the time limit."""
    if lamella.hook_copy is None:
        return
    until = time.monotonic() + _COPY_SECONDS
    lamella.projects.everywhere(call)
    for _ in lamella.keep_hook_copy():
        if time.monotonic() > until:
            return


def drained(lamella: Lamella) -> "Drained | None":
    """Store pending captures, within the time limit. Return a report; None if there were no captures."""
    account = None
    until = time.monotonic() + _DRAIN_SECONDS
    if lamella.spool.news():
        for account in lamella.drain():
            if time.monotonic() > until:
                return account
    return account


@contextmanager
def needing(extra: str, *modules: str, reason: str, advice: str = "Install it with") -> Iterator[None]:
    """Within the block, turn a missing module into advice on how to install its extra.

    Raises:
        AdvisedError: A module is missing.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name not in modules:
            raise
        raise AdvisedError(reason=reason, advice=f"{advice}: {install_command(extra)}") from None
