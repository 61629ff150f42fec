"""Numbers for Prometheus. No label has a value that callers choose."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

CONTENT_TYPE = CONTENT_TYPE_LATEST

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """Counters of one server.

    Attributes:
        requests: Requests by path and status.
        refusals: Requests that were refused before they reached a tool, by reason.
        calls: Calls of tools by tool and outcome.
        seconds: Time that calls took, by tool.
        under_way: Requests that are being answered.
        tenants: Tenants whose use cases are kept open.
        ready: 1 if requests are welcome, as of the last time that somebody asked.
    """

    def __init__(self) -> None:
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
        self.under_way = Gauge("lamella_http_requests_under_way", "Requests being answered.", registry=here)
        self.tenants = Gauge("lamella_tenants_open", "Tenants kept open.", registry=here)
        self.ready = Gauge("lamella_ready", "1 if requests are welcome.", registry=here)

    def text(self) -> bytes:
        """Return all of them as Prometheus reads them."""
        return generate_latest(self._registry)
