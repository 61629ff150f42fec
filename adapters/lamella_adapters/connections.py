"""HTTP servers of ours, and their connections: slow ones are cut, and what is no HTTP is refused."""

import asyncio
import ipaddress
import logging
import math
import re
import socket
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, cast

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from lamella.domain.errors import AdvisedError

HEAD_SECONDS = 10.0
"""Longest time in which the head of a request has to arrive, and the rest of one that was answered early."""

READ_SECONDS = 30.0
"""Longest time in which a caller may leave an answer unread."""

MAX_HEAD_BYTES = 64 * 1024
"""Bytes of the longest head of a request that comes in pieces."""

_WITH_PORT = re.compile(r"\[(.+)\](?::\d+)?|([^:]+):\d+")

_NETWORK_BITS = 64
"""First bits of an IPv6 address: a provider gives them to a customer, who chooses the others."""


def owner_of(address: str | None) -> str | None:
    """Return what stands for the owner of an IP address: the address, or of IPv6 its network.

    None for what is no address. An IPv4 address is the same where a socket of both families shows it as IPv6.
    """
    try:
        read = ipaddress.ip_address(address or "")
    except ValueError:
        return None
    if isinstance(read, ipaddress.IPv4Address):
        return str(read)
    mapped = read.ipv4_mapped
    return str(ipaddress.ip_network((read, _NETWORK_BITS), strict=False) if mapped is None else mapped)


def without_port(told: str) -> str:
    """Return the address that a proxy told, without the port that some add: `192.0.2.1:80`, `[2001:db8::1]:80`."""
    found = _WITH_PORT.fullmatch(told)
    return told if found is None else found[1] or found[2]


class _Strict(h11.Connection):
    """Reads requests of which there can be no two opinions: a proxy in front may see another end of the body."""

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        event = super().next_event()
        if isinstance(event, h11.Request):
            names = {name for name, _ in event.headers}
            if b"transfer-encoding" in names and (b"content-length" in names or event.http_version < b"1.1"):
                raise h11.RemoteProtocolError("The length of the body is said in two ways.")
        return event


class GuardedConnection(H11Protocol):
    """Connection that is closed unless a request arrives in time, and its answer is read in time.

    Attributes:
        refusal_headers: Headers of the answer to what is no HTTP.
        most_of_one: Most connections at once of one owner of addresses; further ones are closed.
        owner: Owner of the address that has connected, as `owner_of` returns it.
        opened: Time of the loop at which it was made.
    """

    refusal_headers: ClassVar[Mapping[str, str]] = MappingProxyType({})
    most_of_one: ClassVar[float] = math.inf

    owner: str | None = None
    opened: float = 0.0
    _deadline: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.conn = _Strict(h11.SERVER, MAX_HEAD_BYTES)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for the first request."""
        made = cast("asyncio.Transport", transport)
        # Whatever the system does not take at once counts as unread. With 0, TLS would wait for ever.
        made.set_write_buffer_limits(1)
        super().connection_made(made)
        self.opened = self.loop.time()
        if self._is_one_too_many():
            made.abort()
            return
        self._make_room()
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._wait_no_more()
        self._has_read()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read a piece of a request; the head of a new one has to be complete in time."""
        if self.conn.their_state is h11.IDLE:
            self._wait()
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE and not self._is_answered_early():
            self._wait_no_more()

    def on_response_complete(self) -> None:
        """End a request. What is left of its body has to arrive in time: uvicorn would wait for it for ever."""
        super().on_response_complete()
        if self._is_answered_early():
            self._wait()

    def pause_writing(self) -> None:
        """Begin to wait until the caller reads."""
        super().pause_writing()
        if self._unread is None:
            self._unread = self.loop.call_later(READ_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop waiting, since all was read."""
        super().resume_writing()
        self._has_read()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP."""
        headers = [(name.encode(), value.encode()) for name, value in self.refusal_headers.items()]
        headers += [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
        events = (
            h11.Response(status_code=400, headers=headers, reason=b"Bad Request"),
            h11.Data(data=msg.encode("ascii")),
            h11.EndOfMessage(),
        )
        for event in events:
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def is_known(self) -> bool:
        """Return True if the connection may keep its place at the limit; by default once it sent a request."""
        return self.headers is not None

    def _make_room(self) -> None:
        """Close the oldest unknown connection if the limit is reached, so that requests are still answered."""
        others = (each for each in self.connections if isinstance(each, GuardedConnection) and each is not self)
        unknown = [each for each in others if not each.is_known()]
        if unknown and len(self.connections) >= (self.limit_concurrency or math.inf):
            oldest = min(unknown, key=lambda each: each.opened)
            # It counts until the loop has closed it, which is after the next request.
            self.connections.discard(oldest)
            oldest.transport.abort()

    def _is_one_too_many(self) -> bool:
        """Return True if the owner of its address has as many others."""
        self.owner = owner_of(self.client[0] if self.client else None)
        owners = [getattr(each, "owner", None) for each in self.connections]
        return self.owner is not None and owners.count(self.owner) > self.most_of_one

    def _is_answered_early(self) -> bool:
        return self.conn.our_state is h11.DONE and self.conn.their_state is h11.SEND_BODY

    def _wait(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(HEAD_SECONDS, self._cut)

    def _wait_no_more(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _has_read(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _cut(self) -> None:
        self.transport.close()


def listening(address: str, port: int, most: int) -> socket.socket:
    """Return a socket that listens.

    Args:
        address: IP address to listen at.
        port: Port to listen at; 0 for any that is free.
        most: Most connections that wait to be accepted.

    Raises:
        AdvisedError: Address or port can't be had.
    """
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    # With its protocol named, asyncio sends answers at once: without, a client may wait 40 ms for the second half.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((address, port))
        listener.listen(most)
    except OSError:
        listener.close()
        raise AdvisedError(
            reason=f"Port {port} of {address} can't be used.", advice="Choose another --port."
        ) from None
    return listener


def configured(app: ASGIApp, connection: type[GuardedConnection], most: int, **more: Any) -> uvicorn.Config:
    """Return the configuration of a server that speaks plain HTTP and says nothing of itself.

    Args:
        app: The application.
        connection: Class of its connections.
        most: Most simultaneous connections. Above it, unidentified ones are closed; without one, requests
            get a 503.
        **more: What this server has besides.
    """
    return uvicorn.Config(
        app,
        http=connection,
        ws="none",
        loop="asyncio",
        lifespan="off",
        log_level=logging.WARNING,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        headers=list(connection.refusal_headers.items()),
        limit_concurrency=most,
        **more,
    )


class AnnouncedServer(uvicorn.Server):
    """HTTP server that says when it can be reached."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._say_started = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to answer."""
        await super().startup(sockets)
        self._say_started()
