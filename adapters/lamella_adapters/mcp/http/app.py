"""Routes of the server: the MCP endpoint, and health, readiness and metrics for operators."""

from collections.abc import Sequence
from http import HTTPStatus

from attrs import frozen
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from lamella.domain.access.grant import Scope
from lamella_adapters.mcp.http import answers, callers, gate
from lamella_adapters.mcp.http.access.access import Access
from lamella_adapters.mcp.http.endpoint import Endpoint
from lamella_adapters.mcp.http.operation.metrics import CONTENT_TYPE, Metrics
from lamella_adapters.mcp.http.operation.readiness import Readiness
from lamella_adapters.mcp.http.operation.workers import Worker
from lamella_adapters.mcp.http.tenants import Tenants
from lamella_adapters.process.urls import ENDPOINT


def make_app(endpoint: Endpoint, operation: "Operation", routes: Sequence[BaseRoute]) -> Starlette:
    """Return the ASGI application that the gate passes requests to.

    Args:
        endpoint: MCP endpoint.
        operation: Handlers for operators.
        routes: Further routes, such as OAuth metadata.
    """
    own = [
        Route(ENDPOINT, endpoint),
        Route(gate.HEALTH, operation.health),
        Route(gate.READY, operation.ready),
        Route(gate.METRICS, operation.show_metrics),
    ]
    app = Starlette(routes=[*own, *routes], exception_handlers={HTTPException: _unknown})
    app.router.redirect_slashes = False
    return app


@frozen
class Operation:
    """Request handlers for operators.

    Attributes:
        access: Authenticates requests for metrics.
        readiness: Readiness of the server.
        metrics: Metrics to show.
        tenants: Open tenants.
        worker: This process among the workers; None if the server is a single process.
    """

    access: Access
    readiness: Readiness
    metrics: Metrics
    tenants: Tenants
    worker: Worker | None = None

    async def health(self, _: Request) -> Response:
        """Respond to a liveness probe."""
        return PlainTextResponse("ok\n")

    async def ready(self, _: Request) -> Response:
        """Respond to a readiness probe: 200 if the server can handle requests, else 503 with the reason."""
        trouble = await run_in_threadpool(self.readiness.trouble)
        return PlainTextResponse("ready\n") if trouble is None else answers.problem(503, trouble)

    async def show_metrics(self, request: Request) -> Response:
        """Respond with the metrics, to callers with the scope `memory:metrics` or `memory:admin`."""
        try:
            await callers.recognised(request, self.access, Scope.METRICS)
        except answers.RefusedRequestError as error:
            request.state.noted.refused = error.reason
            return error.answer
        text = await (self.own_metrics() if self.worker is None else self.worker.gathered())
        return Response(text, headers={"content-type": CONTENT_TYPE})

    async def own_metrics(self) -> bytes:
        """Return the metrics of this process in Prometheus' text format."""
        self.metrics.ready.set(await run_in_threadpool(self.readiness.trouble) is None)
        self.metrics.tenants.set(len(self.tenants))
        self.metrics.quotas.clear()
        for size in self.tenants.sizes():
            for bound, share in size.shares.items():
                self.metrics.quotas.labels(size.name, bound).set(share)
        return self.metrics.text()


async def _unknown(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 400
    return answers.problem(
        status, "There is nothing here." if status == HTTPStatus.NOT_FOUND else "This method is not supported."
    )
