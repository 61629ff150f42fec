"""Connections: slow ones are cut, and what is no HTTP gets the headers of every answer too."""

import asyncio
from typing import cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from lamella_adapters.web.guards.headers import HEADERS

HEAD_SECONDS = 10.0
"""Longest time in which the head of a request has to arrive."""


class GuardedConnection(H11Protocol):
    """Connection that is closed unless a request arrives in time."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for the first request."""
        super().connection_made(cast("asyncio.Transport", transport))
        self._deadline = self.loop.call_later(HEAD_SECONDS, self._cut)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._wait_no_more()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read a piece of a request; a new one has to be complete in time."""
        if self._deadline is None and self.conn.their_state is h11.IDLE:
            self._deadline = self.loop.call_later(HEAD_SECONDS, self._cut)
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._wait_no_more()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP."""
        headers = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
        headers += [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
        events = (
            h11.Response(status_code=400, headers=headers, reason=b"Bad Request"),
            h11.Data(data=msg.encode("ascii")),
            h11.EndOfMessage(),
        )
        for event in events:
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _wait_no_more(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _cut(self) -> None:
        self.transport.close()
