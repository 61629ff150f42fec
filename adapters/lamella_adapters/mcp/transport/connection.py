"""Messages of a client, as the pair of streams that `Server.run` drives."""

import asyncio
from collections import Counter, deque
from collections.abc import Callable

import anyio
import anyio.lowlevel
from anyio.abc import ObjectReceiveStream, ObjectSendStream
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp_types import JSONRPCError, JSONRPCRequest, JSONRPCResponse

from lamella_adapters.mcp.early.front import Front
from lamella_adapters.mcp.transport.pipes import Inlet, Outlet
from lamella_adapters.mcp.transport.wire import LineSplitter, Refusal, decode, encode

MAX_IN_FLIGHT = 32
"""Maximum number of concurrent requests.

No further request is read if this limit is reached, or while the client doesn't read its answers. This limits the
use of memory.
"""

DRAIN_SECONDS = 0.5
"""Time for running calls to finish after the client has closed stdin."""

_FLUSH_SECONDS = 0.1
_POLL_SECONDS = 0.1


class Connection(ObjectReceiveStream[SessionMessage], ObjectSendStream[SessionMessage]):
    """The stream of requests and the stream of answers.

    Every request is counted until its answer, or until the client cancels it. The connection itself answers
    invalid lines, so they never reach the server.
    """

    def __init__(
        self,
        inlet: Inlet,
        open_outlet: Callable[[Callable[[], None]], Outlet],
        front: Front,
        *,
        on_end: Callable[[], None],
    ) -> None:
        """Open both directions.

        Args:
            inlet: Direction from the client.
            open_outlet: Opens the direction to the client, given a function to call when bytes went out.
            front: Thread that read and answered requests before. The server gets all data that the thread read.
                The server's replies to requests already answered are dropped.
            on_end: Function to call when the client has closed its stream, before waiting for running calls.
        """
        self._begun = False
        self._inlet = inlet
        self._on_end = on_end
        self._in_flight = 0
        self._moved = asyncio.Event()
        self._outlet = open_outlet(self._moved.set)
        self._splitter = LineSplitter()
        self._lines: deque[bytes | Refusal] = deque(self._splitter.feed(front.read))
        self._answered = Counter(map(_key, front.answered))
        self._ended = False
        if front.unsent:
            self._outlet.write(front.unsent)
        self._metadata = ServerMessageMetadata(on_request_unanswered=self._on_request_unanswered)

    async def receive(self) -> SessionMessage:
        """Return the client's next message.

        Raises:
            anyio.EndOfStream: The client has closed its end, and the server has waited for running calls.
        """
        while await self._may_read() and (line := await self._next_line()) is not None:
            item = line if isinstance(line, Refusal) else decode(line)
            if isinstance(item, Refusal):
                self._outlet.write(encode(item.reply))
                await anyio.lowlevel.checkpoint()  # let other tasks of the loop run between invalid lines
            elif isinstance(item, JSONRPCRequest):
                self._in_flight += 1
                return SessionMessage(item, self._metadata)
            elif item is not None:
                return SessionMessage(item)
        raise anyio.EndOfStream

    async def send(self, item: SessionMessage, /) -> None:
        """Write a message. Unless it is an answer, wait until the client has read the earlier messages."""
        answer = item.message if isinstance(item.message, JSONRPCResponse | JSONRPCError) else None
        if answer is not None and self._answered[_key(answer.id)]:
            self._answered[_key(answer.id)] -= 1
            self._settle()
            return
        self._outlet.write(encode(item.message))
        if answer is not None:
            # Sending an answer never waits: its request was counted, so at most `MAX_IN_FLIGHT` answers can pile
            # up.
            self._settle()
        else:
            while self._outlet.blocked:
                await self._movement(_POLL_SECONDS)

    async def flush(self) -> None:
        """Give the client a last moment to read the written messages."""
        with anyio.move_on_after(_FLUSH_SECONDS):
            while self._outlet.blocked:
                await self._movement(_FLUSH_SECONDS)

    async def aclose(self) -> None:
        """Do nothing: the connection lasts as long as the process."""

    async def _next_line(self) -> bytes | Refusal | None:
        while not self._lines:
            if self._ended:
                await self._drain()
                return None
            piece = await self._inlet.read()
            self._ended = not piece
            self._lines.extend(self._splitter.feed(piece) if piece else self._splitter.finish())
        if not self._begun:
            self._begun = True
            self._drop_abandoned_probe()
        return self._lines.popleft()

    def _drop_abandoned_probe(self) -> None:
        """Drop `server/discover` before an `initialize`: the SDK refuses the handshake after the probe.

        On a busy machine, a client may give up waiting for the answer to the probe, and send the handshake before
        the SDK is imported.
        """
        asked = [decode(each) if isinstance(each, bytes) else each for each in self._lines]
        requests = {at: each for at, each in enumerate(asked) if isinstance(each, JSONRPCRequest)}
        if any(each.method == "initialize" for each in requests.values()):
            probes = {at: _key(each.id) for at, each in requests.items() if each.method == "server/discover"}
            self._lines = deque(each for at, each in enumerate(self._lines) if at not in probes)
            self._answered -= Counter(probes.values())

    async def _may_read(self) -> bool:
        """Wait until another request may be read.

        Return False if the client is gone and no request is settled for `DRAIN_SECONDS`.
        """
        patience = DRAIN_SECONDS
        while self._in_flight >= MAX_IN_FLIGHT or self._outlet.blocked:
            if await self._movement(_POLL_SECONDS):
                patience = DRAIN_SECONDS
            elif self._ended or self._inlet.hung_up():
                patience -= _POLL_SECONDS
            if patience <= 0:
                self._on_end()
                return False
        return True

    async def _drain(self) -> None:
        self._on_end()
        with anyio.move_on_after(DRAIN_SECONDS):
            while self._in_flight or self._outlet.blocked:
                await self._movement(DRAIN_SECONDS)

    async def _movement(self, seconds: float) -> bool:
        """Wait until a request is settled or bytes went out. Return False if neither happens in time."""
        self._moved.clear()
        with anyio.move_on_after(seconds):
            await self._moved.wait()
        return self._moved.is_set()

    async def _on_request_unanswered(self) -> None:
        self._settle()

    def _settle(self) -> None:
        self._in_flight -= 1
        self._moved.set()


def _key(id: str | int | None) -> tuple[type, str | int | None]:
    """Return a key that distinguishes the ids `1` and `"1"`."""
    return type(id), id
