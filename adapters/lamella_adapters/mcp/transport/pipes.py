"""Both ends of a line-based transport: descriptors read and written without blocking the event loop.

The event loop waits for pipes and sockets. With a thread for each direction, a call would cost about twice as
much. The loop can't wait for regular files and `/dev/null`. They never block, so they are read and written
directly. Terminals are handled like files, because a terminal's settings are shared with the shell.
"""

import asyncio
import os
import select
import stat
from collections.abc import Callable

import anyio.lowlevel

_PIECE = 64 * 1024
"""Number of bytes to read at a time: the capacity of a pipe on Linux."""

_HUNG_UP = select.POLLHUP | getattr(select, "POLLRDHUP", 0)


class Inlet:
    """Reading end of a transport. At most one piece is read ahead."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        # Files are read directly: for a file, epoll raises an error, and kqueue doesn't report the end.
        self._waits = _is_stream(descriptor) or os.isatty(descriptor)
        self._poll = select.poll()
        self._poll.register(descriptor, _HUNG_UP)
        self._piece: bytes | None = None
        self._arrival: asyncio.Future[None] | None = None
        self._watched = False

    async def read(self) -> bytes:
        """Wait for the next bytes and return the bytes; empty at the end of the stream."""
        while self._piece is None:
            if self._waits:
                self._arrival = asyncio.get_running_loop().create_future()
                if not self._watched:
                    # The descriptor stays registered between reads: registering again costs as much as reading.
                    self._watched = True
                    asyncio.get_running_loop().add_reader(self._descriptor, self._take)
                await self._arrival
            else:
                await anyio.lowlevel.checkpoint()
                self._take()
        piece, self._piece = self._piece, None
        return piece

    def hung_up(self) -> bool:
        """Return True if the other end is closed, even with unread bytes left."""
        return any(events & _HUNG_UP for _, events in self._poll.poll(0))

    def _take(self) -> None:
        """Read a piece. If the previous piece was not fetched, stop reading until the fetch."""
        if self._piece is None:
            try:
                self._piece = os.read(self._descriptor, _PIECE)
            except BlockingIOError:
                return
            except OSError:
                self._piece = b""  # a reset socket or a closed terminal
            if self._arrival is not None and not self._arrival.done():
                self._arrival.set_result(None)
        elif self._watched:
            self._watched = False
            asyncio.get_running_loop().remove_reader(self._descriptor)


class Outlet:
    """Writing end of a transport; a pipe or socket is made non-blocking.

    `on_progress` is called after bytes were written, `on_broken` after the last reader is gone. Later writes are
    dropped.
    """

    def __init__(self, descriptor: int, *, on_progress: Callable[[], None], on_broken: Callable[[], None]) -> None:
        self._descriptor = descriptor
        self._on_progress = on_progress
        self._on_broken = on_broken
        self._backlog = bytearray()
        self._broken = False
        self._watched = False
        if _is_stream(descriptor):
            os.set_blocking(descriptor, False)

    @property
    def blocked(self) -> bool:
        """Return True if bytes wait for the other end to read."""
        return bool(self._backlog)

    def write(self, line: bytes) -> None:
        """Write as many bytes as the descriptor accepts now, and the rest later."""
        if self._broken:
            return
        waiting = self.blocked
        self._backlog += line
        if not waiting:
            self._push()

    def _push(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._backlog:
                del self._backlog[: os.write(self._descriptor, self._backlog)]
                self._on_progress()
        except BlockingIOError:
            self._watched = True
            loop.add_writer(self._descriptor, self._push)
            return
        except OSError:
            self._broken = True
            self._backlog.clear()
            self._on_broken()
        if self._watched:
            self._watched = False
            loop.remove_writer(self._descriptor)


def _is_stream(descriptor: int) -> bool:
    mode = os.fstat(descriptor).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)
