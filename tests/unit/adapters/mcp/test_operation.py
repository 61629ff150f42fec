"""What operators of a server over HTTP see of it."""

import logging
import re

import anyio

from lamella.domain.errors import LamellaError, StorageBusyError, StorageFullError, StorageReadOnlyError
from lamella.domain.memories.errors import NothingFoundError
from lamella_adapters.mcp.http.gate import Noted
from lamella_adapters.mcp.http.operation.metrics import MOST_TENANTS, Metrics
from lamella_adapters.mcp.http.operation.readiness import Readiness
from lamella_adapters.mcp.server.worker_threads import on_failure, run_guarded
from lamella_adapters.memory import InMemoryStorage
from tests.unit.support.tables import cases

FULL = StorageFullError(reason="The disk is full.", advice="Free some space.")
READ_ONLY = StorageReadOnlyError(reason="It can be read.", advice="Wait for a leader.")
EMPTY = NothingFoundError(asked="x")
BUSY = StorageBusyError(reason="It is busy.", advice="Try again.")


@cases
def test_a_call_that_fails_is_noted_with_its_reason(error: Exception, outcome: str, kind: str, level: int) -> None:
    noted = Noted()

    def failing() -> None:
        raise error from TimeoutError("of the driver")

    async def called() -> None:
        on_failure.set(noted.fail)
        await run_guarded(failing)

    anyio.run(called)
    assert (noted.outcome, noted.error, noted.cause) == (outcome, kind, "TimeoutError")
    levels = (noted.level(200), noted.level(503), Noted(refused="rate").level(429))
    assert levels == (level, logging.ERROR, logging.WARNING)


@cases
def test_a_server_is_not_ready_while_saving_can_not_work(error: LamellaError, told: str | None) -> None:
    readiness = Readiness(InMemoryStorage())
    readiness.note_save(error)
    assert readiness.trouble() == told
    readiness.note_save()
    assert readiness.trouble() is None


def test_few_tenants_have_numbers_of_their_own() -> None:
    figures = {"connections": 3, "waiting": 1, "waits": 2, "wait_ms": 500}
    metrics = Metrics(lambda: figures, lambda: 7)
    for number in range(MOST_TENANTS + 50):
        metrics.count_call(f"tenant {number}", "recall", "empty", 0.25)
    shown = dict(re.findall(r"^(\S+(?:{.*})?) (\S+)$", metrics.text().decode(), re.MULTILINE))
    tenants = {name: value for name, value in shown.items() if name.startswith("lamella_tenant_calls_total")}
    assert len(tenants) == MOST_TENANTS + 1
    assert tenants['lamella_tenant_calls_total{outcome="empty",tenant="other"}'] == "50.0"
    assert shown['lamella_tenant_seconds_total{tenant="tenant 0"}'] == "0.25"
    assert (shown["lamella_embeddings_pending"], shown["lamella_storage_connections"]) == ("7.0", "3.0")
    assert (shown["lamella_storage_waits_total"], shown["lamella_storage_wait_seconds_total"]) == ("2.0", "0.5")
