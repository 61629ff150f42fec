"""Serve the pages to one browser of this machine, until nobody has looked for a while."""

import asyncio
import logging
import socket
import time
from collections.abc import Callable
from contextlib import suppress

import uvicorn
from attrs import evolve, frozen
from starlette.types import ASGIApp, Receive, Scope, Send

from lamella.caller import Caller
from lamella.container import Lamella, running
from lamella.domain.errors import AdvisedError
from lamella.settings import Settings
from lamella_adapters.connections import GuardedConnection
from lamella_adapters.web.app import guarded
from lamella_adapters.web.guards.headers import HEADERS

ADDRESS = "127.0.0.1"
"""The only address that is listened at."""

_LOOKS_EVERY_SECONDS = 1.0
"""Pause between looks at the spool and the clock."""

_MOST_CONNECTIONS = 100
_END_SECONDS = 3
"""Longest time that the end waits for answers on their way."""


@frozen(kw_only=True)
class WebOptions:
    """Options of the server.

    Attributes:
        port: Port to listen at; 0 for any that is free.
        idle_minutes: Time without a request after which the server ends.
        project: Project to show first, by its id, an alias or its name; None for that of the working directory.
    """

    port: int = 0
    idle_minutes: float = 30.0
    project: str | None = None


def serve(settings: Settings, caller: Caller, options: WebOptions, *, announce: Callable[[str], None]) -> None:
    """Serve until it is idle or interrupted.

    Args:
        settings: The settings of the process.
        caller: Makes the call of each request.
        options: Options of the server.
        announce: Is told the URL, which lets one browser in, when that can be opened.

    Raises:
        AdvisedError: The port is taken.
        LamellaError: The settings or the storage don't allow it.
    """
    # A page waits for no model; until it is loaded, words are searched.
    with running(evolve(settings, patient=False)) as lamella, _listening(options.port) as listener:
        if options.project:
            shown = lamella.storage.registry.named(options.project)
            caller = evolve(caller, context=evolve(caller.context, default_project=shown.id))
        gate = guarded(lamella, caller, listener.getsockname()[1], settings.data_directory)
        watched = _Watched(gate)
        config = uvicorn.Config(
            watched,
            http=_Connection,
            ws="none",
            loop="asyncio",
            lifespan="off",
            log_level=logging.WARNING,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            headers=list(HEADERS.items()),
            limit_concurrency=_MOST_CONNECTIONS,
            timeout_graceful_shutdown=_END_SECONDS,
        )
        server = _Server(config, lambda: announce(gate.url))
        with suppress(KeyboardInterrupt):
            asyncio.run(_serve(server, listener, lamella, watched, 60 * options.idle_minutes))


def _listening(port: int) -> socket.socket:
    """Return a socket that listens at a port of this machine only.

    Raises:
        AdvisedError: The port can't be had.
    """
    # With its protocol named, asyncio sends answers at once: without, the second half may come 40 ms later.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((ADDRESS, port))
        listener.listen(_MOST_CONNECTIONS)
    except OSError:
        listener.close()
        raise AdvisedError(
            reason=f"Port {port} can't be used.", advice="Choose another one, or leave --port out."
        ) from None
    return listener


class _Connection(GuardedConnection):
    """Connection with the headers of every answer in those to what is no HTTP, too."""

    refusal_headers = HEADERS


class _Watched:
    """ASGI application that notes when a request came last."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._under_way = 0
        self._latest = time.monotonic()

    @property
    def idle_seconds(self) -> float:
        """Seconds since the last request; 0 while one is answered."""
        return 0.0 if self._under_way else time.monotonic() - self._latest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        self._under_way += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._under_way -= 1
            self._latest = time.monotonic()


class _Server(uvicorn.Server):
    """HTTP server that says when it can be reached."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._say_started = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to answer."""
        await super().startup(sockets)
        self._say_started()


async def _serve(
    server: uvicorn.Server, listener: socket.socket, lamella: Lamella, watched: _Watched, idle_seconds: float
) -> None:
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    while not serving.done():
        await asyncio.wait([serving], timeout=_LOOKS_EVERY_SECONDS)
        if watched.idle_seconds > idle_seconds:
            server.should_exit = True
        # What hooks captured is stored by itself, never because a page is looked at.
        await asyncio.to_thread(_drain, lamella)
    await serving


def _drain(lamella: Lamella) -> None:
    """Store captures that wait. What can't be stored waits on; `lamella doctor` tells."""
    with suppress(Exception):
        if lamella.spool.news():
            for _ in lamella.drain():
                pass
