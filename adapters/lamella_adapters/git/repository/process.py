"""Git processes with a time limit and without side effects."""

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Generator, Mapping
from subprocess import DEVNULL, PIPE
from typing import IO

from attrs import field, frozen

from lamella_adapters.git.repository import safe
from lamella_adapters.git.repository.locate import find

_MAX_OUTPUT_BYTES = 4 * 1024 * 1024
"""Maximum output of `ask`. Most of a larger patch would not be stored anyway."""

_GRACE_SECONDS = 1.0
"""Time for a killed process to end. Ending may take long, for example on a dead network file system."""

_FILTERING = frozenset({"diff", "diff-index"})
"""Git commands used here that run the repository's filters on files of the working tree."""

_HEARD = "lamella.heard"
"""Name of a setting passed to git in environment variables. Only git 2.31 and later versions list this setting."""


class GitFailedError(Exception):
    """Git failed, is missing or takes too long."""


@frozen
class Git:
    """The git program, run in one folder.

    Attributes:
        program: The name or path of the program.
        folder: The folder that git works in.
        deadline: Monotonic time in seconds at which processes are killed.
        environment: Further environment variables. Inherited variables are passed on, except `GIT_…` variables.
    """

    program: str
    folder: str
    deadline: float
    environment: Mapping[str, str] = field(factory=dict)

    def ask(self, *arguments: str, given: bytes = b"") -> bytes | None:
        """Return git's output, truncated to 4 MiB; None if git fails, is missing or takes too long.

        Args:
            arguments: The command and its options.
            given: The standard input of the command.
        """
        try:
            return _beginning(self.stream(*arguments, given=given))
        except GitFailedError:
            return None

    def ask_anyway(self, *arguments: str, given: bytes = b"") -> bytes:
        """Return git's output like `ask`, even if git then fails."""
        try:
            return _beginning(self.stream(*arguments, given=given, anyway=True))
        except GitFailedError:
            return b""

    def stream(self, *arguments: str, given: bytes = b"", anyway: bool = False) -> Generator[bytes]:
        """Yield git's output, piece by piece and without a limit.

        Args:
            arguments: The command and its options.
            given: The standard input of the command.
            anyway: True to yield the output even if git then fails.

        Raises:
            GitFailedError: Git fails, is missing or takes too long.
        """
        settings = {} if _FILTERING.isdisjoint(arguments) else self._disarmed()
        yield from self._run(arguments, settings, given=given, anyway=anyway)

    def _disarmed(self) -> Mapping[str, str]:
        """Return settings that prevent git from running configured programs, except for the user's git-lfs.

        Raises:
            GitFailedError: Git is too old for these settings, fails, is missing or takes too long; or the settings
                are too long.
        """
        from lamella_adapters.git.repository.programs import LISTING, disarming  # noqa: PLC0415 - few commands run filters

        listed = _beginning(self._run(LISTING, {_HEARD: ""}))
        # Git lists this setting among the last. If the setting is missing, git is too old or the list was
        # truncated.
        if f"command\0{_HEARD}\n\0".encode() not in listed:
            raise GitFailedError
        return disarming(listed)

    def _run(
        self, arguments: tuple[str, ...], settings: Mapping[str, str], *, given: bytes = b"", anyway: bool = False
    ) -> Generator[bytes]:
        process, output = self._start(arguments, settings, given)
        try:
            while piece := self._piece(output):
                yield piece
            if process.wait(self._seconds_left()) != 0 and not anyway:
                raise GitFailedError
        except subprocess.TimeoutExpired:
            raise GitFailedError from None
        finally:
            output.close()
            _end(process)

    def _start(
        self, arguments: tuple[str, ...], settings: Mapping[str, str], given: bytes
    ) -> tuple[subprocess.Popen[bytes], IO[bytes]]:
        command = safe.command(self.program, self.folder, *arguments)
        variables = {**safe.environment(find(self.folder)[2]), **self.environment, **_variables(settings)}
        with _input(given) as standard_input:
            try:
                # Use a separate process group, so that processes started by git end with git.
                process = subprocess.Popen(  # noqa: S603 - runs without a shell, and the driver sets the program
                    command, stdin=standard_input, stdout=PIPE, stderr=DEVNULL, env=variables, process_group=0
                )
            except (OSError, ValueError):
                raise GitFailedError from None
        assert process.stdout is not None  # noqa: S101 - it was opened as a pipe
        return process, process.stdout

    def _piece(self, output: IO[bytes]) -> bytes:
        """Return the next piece of output; empty at the end."""
        poll = select.poll()
        poll.register(output, select.POLLIN)
        if not poll.poll(self._seconds_left() * 1000):
            raise GitFailedError
        return os.read(output.fileno(), 64 * 1024)

    def _seconds_left(self) -> float:
        return max(0.0, self.deadline - time.monotonic())


def _variables(settings: Mapping[str, str]) -> dict[str, str]:
    """Return settings as variables of git's environment.

    Unlike command-line options, these variables allow names of settings that contain `=`.
    """
    variables = {"GIT_CONFIG_COUNT": str(len(settings))}
    for number, (key, value) in enumerate(settings.items()):
        variables |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return variables


def _beginning(pieces: Generator[bytes]) -> bytes:
    """Return the output up to `_MAX_OUTPUT_BYTES`. If there is more output, end the process."""
    output = bytearray()
    with contextlib.closing(pieces):
        for piece in pieces:
            output += piece
            if len(output) >= _MAX_OUTPUT_BYTES:
                break
    return bytes(output)


def _input(given: bytes) -> contextlib.AbstractContextManager[IO[bytes] | int]:
    """Return a file with the standard input of git."""
    if not given:
        return contextlib.nullcontext(DEVNULL)
    from tempfile import TemporaryFile  # noqa: PLC0415 - few commands read anything, and it imports a dozen modules

    file = TemporaryFile()  # noqa: SIM115 - returned as a context manager
    file.write(given)
    file.seek(0)
    return file


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE_SECONDS)
