"""Prometheus metrics. Label values never come from callers, and the number of tenant labels is limited."""

from collections.abc import Callable, Iterator, Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector

CONTENT_TYPE = CONTENT_TYPE_LATEST

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)

MOST_TENANTS = 100
"""Maximum number of tenants with their own label, in order of first call. All others count as `other`."""


class Metrics:
    """Metrics of one server.

    Attributes:
        requests: Requests by path and status.
        refusals: Requests rejected before a tool call, by reason.
        calls: Tool calls by tool and outcome.
        seconds: Duration of tool calls, by tool.
        under_way: Requests in progress.
        storage_errors: Storage errors in tool calls, by type.
        tenants: Number of open tenants.
        quotas: Used shares of quotas, by tenant and bound.
        ready: 1 if the server is ready.
    """

    def __init__(self, pool: Callable[[], Mapping[str, float]], pending: Callable[[], int]) -> None:
        self._registry = here = CollectorRegistry()
        self.requests = Counter(
            "lamella_http_requests", "Requests by path and status.", ["path", "status"], registry=here
        )
        self.refusals = Counter("lamella_http_refusals", "Requests refused, by reason.", ["reason"], registry=here)
        self.calls = Counter(
            "lamella_tool_calls", "Calls of tools by outcome.", ["tool", "outcome"], registry=here
        )
        self.seconds = Histogram(
            "lamella_tool_seconds", "Seconds of calls.", ["tool"], buckets=_SECONDS, registry=here
        )
        self.storage_errors = Counter("lamella_storage_errors", "Errors of the storage.", ["kind"], registry=here)
        self._tenants: set[str] = set()
        self._tenant_calls = Counter("lamella_tenant_calls", "Calls.", ["tenant", "outcome"], registry=here)
        self._tenant_seconds = Counter("lamella_tenant_seconds", "Seconds of calls.", ["tenant"], registry=here)
        Gauge("lamella_embeddings_pending", "Memories without a vector.", registry=here).set_function(pending)
        here.register(_Pool(pool))
        self.under_way = Gauge("lamella_http_requests_under_way", "Requests being answered.", registry=here)
        self.tenants = Gauge("lamella_tenants_open", "Tenants kept open.", registry=here)
        self.quotas = Gauge("lamella_tenant_quota_used", "Used share.", ["tenant", "quota"], registry=here)
        self.ready = Gauge("lamella_ready", "1 if requests are welcome.", registry=here)

    def count_call(self, tenant: str, tool: str, outcome: str, seconds: float) -> None:
        """Count a finished call of a tool, with its outcome and duration.

        After `MOST_TENANTS` tenants, calls of further tenants count as `other`.
        """
        self.calls.labels(tool, outcome).inc()
        self.seconds.labels(tool).observe(seconds)
        if len(self._tenants) < MOST_TENANTS:
            self._tenants.add(tenant)
        shown = tenant if tenant in self._tenants else "other"
        self._tenant_calls.labels(shown, outcome).inc()
        self._tenant_seconds.labels(shown).inc(seconds)

    def text(self) -> bytes:
        """Return all metrics in Prometheus' text format."""
        return generate_latest(self._registry)


class _Pool(Collector):
    """Collector of metrics of the storage's connection pool. Without a pool, there are no such metrics."""

    def __init__(self, pool: Callable[[], Mapping[str, float]]) -> None:
        self._pool = pool

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics of the pool."""
        if figures := self._pool():
            yield GaugeMetricFamily("lamella_storage_connections", "Connections.", figures["connections"])
            yield GaugeMetricFamily(
                "lamella_storage_waiting", "Calls waiting for a connection.", figures["waiting"]
            )
            yield CounterMetricFamily(
                "lamella_storage_waits", "Calls that had to wait for a connection.", figures["waits"]
            )
            seconds = figures["wait_ms"] / 1000
            yield CounterMetricFamily(
                "lamella_storage_wait_seconds", "Seconds that calls have waited for a connection.", seconds
            )
