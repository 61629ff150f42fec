"""Worker processes of one server. They share its port, and each answers with the metrics of all."""

import asyncio
import os
import re
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from types import FrameType

from attrs import define, field, frozen

_PAUSE_SECONDS = 1.0
"""Seconds before a killed worker is replaced.

Without this pause, a worker that dies at its start would keep a processor busy.
"""

_SIGNALS = (signal.SIGTERM, signal.SIGINT)
_SAMPLE = re.compile(r"(\w+)(?:\{(.*)\})? (\S+)")


@frozen
class Worker:
    """One worker process of the server.

    Attributes:
        number: Number of the worker, from 0.
        count: Number of workers.
        folder: Folder with a socket of each worker.
        parent: Read end of a pipe that is closed when the parent ends.
        started: Reports to the parent that this worker answers requests. Returns True in the first worker.
    """

    number: int
    count: int
    folder: Path
    parent: int
    started: Callable[[], bool]

    @asynccontextmanager
    async def sharing(self, metrics: Callable[[], Awaitable[bytes]]) -> AsyncIterator[None]:
        """Serve this worker's metrics to the other workers. End the worker when its parent has ended."""
        loop = asyncio.get_running_loop()

        def orphaned() -> None:
            loop.remove_reader(self.parent)
            signal.raise_signal(signal.SIGTERM)

        loop.add_reader(self.parent, orphaned)

        async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with suppress(OSError):
                writer.write(await metrics())
                await writer.drain()
                writer.close()

        async with await asyncio.start_unix_server(answer, self._socket(self.number)):
            yield

    async def gathered(self) -> bytes:
        """Return the metrics of all workers. A worker that is being replaced is left out."""
        texts = [(number, await self._read(number)) for number in range(self.count)]
        return merged((str(number), text) for number, text in texts)

    async def _read(self, number: int) -> str:
        with suppress(OSError):
            reader, writer = await asyncio.open_unix_connection(self._socket(number))
            text = await reader.read()
            writer.close()
            return text.decode()
        return ""

    def _socket(self, number: int) -> str:
        return str(self.folder / str(number))


def merged(texts: Iterable[tuple[str, str]]) -> bytes:
    """Merge the metrics of several workers into one text. Each sample gets the worker's number as a label.

    Args:
        texts: For each worker, its number and its metrics in Prometheus' text format.
    """
    families: dict[str, list[str]] = {}
    for worker, text in texts:
        for family in text.split("# HELP ")[1:]:
            about, kind, *samples = family.splitlines()
            lines = families.setdefault(about, [f"# HELP {about}", kind])
            for name, labels, value in _SAMPLE.findall("\n".join(samples)):
                lines.append(f'{name}{{{labels}{"," * bool(labels)}worker="{worker}"}} {value}')
    return "".join(f"{line}\n" for lines in families.values() for line in lines).encode()


def supervise(count: int, work: Callable[[Worker], None]) -> None:
    """Fork worker processes and call `work` in each. Replace workers that are killed by a signal.

    Only the worker processes return from this function. The parent process waits for its workers, and then exits.

    The other workers start when the first one answers, so that an error at the start is reported only once.

    Args:
        count: Number of workers.
        work: Serves until a signal comes.

    Raises:
        SystemExit: In the parent, all workers have ended. The exit code is 0, or the code of a worker that ended
            by itself.
    """
    waiting, ready = os.pipe()
    parent = _Parent(Path(tempfile.mkdtemp(prefix="lamella-")), count)
    for each in _SIGNALS:
        signal.signal(each, parent.forward)
    worker = parent.fork([0], lambda: os.write(ready, b"1") > 0)
    if worker is None:
        os.close(ready)
        answers = os.read(waiting, 1) == b"1"
        os.close(waiting)
        worker = parent.fork(range(1, count)) if answers else None
    worker = worker or parent.look_after()
    if worker is None:
        shutil.rmtree(parent.folder)
        sys.exit(parent.code)
    work(worker)


@define(eq=False)
class _Parent:
    """Parent of the worker processes.

    Attributes:
        folder: Folder with the sockets of workers.
        count: Number of workers.
        code: Exit code.
    """

    folder: Path
    count: int
    code: int = 0
    _alive: tuple[int, int] = field(factory=os.pipe)
    _ending: bool = False
    _running: dict[int, int] = field(factory=dict)
    """Numbers of workers, keyed by process id."""

    def forward(self, number: int, _: FrameType | None = None) -> None:
        """Forward a signal to the workers, for example SIGTERM."""
        self._ending = True
        for each in self._running:
            os.kill(each, number)

    def fork(self, numbers: Iterable[int], started: Callable[[], bool] = lambda: False) -> Worker | None:
        """Start missing workers. Return the `Worker` in each new process, and None in the parent."""
        for number in numbers:
            # Block signals during the fork. Otherwise, a signal could reach a parent that doesn't know the new
            # worker yet.
            signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
            child = None if self._ending else os.fork()
            if child == 0:
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
                signal.signal(signal.SIGINT, signal.default_int_handler)
                os.close(self._alive[1])
            elif child is not None:
                self._running[child] = number
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
            if child == 0:
                return Worker(number, self.count, self.folder, self._alive[0], started)
        return None

    def look_after(self) -> Worker | None:
        """Replace killed workers until all have ended. Return the `Worker` in a new process, else None."""
        while self._running:
            child, status = os.wait()
            del self._running[child]
            code = os.waitstatus_to_exitcode(status)
            if code < 0 and not self._ending:
                time.sleep(_PAUSE_SECONDS)
                worker = self.fork({*range(self.count)} - {*self._running.values()})
                if worker is not None:
                    return worker
            elif not self._ending:
                self.code = code
                self.forward(signal.SIGTERM)
        return None
