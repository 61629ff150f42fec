"""Server that forks a process for each run of `lamella`; see `forked`.

Usage: python -m tests.end_to_end.support.fork_server SOCKET
"""

import ctypes
import gc
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import sys
import tempfile
import threading
import time
import warnings
from contextlib import redirect_stderr, redirect_stdout, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from attrs import define, field

from tests.end_to_end.support.time_limits import raise_limits
from tests.patience import be_patient

FILES = 5
"""Files of a request: the request itself, standard input, output and error, and where to tell of the process."""


_LARGE, _COLLAPSE = 2**21, 25
"""Bytes of a large page, and what Linux 6.1 calls MADV_COLLAPSE."""


@define(eq=False)
class _Forking:
    """Server that forks for each request."""

    requests: socket.socket
    _runs: dict[int, int] = field(init=False, factory=dict)
    """The pipes to write the exit code of each running process to, by its id."""
    module: str | None = field(init=False, default=None)
    """The module that a new process is to run, None for the command."""

    def until_forked(self) -> None:
        """Fork for every request. Return only in the new processes; the server ends here."""
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
                sent, files, _, _ = socket.recv_fds(self.requests, 1, FILES)
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
            self.module = _become(*own)
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
            # The requesting test may not wait for it any more.
            with suppress(BrokenPipeError):
                os.write(status, b"%d\n" % os.waitstatus_to_exitcode(ended))
            os.close(status)


def _become(request: int, *standard: int) -> str | None:
    """Make this process look as if it had been started as requested. Return the module to run."""
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
    runs: str | None = wanted["module"]
    return runs


def import_everything() -> None:
    """Import everything that a command may need, because its user may not be able to read Python's files."""
    import lamella_adapters  # noqa: PLC0415 - tests that only ask for a run don't need it

    for each in pkgutil.walk_packages(lamella_adapters.__path__, "lamella_adapters."):
        # An embedder's libraries start threads, and a process with threads can't fork safely.
        if "embedders." not in each.name:
            import_module(each.name)
    for name in (
        *("anyio._backends._asyncio", "encodings.ascii", "encodings.idna", "encodings.latin_1", "traceback"),
        *("rich.console", "rich.progress", "rich.table", "rich.text"),
        *("tests.end_to_end.storage.commands", "tests.end_to_end.storage.kills.exchange"),
    ):
        import_module(name)


def warm_up() -> None:
    """Save and recall a memory, to create what processes create at first use: a fifth of their work."""
    templates = import_module("lamella_adapters.web.rendering.templates")
    with tempfile.TemporaryDirectory() as folder, Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        os.environ.update(LAMELLA_DATA_DIR=folder, HOME=folder, LAMELLA_EMBEDDER="none")
        for words in ("save", "Plums are ripe."), ("recall", "plums"), ("recall", "unheard"):
            sys.argv = ["lamella", *words]
            with suppress(SystemExit), redirect_stdout(nowhere), redirect_stderr(nowhere):
                import_module("lamella_adapters.cli").main()
    # Compile the templates of the pages once, instead of in each server.
    for name in templates.ENVIRONMENT.list_templates():
        templates.ENVIRONMENT.get_template(name)
    assert threading.active_count() == 1


def lie_in_large_pages() -> None:
    """Move imported code into huge pages if the kernel supports them, because each fork copies the page table.

    This saves a third of a command's processor time.
    """
    regions = Path("/proc/self/maps")
    advise = ctypes.CDLL(None).madvise
    for line in regions.read_text("ascii").splitlines() if regions.exists() else ():
        place, mode, *_ = line.split()
        begin, end = (int(each, 16) // _LARGE * _LARGE for each in place.split("-"))
        if mode == "rw-p" and begin + _LARGE < end:
            # If the kernel refuses, the pages stay unchanged.
            advise(ctypes.c_void_p(begin + _LARGE), ctypes.c_size_t(end - begin - _LARGE), _COLLAPSE)


def _end(code: object) -> NoReturn:
    """End immediately, because freeing all imported modules would take longer than most commands."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


if __name__ == "__main__":
    requests = socket.socket(fileno=int(sys.argv[1]))
    import_everything()
    warm_up()
    raise_limits()
    be_patient()
    gc.freeze()
    lie_in_large_pages()
    forking = _Forking(requests)
    forking.until_forked()
    if forking.module is not None:
        # Some test modules import others, which are irrelevant to the test that requests a run.
        warnings.simplefilter("ignore", RuntimeWarning)
        runpy.run_module(forking.module, run_name="__main__")
        # Exit as a normally started process would after any exception.
        sys.exit()
    try:
        _end(import_module("lamella_adapters.cli").main())
    except SystemExit as exit:
        _end(exit.code)
