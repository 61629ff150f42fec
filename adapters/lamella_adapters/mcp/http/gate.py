"""The gate: what every request passes, and where all are counted and logged.

A page in a browser can send requests to any address, and a name that an attacker owns can be made to lead here. So
the name that a request was sent to comes first, then where it comes from.
"""

import time
from collections.abc import Collection

from attrs import define, frozen
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lamella_adapters.mcp.http.answers import problem
from lamella_adapters.mcp.http.logs import note, note_failure
from lamella_adapters.mcp.http.metrics import Metrics
from lamella_adapters.mcp.http.options import ENDPOINT
from lamella_adapters.mcp.http.readiness import Readiness

HEALTH, READY, METRICS = "/healthz", "/readyz", "/metrics"

_PROBES = (HEALTH, READY)
"""Paths that a balancer asks for under whatever name: they tell nothing but yes or no."""

_KNOWN = frozenset({ENDPOINT, HEALTH, READY, METRICS})
_FORWARDED = frozenset(
    {"forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"}
)
"""Headers by which a proxy is recognised."""


@define
class Noted:
    """Facts of a request that become known while it is answered, for logs.

    Attributes:
        caller: Name of the token or subject.
        tenant: Its tenant.
        method: Method of the protocol.
        tool: Tool that was called, if it is one of ours.
        outcome: What became of the call.
        refused: Reason why it did not come that far.
    """

    caller: str | None = None
    tenant: str | None = None
    method: str | None = None
    tool: str | None = None
    outcome: str | None = None
    refused: str | None = None


@frozen
class Gate:
    """ASGI application in front of all others.

    Attributes:
        app: The others.
        hosts: Names under which the server is reached, with ports.
        origins: Origins of the server's own.
        behind_proxy: True if requests come through a proxy.
        readiness: Tells whether the server is about to end.
        metrics: Counts requests.
    """

    app: ASGIApp
    hosts: Collection[str]
    origins: Collection[str]
    behind_proxy: bool
    readiness: Readiness
    metrics: Metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            return
        noted, began, status = Noted(), time.perf_counter(), 0
        scope["state"] = {**scope.get("state", {}), "noted": noted}

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                if self.readiness.draining:
                    MutableHeaders(scope=message)["connection"] = "close"
            await send(message)

        try:
            with self.metrics.under_way.track_inprogress():
                await (self._refusal(scope, noted) or self.app)(scope, receive, sending)
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller learns nothing of it
            note_failure("failure", error)
            if not status:
                await problem(500, "Something went wrong inside the server.")(scope, receive, sending)
        finally:
            self._note(scope, noted, status, time.perf_counter() - began)

    def _refusal(self, scope: Scope, noted: Noted) -> Response | None:
        """Return the answer to a request that goes no further; None for one that does."""
        headers = Headers(scope=scope)
        hosts = [each.lower() for each in headers.getlist("host")]
        if scope["path"] in _PROBES:
            return None
        if len(hosts) != 1 or hosts[0] not in self.hosts:
            noted.refused = "host"
            return problem(421, "This server is not known under that name.")
        if not set(self.origins).issuperset(headers.getlist("origin")):
            noted.refused = "origin"
            return problem(403, "This request comes from a page of another site.")
        if not self.behind_proxy and not _FORWARDED.isdisjoint(headers):
            noted.refused = "proxy"
            return problem(403, "This server was not started to be behind a proxy: lamella serve --behind-proxy.")
        return None

    def _note(self, scope: Scope, noted: Noted, status: int, seconds: float) -> None:
        path = scope["path"] if scope["path"] in _KNOWN else "other"
        self.metrics.requests.labels(path, str(status)).inc()
        if noted.refused is not None:
            self.metrics.refusals.labels(noted.refused).inc()
        if path in _PROBES:
            return
        client = scope.get("client")
        note(
            "request",
            path=path,
            status=status,
            ms=round(1000 * seconds, 1),
            client=client[0] if client else None,
            caller=noted.caller,
            tenant=noted.tenant,
            method=noted.method,
            tool=noted.tool,
            outcome=noted.outcome,
            refused=noted.refused,
        )
