"""MCP endpoint: authenticates requests, enforces limits, and hands them to the SDK. There are no HTTP sessions."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from itertools import product
from typing import Any, cast

from attrs import define, field
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http import check_accept_headers
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from starlette.requests import ClientDisconnect, Request
from starlette.types import Message, Receive, Send
from starlette.types import Scope as Asked

from lamella.container import Lamella
from lamella.domain.access.grant import Scope
from lamella.domain.call import Call
from lamella.domain.errors import InvalidValueError, StorageError
from lamella_adapters.mcp.http import callers, direct, gate, offer, queue
from lamella_adapters.mcp.http.access.access import Access
from lamella_adapters.mcp.http.answers import RefusedRequestError, problem
from lamella_adapters.mcp.http.operation.metrics import Metrics
from lamella_adapters.mcp.http.operation.readiness import Readiness
from lamella_adapters.mcp.http.rates import Rates
from lamella_adapters.mcp.http.request_context import RequestContext
from lamella_adapters.mcp.http.tenants import Tenants
from lamella_adapters.mcp.server.handlers import make_server
from lamella_adapters.mcp.server.worker_threads import on_failure
from lamella_adapters.mcp.toolsets.registry import instructions
from lamella_adapters.operations import HOOKS, TOOLSET
from lamella_adapters.process.start import ALL, TOOLSETS

MAX_BODY_BYTES = 4 * 1024 * 1024

BODY_SECONDS = 10.0
"""Timeout for the whole body of a request."""

CALL_SECONDS = 30.0
"""Timeout of a call."""

_HANDSHAKE = ("initialize", "notifications/initialized")
"""Methods handled by the SDK alone."""

_ASKING = frozenset({"completion/complete", "prompts/get", "resources/list", "resources/read", "tools/call"})
"""Methods that use the storage. Their calls go through the queue."""

_Context = ServerRequestContext[Any, Any]
_Kind = tuple[bool, bool, bool]
"""Kind of caller, as three booleans.

In order: writes are allowed; token or header names the project; the caller wants reports of progress, so it gets
an event stream.
"""


@define(eq=False)
class Endpoint:
    """ASGI application of the MCP endpoint.

    Attributes:
        access: Authenticates callers.
        tenants: Use cases of each tenant.
        toolset: Comma-separated names of the toolsets.
        read_only: True to offer no caller tools that write.
        rates: Rate limit of each caller.
        metrics: Metrics to count calls in.
        readiness: Readiness of the server, updated with the outcome of each save.
    """

    access: Access
    tenants: Tenants
    toolset: str
    read_only: bool
    rates: Rates
    metrics: Metrics
    readiness: Readiness
    _queue: queue.CallQueue = field(init=False, factory=lambda: queue.CallQueue(CALL_SECONDS))
    _managers: dict[_Kind, StreamableHTTPSessionManager] = field(init=False)
    _writing: frozenset[str] = field(init=False)
    """Tools that write. Callers without the scope `memory:write` don't see them."""
    _servers: dict[tuple[str, bool], Server[Any]] = field(init=False, factory=dict)
    """Servers for calls that name a toolset. A key is a toolset, and True for a server with tools that write."""

    def __attrs_post_init__(self) -> None:
        every, reading = (offer.offered(self.toolset, writes=writes, named=True) for writes in (True, False))
        self._writing = frozenset(every) - frozenset(reading)
        choice = (False, True)
        self._managers = {kind: self._manager(*kind) for kind in product(choice, choice, choice)}

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run the SDK's session managers within the block."""
        async with AsyncExitStack() as stack:
            for each in self._managers.values():
                await stack.enter_async_context(each.run())
            yield

    async def __call__(self, scope: Asked, receive: Receive, send: Send) -> None:
        """Handle a request."""
        request = Request(scope, receive)
        try:
            context = await self._recognised(request)
            body = await _body(request)
            params = _params(body)
            if not context.writes:
                self._require_reading(params)
        except RefusedRequestError as error:
            request.state.noted.refused = error.reason
            await error.answer(scope, receive, send)
            return
        scope["state"]["request_context"] = context
        writes, named = context.writes and not self.read_only, context.project is not None
        streams = _awaits_progress(request, params)
        manager = self._managers[writes, named, streams]
        call = None if streams else direct.direct_call(request, body)
        if call is not None and call.method in _ASKING:
            toolset = request.headers.get(TOOLSET)
            server = manager.app if toolset is None else self._server_of(toolset, writes)
            response = await direct.answer(server, call, request)
            await response(scope, receive, send)
        else:
            await manager.handle_request(scope, _replayed(body, receive), send)

    def _server_of(self, toolset: str, writes: bool) -> Server[Any]:
        """Return a server with the tools of `toolset`, or of this server's toolset if `toolset` is unknown."""
        known = toolset if toolset in {*TOOLSETS, ALL, HOOKS} else self.toolset
        if (known, writes) not in self._servers:
            self._servers[known, writes] = self._server(known, writes, named=True)
        return self._servers[known, writes]

    async def _recognised(self, request: Request) -> RequestContext:
        """Authenticate a request and apply the rate limit. Return its context.

        Raises:
            RefusedRequestError: The request is rejected.
        """
        if request.method != "POST":
            # Reject DELETE, which would end a session, and GET, which would open a stream of server messages: this
            # server has neither.
            raise RefusedRequestError("method", problem(405, "Send a POST.", allow="POST"))
        grant = await callers.recognised(request, self.access)
        if wait := self.rates.wait(f"{grant.tenant}\0{grant.name}"):
            slower = problem(429, f"Too many requests. Try again in {wait} s.", retry_after=str(wait))
            raise RefusedRequestError("rate", slower)
        size = self.tenants.size(grant.tenant)
        if size and size.quota.calls is not None:
            wait = self.rates.wait(f"{grant.tenant}\0", a_minute=size.quota.calls)
            if wait:
                slower = problem(429, f"{size.refusal('calls')} Try again in {wait} s.", retry_after=str(wait))
                raise RefusedRequestError("quota", slower)
        try:
            return RequestContext.of(grant, request)
        except InvalidValueError as error:
            raise RefusedRequestError("headers", problem(400, str(error))) from error

    def _require_reading(self, params: Mapping[str, Any]) -> None:
        """Reject calls of tools that write. The challenge tells the client to request the scope `memory:write`.

        Raises:
            RefusedRequestError: The request calls a tool that writes.
        """
        name = params.get("name")
        if isinstance(name, str) and (name in self._writing or name == HOOKS):
            raise callers.refused("scope", self.access.challenges.insufficient(Scope.WRITE))

    def _manager(self, writes: bool, named: bool, streams: bool) -> StreamableHTTPSessionManager:
        """Return the SDK's session manager for one kind of caller."""
        server = self._server(self.toolset, writes, named=named)
        return StreamableHTTPSessionManager(
            server, json_response=not streams, stateless=True, max_request_body_size=MAX_BODY_BYTES
        )

    def _server(self, toolset: str, writes: bool, *, named: bool) -> Server[Any]:
        """Return the SDK's server with the tools for one kind of caller."""
        tools = offer.offered(toolset, writes=writes, named=named)
        guidance = instructions(self.toolset, reading=not writes)
        server = make_server(tools, guidance, self._opened, seconds=CALL_SECONDS)
        # Without this, the SDK lists all tools before each call.
        server.get_tool_input_schema = {name: tool.schema for name, tool in tools.items()}.get
        server.middleware[:] = [partial(self._observed, server, frozenset(tools))]
        return server

    def _opened(self, context: _Context, request: str | None) -> tuple[Lamella, Call]:
        """Return the use cases of the caller's tenant, and the context of the call."""
        asked: RequestContext = _state(context).request_context
        return self.tenants.of(asked.grant.tenant), asked.call(request)

    async def _observed(
        self, server: Server[Any], tools: frozenset[str], context: _Context, proceed: CallNext
    ) -> HandlerResult:
        """SDK middleware: queue a request, and record its method, tool, outcome and duration."""
        noted: gate.Noted = _state(context).noted
        known = context.method in _HANDSHAKE or server.get_request_handler(context.method)
        noted.method = context.method if known else "other"
        if context.method not in _ASKING:
            return await proceed(context)
        turn = self._queue.turn(_state(context).request_context.grant)
        if context.method != "tools/call":
            async with turn:
                return await proceed(context)
        name = (context.params or {}).get("name")
        noted.tool = name if name in tools else "other"
        on_failure.set(partial(self._failed, noted))
        began, outcome = time.perf_counter(), "failure"
        try:
            async with turn:
                result = await proceed(context)
            # The SDK has converted the `CallToolResult` to a dict.
            failed = isinstance(result, dict) and result.get("isError")
            outcome = (noted.outcome or "error") if failed else "success"
        except MCPError:
            outcome = "error"
            raise
        finally:
            noted.outcome = outcome
            self.metrics.count_call(noted.tenant or "", noted.tool, outcome, time.perf_counter() - began)
        if outcome == "success" and noted.tool in self._writing:
            self.readiness.note_save()
        return result

    def _failed(self, noted: gate.Noted, error: BaseException) -> None:
        """Record the error of a failed call."""
        noted.fail(error)
        if isinstance(error, StorageError):
            self.metrics.storage_errors.labels(type(error).__name__).inc()
            self.readiness.note_save(error)


def _state(context: _Context) -> Any:
    """Return the state of the HTTP request behind an MCP request."""
    return cast("Request", context.request).state


async def _body(request: Request) -> bytes:
    """Read the body of a request.

    Raises:
        RefusedRequestError: The body is too large or too slow, or the caller has disconnected.
    """
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for piece in request.stream():
                body += piece
                if len(body) > MAX_BODY_BYTES:
                    large = f"The body is larger than {MAX_BODY_BYTES} bytes."
                    raise RefusedRequestError("size", problem(413, large, connection="close"))
    except TimeoutError:
        slow = problem(408, "The body took too long to arrive.", connection="close")
        raise RefusedRequestError("slow", slow) from None
    except ClientDisconnect:
        raise RefusedRequestError("gone", problem(400, "The connection was lost.")) from None
    return bytes(body)


def _params(body: bytes) -> Mapping[str, Any]:
    """Return the parameters of an MCP request. Empty for a malformed request, which the SDK rejects later."""
    try:
        params = json.loads(body)["params"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return {}
    return params if isinstance(params, dict) else {}


def _awaits_progress(request: Request, params: Mapping[str, Any]) -> bool:
    """Return True if the caller asks for progress and accepts event streams."""
    metadata = params.get("_meta")
    asks = isinstance(metadata, dict) and "progressToken" in metadata
    return asks and check_accept_headers(request)[1]


def _replayed(body: bytes, receive: Receive) -> Callable[[], Any]:
    """Return an ASGI `receive` that returns a body again after it was read."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return waiting.pop() if waiting else await receive()

    return replay
