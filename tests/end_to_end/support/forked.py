"""Runs of `lamella` in processes of their own that need not import it first.

Importing takes ten times as long as most commands do. So one process imports everything and forks for each run.
The fork calls the function behind the installed command, with its own arguments, environment, folder and files.

Usage: python -m tests.end_to_end.support.forked SOCKET
"""

import atexit
import gc
import json
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, NoReturn

from attrs import asdict, define, field, frozen

from tests.end_to_end.support.time_limits import raise_limits
from tests.patience import be_patient
from tests.waiting import HANG_SECONDS

_ROOT = Path(__file__).parents[3]
_FILES = 5
"""Files of a request: the request itself, standard input, output and error, and where to tell of the process."""


@frozen
class Done:
    """The outcome of a command."""

    code: int
    out: str
    err: str = ""


@define(eq=False)
class Run:
    """A command that was started."""

    _status: int
    """The end to read from of the pipe that the process id comes through, and then the exit code; a line each."""
    _told: bytes = field(init=False, default=b"")

    @cached_property
    def pid(self) -> int:
        """The id of the process."""
        return self._line(1)

    @cached_property
    def code(self) -> int:
        """The exit code, when it has ended; that of a process that a signal has ended is negative."""
        try:
            return self._line(2)
        except AssertionError:
            with suppress(AssertionError):
                self.send_signal(signal.SIGKILL)
            raise
        finally:
            os.close(self._status)

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def _line(self, number: int) -> int:
        while self._told.count(b"\n") < number:
            assert select.select([self._status], [], [], HANG_SECONDS)[0], "the command does not end"
            piece = os.read(self._status, 100)
            assert piece, "the process that forks is gone"
            self._told += piece
        return int(self._told.split(b"\n")[number - 1])


@define(eq=False)
class Process:
    """A command that runs behind pipes; a `subprocess.Popen` as far as tests need one."""

    _run: Run
    stdin: IO[bytes]
    stdout: IO[bytes]
    stderr: IO[bytes]

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._run.pid

    def kill(self) -> None:
        """End it."""
        self._run.send_signal(signal.SIGKILL)

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        self._run.send_signal(number)

    def wait(self, timeout: float = HANG_SECONDS) -> int:
        """Wait for its end, at most the usual time, and return the exit code."""
        assert timeout == HANG_SECONDS
        return self._run.code


@frozen
class Command:
    """A run of `lamella` as it is wanted."""

    words: Sequence[str | Path]
    cwd: Path
    env: Mapping[str, str]
    user: int | None = None
    """Id of the user that runs it; None for the user of this process."""
    limits: Mapping[str, float] = field(factory=dict)
    """Time limits that are to run out, by their names below `lamella_adapters`; all others are raised."""

    def run(self, stdin: bytes = b"") -> Done:
        """Run it with `stdin`, and return what it printed."""
        with ExitStack() as stack:
            given, out, err = (stack.enter_context(TemporaryFile()) for _ in range(3))
            given.write(stdin)
            given.seek(0)
            code = self.start([each.fileno() for each in (given, out, err)]).code
            return Done(code, *(_content(each) for each in (out, err)))

    def open(self) -> Process:
        """Start it behind pipes."""
        theirs, ours = zip(*(_pipe(mode) for mode in ("wb", "rb", "rb")), strict=True)
        run = self.start(theirs)
        for each in theirs:
            os.close(each)
        return Process(run, *ours)

    def start(self, files: Sequence[int]) -> Run:
        """Start it; `files` are its standard input, output and error."""
        status, telling = os.pipe()
        with TemporaryFile("w+") as request:
            json.dump({**asdict(self), "words": [*map(str, self.words)], "cwd": str(self.cwd)}, request)
            request.seek(0)
            socket.send_fds(_requests(), [b"!"], [request.fileno(), *files, telling])
        os.close(telling)
        return Run(status)


@cache
def _requests() -> socket.socket:
    """Start the process that forks, once; it ends with this one."""
    here, there = socket.socketpair()
    # One thread for numbers: a process with threads had better not fork.
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "OPENBLAS_NUM_THREADS": "1"}
    with there:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.end_to_end.support.forked", str(there.fileno())],
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
    """Return their end of a pipe, and ours, which is opened in `mode`."""
    reading, writing = os.pipe()
    theirs, ours = (reading, writing) if mode == "wb" else (writing, reading)
    return theirs, os.fdopen(ours, mode)


def _content(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()


@define(eq=False)
class _Forking:
    """The process that forks for each request."""

    requests: socket.socket
    _runs: dict[int, int] = field(init=False, factory=dict)
    """The pipes to write the exit code of each running process to, by its id."""

    def until_forked(self) -> None:
        """Fork for every request. Returns in a process that is to run a command, ends in the other one."""
        ended, ending = socket.socketpair()
        ending.setblocking(False)
        signal.set_wakeup_fd(ending.fileno())
        signal.signal(signal.SIGCHLD, lambda *_: None)
        while True:
            ready, _, _ = select.select([self.requests, ended], [], [])
            if ended in ready:
                ended.recv(4096)
                self._tell_of_ends()
            if self.requests in ready:
                sent, files, _, _ = socket.recv_fds(self.requests, 1, _FILES)
                if not sent:
                    sys.exit()
                if self._fork(files):
                    break
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for each in (ended, ending, self.requests):
            each.close()

    def _fork(self, files: list[int]) -> bool:
        """Return True in the new process."""
        *own, status = files
        child = os.fork()
        if child == 0:
            for each in (*self._runs.values(), status):
                os.close(each)
            _become(*own)
            return True
        for each in own:
            os.close(each)
        self._runs[child] = status
        os.write(status, b"%d\n" % child)
        return False

    def _tell_of_ends(self) -> None:
        while self._runs:
            child, ended = os.waitpid(-1, os.WNOHANG)
            if child == 0:
                break
            status = self._runs.pop(child)
            # Nobody may wait for it any more.
            with suppress(BrokenPipeError):
                os.write(status, b"%d\n" % os.waitstatus_to_exitcode(ended))
            os.close(status)


def _become(request: int, *standard: int) -> None:
    """Turn this process into one that was started as the request says."""
    with open(request, encoding="utf-8") as file:
        wanted = json.load(file)
    for number, each in enumerate(standard):
        os.dup2(each, number)
        os.close(each)
    text: dict[str, Any] = {"encoding": sys.stdin.encoding, "newline": "\n", "closefd": False}
    sys.stdin = open(0, errors=sys.stdin.errors, **text)  # noqa: SIM115 - it is open as long as the process
    sys.stdout = open(1, "w", errors=sys.stdout.errors, **text)  # noqa: SIM115 - same
    sys.stderr = open(2, "w", buffering=1, errors="backslashreplace", **text)  # noqa: SIM115 - same
    os.chdir(wanted["cwd"])
    os.environ.clear()
    os.environ.update(wanted["env"])
    time.tzset()
    sys.argv = wanted["words"]
    for name, limit in wanted["limits"].items():
        module, _, attribute = name.rpartition(".")
        setattr(import_module(f"lamella_adapters.{module}"), attribute, limit)
    if wanted["user"] is not None and os.geteuid() == 0:
        os.setgroups([])
        os.setgid(wanted["user"])
        os.setuid(wanted["user"])


def import_everything() -> None:
    """Import all that a command may need: who runs it may not be able to read where Python is installed."""
    import lamella_adapters  # noqa: PLC0415 - tests that only ask for a run don't need it

    for each in pkgutil.walk_packages(lamella_adapters.__path__, "lamella_adapters."):
        # An embedder's libraries start threads, which a process that forks must not have.
        if "embedders." not in each.name:
            import_module(each.name)
    for name in (
        *("anyio._backends._asyncio", "encodings.ascii", "encodings.idna", "encodings.latin_1", "traceback"),
        *("rich.console", "rich.progress", "rich.table", "rich.text"),
    ):
        import_module(name)


def _end(code: object) -> NoReturn:
    """End at once: it would cost more than most commands to take apart all that was imported."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


if __name__ == "__main__":
    import_everything()
    raise_limits()
    be_patient()
    gc.freeze()
    _Forking(socket.socket(fileno=int(sys.argv[1]))).until_forked()
    try:
        _end(import_module("lamella_adapters.cli").main())
    except SystemExit as exit:
        _end(exit.code)
