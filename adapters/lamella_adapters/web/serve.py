"""Web server for one browser on this machine, which stops when it is idle."""

import asyncio
import gc
import socket
import time
from collections.abc import Callable
from contextlib import suppress

import uvicorn
from attrs import evolve
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from lamella.caller import Caller
from lamella.container import running
from lamella.settings import Settings
from lamella_adapters.background import begin
from lamella_adapters.connections import AnnouncedServer, GuardedConnection, configured, listening
from lamella_adapters.web.app import guarded
from lamella_adapters.web.guards.gate import Gate
from lamella_adapters.web.live import PATH, Live
from lamella_adapters.web.tables import HEADERS

ADDRESS = "127.0.0.1"
"""The only listening address."""

_LOOKS_EVERY_SECONDS = 1.0
"""Interval in seconds of checking whether the server is idle."""

_MOST_CONNECTIONS = 100
_END_SECONDS = 3
"""Maximum wait for unfinished answers at the end."""


def serve(
    settings: Settings,
    caller: Caller,
    announce: Callable[[str], None],
    *,
    port: int = 0,
    idle_minutes: float = 30.0,
    project: str | None = None,
) -> None:
    """Serve until the server is idle or interrupted.

    Args:
        settings: The settings of the process.
        caller: Makes the call of each request.
        announce: Called when the server is listening, with the URL that admits one browser.
        port: Port to listen at; 0 for any free one.
        idle_minutes: Minutes without a request after which the server ends.
        project: Id, alias or name of the project to show first; None for the working directory's project.

    Raises:
        AdvisedError: The port is taken.
        LamellaError: The settings are invalid, or the storage can't be opened.
    """
    # Don't wait for the embedding model (`patient`): until it is loaded, search by words.
    with (
        running(evolve(settings, patient=False)) as lamella,
        listening(ADDRESS, port, _MOST_CONNECTIONS) as listener,
    ):
        if project:
            shown = lamella.storage.registry.named(project)
            caller = evolve(caller, context=evolve(caller.context, default_project=shown.id))
        live = Live()
        gate = guarded(lamella, caller, listener.getsockname()[1], settings.data_directory, live)
        watched = _Watched(gate)
        config = configured(watched, _connection(gate), _MOST_CONNECTIONS, timeout_graceful_shutdown=_END_SECONDS)
        server = AnnouncedServer(config, lambda: announce(gate.url))
        live.ends = lambda: server.should_exit
        # Store captures of hooks in the background only, never while opening a page.
        background = begin(settings, lambda: lamella)
        # Exclude the loaded modules from garbage collection: collecting them takes as long as answering a page.
        gc.freeze()
        with suppress(KeyboardInterrupt):
            asyncio.run(_serve(server, listener, watched, 60 * idle_minutes))
        background.close()


def _connection(gate: Gate) -> type[GuardedConnection]:
    """Return a connection class. At the connection limit, connections of the admitted browser are closed last."""

    class Connection(GuardedConnection):
        refusal_headers = HEADERS

        def is_known(self) -> bool:
            return super().is_known() and gate.knows(Headers(raw=self.headers))

    return Connection


class _Watched:
    """ASGI application that remembers the time of the last request."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._under_way = 0
        self._latest = time.monotonic()

    @property
    def idle_seconds(self) -> float:
        """Seconds since the last request; 0 while one is answered."""
        return 0.0 if self._under_way else time.monotonic() - self._latest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request. Event streams don't count, because they continue even if nobody looks at the page."""
        if scope.get("path") == PATH:
            await self._app(scope, receive, send)
            return
        self._under_way += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._under_way -= 1
            self._latest = time.monotonic()


async def _serve(server: uvicorn.Server, listener: socket.socket, watched: _Watched, idle_seconds: float) -> None:
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    while not serving.done():
        await asyncio.wait([serving], timeout=_LOOKS_EVERY_SECONDS)
        if watched.idle_seconds > idle_seconds:
            server.should_exit = True
    await serving
