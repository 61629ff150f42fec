"""Asking git, with a time limit and no side effects."""

import contextlib
import os
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from subprocess import DEVNULL, PIPE
from typing import IO

from attrs import field, frozen

_MAX_OUTPUT_BYTES = 4 * 1024 * 1024
"""Where reading stops: a patch of more than this is mostly left out anyway."""

_GRACE_SECONDS = 1.0
"""How long a killed process may take to go, for example on a dead network file system."""

# `status` and `diff` run what a repository's own configuration names, so that much is turned off: the file-system
# monitor, hooks, and fetching missing objects of a partial clone (no transport is allowed). Clean filters stay:
# without them every file kept by git-lfs would seem changed. `safe.directory` stays as well: in a repository of
# another owner git refuses to work, as it should, and paths have no counts. A bare repository that came as files
# of another one is not entered.
_SETTINGS = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "diff.autoRefreshIndex=false",  # else `diff` takes the lock that a commit under way may need
    "safe.bareRepository=explicit",
)
_ENVIRONMENT = {
    "LC_ALL": "C",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}


class GitFailedError(Exception):
    """Git has failed, is missing or takes too long."""


@frozen
class Git:
    """The git program at work in `folder` until `deadline`, a reading of the monotonic clock in seconds."""

    program: str
    folder: str
    deadline: float
    environment: Mapping[str, str] = field(factory=dict)

    def ask(self, *arguments: str, given: bytes = b"") -> bytes | None:
        """What git prints, at most its first 4 MiB; None if it fails, is missing or takes too long."""
        answer = self._run(arguments, given)
        return answer[0] if answer and answer[1] else None

    def ask_anyway(self, *arguments: str, given: bytes = b"") -> bytes:
        """What git prints, even if it then fails; it can read `given` on its standard input."""
        answer = self._run(arguments, given)
        return answer[0] if answer else b""

    def stream(self, *arguments: str, given: bytes = b"") -> Iterator[bytes]:
        """What git prints, piece by piece, however much it is; it can read `given` on its standard input.

        Raises:
            GitFailedError: it fails, is missing or takes too long.
        """
        process = self._start(arguments, given)
        if process is None:
            raise GitFailedError
        try:
            descriptor = _stdout(process).fileno()
            while piece := self._piece(descriptor):
                yield piece
            if piece is None or self._code(process) != 0:
                raise GitFailedError
        finally:
            _end(process)

    def _run(self, arguments: tuple[str, ...], given: bytes = b"") -> tuple[bytes, bool] | None:
        process = self._start(arguments, given)
        if process is None:
            return None
        try:
            return self._read(process)
        finally:
            _end(process)

    def _start(self, arguments: tuple[str, ...], given: bytes = b"") -> subprocess.Popen[bytes] | None:
        settings = (part for setting in _SETTINGS for part in ("-c", setting))
        command = [self.program, "-C", self.folder, "--no-pager", "--literal-pathspecs", *settings, *arguments]
        # No inherited `GIT_…` variable: see `location`.
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        with tempfile.TemporaryFile() as standard_input:
            standard_input.write(given)
            standard_input.seek(0)
            try:
                # A group of its own, so that what git started ends with it.
                return subprocess.Popen(  # noqa: S603 - a list, no shell; the program is the driver's setting
                    command,
                    stdin=standard_input if given else DEVNULL,
                    stdout=PIPE,
                    stderr=DEVNULL,
                    env={**inherited, **_ENVIRONMENT, **self.environment},
                    process_group=0,
                )
            except (OSError, ValueError):
                return None

    def _read(self, process: subprocess.Popen[bytes]) -> tuple[bytes, bool] | None:
        """The output, and whether it can be trusted: the process succeeded, or had more to say than we read."""
        output = bytearray()
        descriptor = _stdout(process).fileno()
        while len(output) < _MAX_OUTPUT_BYTES:
            piece = self._piece(descriptor)
            if piece is None:
                return None
            if not piece:
                code = self._code(process)
                return None if code is None else (bytes(output), code == 0)
            output += piece
        return bytes(output), True

    def _piece(self, descriptor: int) -> bytes | None:
        """What can be read next, empty at the end; None if that takes too long."""
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        ready = poll.poll(max(0.0, self.deadline - time.monotonic()) * 1000)
        return os.read(descriptor, 64 * 1024) if ready else None

    def _code(self, process: subprocess.Popen[bytes]) -> int | None:
        try:
            return process.wait(max(0.0, self.deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            return None


def _stdout(process: subprocess.Popen[bytes]) -> IO[bytes]:
    assert process.stdout is not None  # noqa: S101 - it was opened as a pipe
    return process.stdout


def _end(process: subprocess.Popen[bytes]) -> None:
    _stdout(process).close()
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE_SECONDS)
