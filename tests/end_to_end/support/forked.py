"""Runs of `lamella` and of test modules in separate processes, forked from one that has imported everything.

Importing takes ten times as long as most commands, so this saves most of their time.
The fork calls the function behind the installed command, with its own arguments, environment, folder and files.
"""

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import cache, cached_property
from pathlib import Path
from tempfile import TemporaryFile
from threading import Timer
from typing import IO

from attrs import asdict, define, field, frozen

from tests.waiting import HANG_SECONDS

_ROOT = Path(__file__).parents[3]
_SECONDS_TO_END = 10.0
"""After this, a stopped server is killed."""


@frozen
class Done:
    """The outcome of a command."""

    code: int
    out: str
    err: str = ""


@define(eq=False)
class Run:
    """A started command."""

    _status: int
    """The end to read from of the pipe that the process id comes through, and then the exit code; a line each."""
    _told: bytes = field(init=False, default=b"")

    @cached_property
    def pid(self) -> int:
        """The id of the process."""
        return self._line(1)

    @cached_property
    def code(self) -> int:
        """Exit code after the end. It is negative for a process ended by a signal."""
        try:
            return self._line(2)
        except AssertionError:
            with suppress(AssertionError):
                self.send_signal(signal.SIGKILL)
            raise
        finally:
            os.close(self._status)

    @property
    def ended(self) -> bool:
        """True if it has ended."""
        return self._reads(2, 0)

    def send_signal(self, number: int) -> None:
        """Send the process a signal, unless it has ended."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def _line(self, number: int) -> int:
        assert self._reads(number, HANG_SECONDS), "the command does not end"
        return int(self._told.split(b"\n")[number - 1])

    def _reads(self, number: int, seconds: float) -> bool:
        """Read a number of lines. Return False if the next data don't arrive in time."""
        while self._told.count(b"\n") < number:
            if not select.select([self._status], [], [], seconds)[0]:
                return False
            piece = os.read(self._status, 100)
            assert piece, "the process that forks is gone"
            self._told += piece
        return True


@define(eq=False)
class Process:
    """A command with pipes. It has those methods of `subprocess.Popen` that tests need."""

    _run: Run
    stdin: IO[bytes]
    stdout: IO[bytes]
    stderr: IO[bytes]

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._run.pid

    def kill(self) -> None:
        """Kill the process."""
        self._run.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Send the process SIGTERM."""
        self._run.send_signal(signal.SIGTERM)

    def send_signal(self, number: int) -> None:
        """Send the process a signal, unless it has ended."""
        self._run.send_signal(number)

    def close(self) -> None:
        """Close this process's ends of the pipes."""
        for each in (self.stdin, self.stdout, self.stderr):
            # Unread output is dropped.
            with suppress(BrokenPipeError):
                each.close()

    def poll(self) -> int | None:
        """Return the exit code, or None if it is still running."""
        return self._run.code if self._run.ended else None

    def wait(self, timeout: float = HANG_SECONDS) -> int:
        """Wait for the end, up to the usual timeout, and return the exit code."""
        assert timeout == HANG_SECONDS
        return self._run.code


@frozen
class Command:
    """Description of a run of `lamella`."""

    words: Sequence[str | Path]
    cwd: Path
    env: Mapping[str, str]
    user: int | None = None
    """Id of the user that runs it; None for the user of this process."""
    limits: Mapping[str, float] = field(factory=dict)
    """Time limits that are to run out, by their names below `lamella_adapters`; all others are raised."""
    module: str | None = None
    """A module to run in place of `lamella`; the words are its own."""

    def run(self, stdin: bytes = b"") -> Done:
        """Run the command with `stdin`, and return its output."""
        with ExitStack() as stack:
            given, out, err = (stack.enter_context(TemporaryFile()) for _ in range(3))
            given.write(stdin)
            given.seek(0)
            code = self.start([each.fileno() for each in (given, out, err)]).code
            return Done(code, *(_content(each) for each in (out, err)))

    def open(self, errors: int | None = None) -> Process:
        """Start the command with pipes; `errors` is another file for its standard error."""
        theirs, ours = zip(*(_pipe(mode) for mode in ("wb", "rb", "rb")), strict=True)
        run = self.start([*theirs[:2], theirs[2] if errors is None else errors])
        for each in theirs:
            os.close(each)
        return Process(run, *ours)

    def start(self, files: Sequence[int]) -> Run:
        """Start the command; `files` are its standard input, output and error."""
        status, telling = os.pipe()
        with TemporaryFile("w+") as request:
            json.dump({**asdict(self), "words": [*map(str, self.words)], "cwd": str(self.cwd)}, request)
            request.seek(0)
            socket.send_fds(_requests(), [b"!"], [request.fileno(), *files, telling])
        os.close(telling)
        return Run(status)


def stop(process: Process | subprocess.Popen[bytes], number: int = signal.SIGINT) -> int:
    """End a server by a signal, or kill it if it hangs. Return its exit code."""
    process.send_signal(number)
    killing = Timer(_SECONDS_TO_END, process.kill)
    killing.start()
    code = process.wait()
    killing.cancel()
    return code


@cache
def _requests() -> socket.socket:
    """Start the fork server once. It ends with this process."""
    here, there = socket.socketpair()
    # Limit numerical libraries to one thread, because a process with threads can't fork safely.
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "OPENBLAS_NUM_THREADS": "1"}
    with there:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.end_to_end.support.fork_server", str(there.fileno())],
            cwd=_ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            pass_fds=[there.fileno()],
            start_new_session=True,
        )

    def end() -> None:
        here.close()
        process.wait()

    atexit.register(end)
    return here


def _pipe(mode: str) -> tuple[int, IO[bytes]]:
    """Return the other process's end of a pipe, and our end, opened in `mode`."""
    reading, writing = os.pipe()
    theirs, ours = (reading, writing) if mode == "wb" else (writing, reading)
    return theirs, os.fdopen(ours, mode)


def _content(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()
