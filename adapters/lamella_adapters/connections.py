"""HTTP servers with protection against slow clients, malformed requests, and too many connections."""

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
"""Timeout for receiving the head of a request.

If a response is sent before the whole body of its request has arrived, the rest of the body has the same timeout.
"""

READ_SECONDS = 30.0
"""Timeout for a client that doesn't read its response."""

MAX_HEAD_BYTES = 64 * 1024
"""Maximum bytes of an incomplete request head to buffer."""

_WITH_PORT = re.compile(r"\[(.+)\](?::\d+)?|([^:]+):\d+")

_NETWORK_BITS = 64
"""Prefix length of the IPv6 network that a provider assigns to one customer."""


def owner_of(address: str | None) -> str | None:
    """Return the key by which the connections of one owner are counted: an IPv4 address, or an IPv6 network.

    An IPv4-mapped IPv6 address, as a dual-stack socket reports it, has the key of its IPv4 address. Return None if
    `address` isn't an IP address.
    """
    try:
        read = ipaddress.ip_address(address or "")
    except ValueError:
        return None
    if isinstance(read, ipaddress.IPv4Address):
        return str(read)
    mapped = read.ipv4_mapped
    return str(ipaddress.ip_network((read, _NETWORK_BITS), strict=False) if mapped is None else mapped)


def without_port(address: str) -> str:
    """Remove the port, if any, from an address given by a proxy, such as `192.0.2.1:80` or `[2001:db8::1]:80`."""
    found = _WITH_PORT.fullmatch(address)
    return address if found is None else found[1] or found[2]


class _Strict(h11.Connection):
    """Parser that rejects requests with an ambiguous body length, to prevent request smuggling through a proxy."""

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        event = super().next_event()
        if isinstance(event, h11.Request):
            names = {name for name, _ in event.headers}
            if b"transfer-encoding" in names and (b"content-length" in names or event.http_version < b"1.1"):
                raise h11.RemoteProtocolError("The length of the body is given twice.")
        return event


class GuardedConnection(H11Protocol):
    """Connection with timeouts for reading a request and for writing the response.

    Attributes:
        refusal_headers: Headers of the response to malformed requests.
        most_of_one: Maximum simultaneous connections per address owner. Further connections are closed.
        owner: Owner of the client's address; see `owner_of`.
        opened: Time of the connection, by the event loop's clock.
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
        """Start the timeout for the first request, or close the connection if its owner has too many."""
        made = cast("asyncio.Transport", transport)
        # A limit of 1 pauses writing as soon as the socket's buffer is full. With 0, TLS would hang.
        made.set_write_buffer_limits(1)
        super().connection_made(made)
        self.opened = self.loop.time()
        if self._is_one_too_many():
            made.abort()
            return
        self._make_room()
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timeouts."""
        self._wait_no_more()
        self._has_read()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Receive data, with a timeout until the head of the request is complete."""
        if self.conn.their_state is h11.IDLE:
            self._wait()
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE and not self._is_answered_early():
            self._wait_no_more()

    def on_response_complete(self) -> None:
        """End a request. If its body is incomplete, start a timeout. Without it, uvicorn would wait forever."""
        super().on_response_complete()
        if self._is_answered_early():
            self._wait()

    def pause_writing(self) -> None:
        """Start the timeout for a client that doesn't read."""
        super().pause_writing()
        if self._unread is None:
            self._unread = self.loop.call_later(READ_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Cancel the timeout, since the client has read."""
        super().resume_writing()
        self._has_read()

    def send_400_response(self, msg: str) -> None:
        """Respond to a malformed request with the headers `refusal_headers`."""
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
        """Return True if the connection stays open when the connection limit is reached.

        By default, the connection stays open if it has sent a request.
        """
        return self.headers is not None

    def _make_room(self) -> None:
        """At the connection limit, close the oldest connection for which `is_known` is false."""
        others = (each for each in self.connections if isinstance(each, GuardedConnection) and each is not self)
        unknown = [each for each in others if not each.is_known()]
        if unknown and len(self.connections) >= (self.limit_concurrency or math.inf):
            oldest = min(unknown, key=lambda each: each.opened)
            # Aborting only schedules the close. Without `discard`, the connection would count for the limit until
            # then.
            self.connections.discard(oldest)
            oldest.transport.abort()

    def _is_one_too_many(self) -> bool:
        """Return True if this connection exceeds the limit for the owner of its address."""
        self.owner = owner_of(self.client[0] if self.client else None)
        owners = [getattr(each, "owner", None) for each in self.connections]
        return self.owner is not None and owners.count(self.owner) > self.most_of_one

    def _is_answered_early(self) -> bool:
        return self.conn.our_state is h11.DONE and self.conn.their_state is h11.SEND_BODY

    def _wait(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _wait_no_more(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _has_read(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None


def listening(address: str, port: int, most: int) -> socket.socket:
    """Return a listening socket.

    Args:
        address: IP address to listen on.
        port: Port to listen on; 0 for any free one.
        most: Backlog: maximum number of connections waiting to be accepted.

    Raises:
        AdvisedError: The address or port can't be used.
    """
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    # asyncio sets TCP_NODELAY only if the protocol is given. Without it, a client may wait 40 ms for a response.
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
    """Return uvicorn's configuration for an HTTP server without WebSockets, access log or `Server` header.

    Args:
        app: ASGI application.
        connection: Class of connections.
        most: Maximum simultaneous connections. Beyond this number, connections for which `is_known` is false are
            closed. If it is true for all connections, new requests get status 503.
        **more: Further options of `uvicorn.Config`.
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
    """HTTP server that calls `started` when it accepts connections."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._say_started = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the server, then call `started`."""
        await super().startup(sockets)
        self._say_started()
