"""Gate in front of all routes: checks `Host` and `Origin` of each request, counts and logs it.

The checks stop requests that a web page sends through its visitor's browser. An attacker's domain can be made to
resolve to this server (DNS rebinding), so `Host` is checked before `Origin`.
"""

import logging
import time
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from http import HTTPStatus

from attrs import asdict, define, field, frozen
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lamella.domain.errors import LamellaError
from lamella.domain.memories.errors import NothingFoundError
from lamella_adapters.connections import owner_of, without_port
from lamella_adapters.mcp.http.answers import problem
from lamella_adapters.mcp.http.operation.logs import note, note_failure
from lamella_adapters.mcp.http.operation.metrics import Metrics
from lamella_adapters.mcp.http.operation.readiness import Readiness
from lamella_adapters.process.urls import ENDPOINT

HEALTH, READY, METRICS = "/healthz", "/readyz", "/metrics"

_PROBES = (HEALTH, READY)
"""Paths exempt from the checks, because load balancers probe them under any host name. Answers are a yes or no."""

_KNOWN = frozenset({ENDPOINT, HEALTH, READY, METRICS})
_FORWARDED = (
    *("cf-", "fastly-client-ip", "fly-", "forwarded", "tailscale-", "true-client-ip", "via"),
    *("x-amzn-", "x-azure-", "x-client-ip", "x-cluster-client-ip", "x-envoy-", "x-forwarded-", "x-real-ip"),
)
"""Prefixes of headers that proxies add."""

MOST_OF_ONE = 200
"""Maximum number of simultaneous connections of one address owner; see `owner_of`.

Behind a proxy, it is the maximum number of simultaneous requests.
"""


@define
class Noted:
    """Log record of a request, filled in while it is handled.

    Attributes:
        client: IP address of the caller; behind a proxy, from `X-Forwarded-For`. None if unknown.
        owner: Owner of this address; see `owner_of`.
        caller: Name of the token or subject.
        tenant: Tenant of the caller.
        method: MCP method.
        tool: Name of the called tool; `other` for an unknown tool.
        outcome: `success`, `empty` if nothing was found, `error` for an expected error, or `failure`.
        error: Type of the error. Its message could quote the caller, so it isn't logged.
        cause: Type of the underlying error, such as an error of the database driver.
        refused: Reason for rejecting the request before its call.
    """

    client: str | None = None
    owner: str | None = None
    caller: str | None = None
    tenant: str | None = None
    method: str | None = None
    tool: str | None = None
    outcome: str | None = None
    error: str | None = None
    cause: str | None = None
    refused: str | None = None

    def fail(self, error: BaseException) -> None:
        """Record the error of the call."""
        known = "empty" if isinstance(error, NothingFoundError) else "error"
        self.outcome = known if isinstance(error, LamellaError) else "failure"
        self.error = type(error).__name__
        self.cause = None if error.__cause__ is None else type(error.__cause__).__name__

    def level(self, status: int) -> int:
        """Return the log level for a response with this HTTP status."""
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR or self.outcome == "failure":
            return logging.ERROR
        return logging.WARNING if self.refused or self.outcome == "error" else logging.INFO


@frozen
class Gate:
    """ASGI middleware that checks, counts and logs requests.

    Attributes:
        app: Application behind the gate.
        hosts: Accepted values of `Host`, in lower case.
        origins: Accepted values of `Origin`.
        behind_proxy: True if all requests come through a proxy.
        readiness: Readiness. While the server drains, responses close their connections.
        metrics: Metrics to count requests in.
    """

    app: ASGIApp
    hosts: Collection[str]
    origins: Collection[str]
    behind_proxy: bool
    readiness: Readiness
    metrics: Metrics
    _under_way: Counter[str | None] = field(factory=Counter)
    """Number of requests in progress, keyed by address owner."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request, and pass it on or reject it."""
        address = self._address(scope)
        noted, began, status = Noted(address, owner_of(address)), time.perf_counter(), 0
        scope["state"] = {**scope.get("state", {}), "noted": noted}

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                if self.readiness.draining:
                    MutableHeaders(scope=message)["connection"] = "close"
            await send(message)

        try:
            with self._counted(noted.owner), self.metrics.under_way.track_inprogress():
                await (self._refusal(scope, noted) or self.app)(scope, receive, sending)
        except Exception as error:  # noqa: BLE001 - callers must not see details of any error
            note_failure("failure", error)
            if not status:
                await problem(500, "Something went wrong inside the server.")(scope, receive, sending)
        finally:
            self._note(scope, noted, status, time.perf_counter() - began)

    def _refusal(self, scope: Scope, noted: Noted) -> Response | None:
        """Return the error response for a request to reject; None to let it pass."""
        headers = Headers(scope=scope)
        hosts = [each.lower() for each in headers.getlist("host")]
        if scope["path"] in _PROBES:
            return None
        if len(hosts) != 1 or hosts[0] not in self.hosts:
            noted.refused = "host"
            return problem(421, "This server refuses that host name. Use the address given by --url.")
        if not set(self.origins).issuperset(headers.getlist("origin")):
            noted.refused = "origin"
            return problem(403, "This request comes from a page of another site.")
        if not self.behind_proxy and _shows_proxy(scope, headers):
            noted.refused = "proxy"
            return problem(
                403,
                "This request came through a proxy, or over HTTP/1.0 as from a proxy."
                " To serve behind a proxy: lamella serve --behind-proxy",
            )
        if noted.owner is not None and self._under_way[noted.owner] > MOST_OF_ONE:
            noted.refused = "address"
            return problem(429, "Too many requests at once from this address.", retry_after="1")
        return None

    @contextmanager
    def _counted(self, owner: str | None) -> Iterator[None]:
        """Count a request in progress within the block."""
        self._under_way[owner] += 1
        try:
            yield
        finally:
            self._under_way[owner] -= 1
            if not self._under_way[owner]:
                del self._under_way[owner]

    def _address(self, scope: Scope) -> str | None:
        """Return the IP address of the caller. Behind a proxy, it is the last entry of `X-Forwarded-For`.

        The proxy itself appends the last entry; earlier entries come from the caller and can be forged.
        """
        if not self.behind_proxy:
            return scope["client"][0] if scope.get("client") else None
        forwarded = "".join(Headers(scope=scope).getlist("x-forwarded-for")[-1:]).rpartition(",")[2].strip()
        address = without_port(forwarded)
        return address if owner_of(address) else None

    def _note(self, scope: Scope, noted: Noted, status: int, seconds: float) -> None:
        path = scope["path"] if scope["path"] in _KNOWN else "other"
        self.metrics.requests.labels(path, str(status)).inc()
        if noted.refused is not None:
            self.metrics.refusals.labels(noted.refused).inc()
        if path in _PROBES:
            return
        note(
            "request",
            level=noted.level(status),
            path=path,
            status=status,
            ms=round(1000 * seconds, 1),
            **asdict(noted, filter=lambda each, _: each.name != "owner"),
        )


def _shows_proxy(scope: Scope, headers: Headers) -> bool:
    """Return True if a request came through a proxy.

    With its default configuration, nginx adds no header, and is recognised by its HTTP/1.0.
    """
    return scope["http_version"] == "1.0" or any(name.startswith(_FORWARDED) for name in headers)
