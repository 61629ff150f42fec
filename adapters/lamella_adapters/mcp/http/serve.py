"""Server process, from start to graceful shutdown."""

import asyncio
import signal
import socket
import ssl
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial

import anyio.to_thread
import uvicorn
from attrs import define, evolve, field

from lamella.container import Lamella, running
from lamella.domain.errors import AdvisedError
from lamella.settings import Settings
from lamella_adapters.background import Maintaining, begin
from lamella_adapters.connections import AnnouncedServer, GuardedConnection, configured, listening
from lamella_adapters.mcp.http.access.access import Access
from lamella_adapters.mcp.http.app import Operation, make_app
from lamella_adapters.mcp.http.endpoint import CALL_SECONDS, Endpoint
from lamella_adapters.mcp.http.gate import MOST_OF_ONE, Gate
from lamella_adapters.mcp.http.operation.logs import log_to_stderr, note
from lamella_adapters.mcp.http.operation.metrics import Metrics
from lamella_adapters.mcp.http.operation.readiness import Readiness
from lamella_adapters.mcp.http.operation.workers import Worker, supervise
from lamella_adapters.mcp.http.options import HttpOptions
from lamella_adapters.mcp.http.rates import Rates
from lamella_adapters.mcp.http.tenants import Tenants
from lamella_adapters.process.tables import sentences

_MOST_CONNECTIONS = 1_000
"""Maximum simultaneous connections. Further connections get status 503."""

_THREADS = 32
"""Number of worker threads. They look up tokens and run calls. A timed-out call keeps its thread until it ends."""

_SWITCH_SECONDS = 0.0005
"""Thread switch interval in seconds.

With Python's default of 5 ms, each step of a call may wait 5 ms for the GIL.
"""

_IDLE_SECONDS = 75
"""Keep-alive timeout. It is longer than the timeouts of common proxies, so that they close first."""

_HEADERS = {"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}


class _Connection(GuardedConnection):
    refusal_headers = _HEADERS
    most_of_one = MOST_OF_ONE


class _ProxyConnection(GuardedConnection):
    refusal_headers = _HEADERS


def serve(
    settings: Settings,
    options: HttpOptions,
    let_in: Callable[[Lamella], Access],
    *,
    announce: Callable[[str, str], None],
) -> None:
    """Serve until SIGTERM or SIGINT.

    Args:
        settings: Settings of the process.
        options: Options of the server.
        let_in: Factory of the access checks.
        announce: Called when the server is listening, with the endpoint's URL and the listening address.

    Raises:
        AdvisedError: The port or the certificate can't be used, or `let_in` finds the server unsafe.
        LamellaError: A setting is invalid, or the storage can't be opened.
    """
    _require_readable(options)
    sys.setswitchinterval(_SWITCH_SECONDS)
    listens = partial(listening, options.address, options.port, _MOST_CONNECTIONS)

    def work(listens: Callable[[], AbstractContextManager[socket.socket]], worker: Worker | None = None) -> None:
        # Don't wait for the embedding model (`patient`): until it is loaded, search by words.
        with running(evolve(settings, patient=False)) as lamella:
            access = let_in(lamella)
            with listens() as listener:
                log_to_stderr()
                server = _Server(settings, options, lamella, access, listener, worker)
                asyncio.run(server.run(announce))

    if options.workers == 1:
        work(listens)
    else:
        with listens() as listener:
            supervise(options.workers, lambda worker: work(lambda: nullcontext(listener), worker))


def _require_readable(options: HttpOptions) -> None:
    """Check the certificate before anything is started.

    Raises:
        AdvisedError: Certificate or key can't be read, isn't PEM, or they don't match.
    """
    if options.certificate is not None and options.key is not None:
        try:
            ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(options.certificate, options.key)
        except OSError:
            raise AdvisedError(**sentences(__file__, "certificate")) from None


class _Uvicorn(AnnouncedServer):
    """HTTP server without signal handlers; `_Server` has its own."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Install no signal handlers."""
        yield


@define(eq=False)
class _Server:
    """Server with graceful shutdown.

    Attributes:
        settings: Settings of the process.
        options: Options of the server.
        lamella: Use cases of the process.
        access: Authenticates callers.
        listener: Listening socket.
        worker: This process among the workers that share the socket; None if the server is a single process.
    """

    settings: Settings
    options: HttpOptions
    lamella: Lamella
    access: Access
    listener: socket.socket
    worker: Worker | None = None
    _readiness: Readiness = field(init=False)
    _end: asyncio.Event = field(factory=asyncio.Event)
    """Set when the server stops accepting requests."""

    def __attrs_post_init__(self) -> None:
        self._readiness = Readiness(self.lamella.storage)

    async def run(self, announce: Callable[[str, str], None]) -> None:
        """Serve until SIGTERM or SIGINT."""
        anyio.to_thread.current_default_thread_limiter().total_tokens = _THREADS
        options, port = self.options, self.listener.getsockname()[1]
        tenants, embedding = Tenants(self.lamella), self.lamella.embedding
        metrics = Metrics(self.lamella.storage.pool, lambda: embedding.backlog if embedding else 0)
        rates = Rates(options.rate)
        endpoint = Endpoint(
            self.access, tenants, options.toolset, options.read_only, rates, metrics, self._readiness
        )
        worker = self.worker
        operation = Operation(self.access, self._readiness, metrics, tenants, worker)
        gate = Gate(
            make_app(endpoint, operation, self.access.routes),
            options.hosts(port),
            options.origins(port),
            options.behind_proxy,
            self._readiness,
            metrics,
        )
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, self._terminated)
        loop.add_signal_handler(signal.SIGINT, self._end.set)
        async with endpoint.running(), worker.sharing(operation.own_metrics) if worker else nullcontext():
            url, place = options.own_url(port), f"{options.address}:{port}"

            def started() -> None:
                note("serving", url=url, place=place, worker=worker.number if worker else None)
                if worker is None or worker.started():
                    announce(url, place)

            server = _Uvicorn(self._config(gate), started)
            serving = asyncio.create_task(server.serve([self.listener]))
            maintaining = Maintaining(lambda: tenants.uses, tenants.maintain)
            background = begin(self.settings, lambda: self.lamella, maintaining)
            await self._end.wait()
            self._readiness.draining = True
            server.should_exit = True
            await serving
        background.close()
        note("ended")

    def _terminated(self) -> None:
        """Drain for a while, so that load balancers notice. A second SIGTERM stops the server immediately."""
        if self._readiness.draining:
            self._end.set()
            return
        self._readiness.draining = True
        note("draining", seconds=self.options.drain)
        asyncio.get_running_loop().call_later(self.options.drain, self._end.set)

    def _config(self, gate: Gate) -> uvicorn.Config:
        options = self.options
        return configured(
            gate,
            _ProxyConnection if options.behind_proxy else _Connection,
            _MOST_CONNECTIONS,
            log_config=None,
            backlog=_MOST_CONNECTIONS,
            timeout_keep_alive=_IDLE_SECONDS,
            timeout_graceful_shutdown=round(CALL_SECONDS) + 1,
            ssl_certfile=options.certificate,
            ssl_keyfile=options.key,
        )
