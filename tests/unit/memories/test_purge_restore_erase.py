from collections.abc import Callable
from datetime import datetime
from functools import partial
from types import SimpleNamespace

import pytest
from attrs import define

from lamella.ports.storage.storage import Capability
from lamella_adapters.cli.memories.erase import _erase_memories
from lamella_contracts.fixtures.project import signed
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import FixedClock, LackingStorage


@pytest.mark.parametrize("declared", [True, False])
def test_an_erase_promises_of_bytes_what_the_storage_declares(declared: bool) -> None:
    desk = Desk(storage=LackingStorage(set() if declared else {Capability.ERASE_BYTES}))
    id = str(desk.save("a zebra").id)
    lamella = SimpleNamespace(erase=desk.erase, storage=desk.storage)
    report = _erase_memories(lamella, desk.call, (id,), yes=True)  # type: ignore[arg-type]
    removed, _, beyond = report.partition("Out of reach: ")
    assert ("the database's log" in removed, "bytes in files of the database" in beyond) == (
        declared,
        not declared,
    )


def test_a_report_repeats_the_beginning_of_a_long_id_only() -> None:
    desk = Desk()
    desk.save("a zebra")
    assert desk.purge(desk.call, ["x" * 3_000, "dead"]).report("Purged")[1:] == [
        "x" * 200 + ": not found",
        "dead: not found",
    ]


@define
class ErasingClock(FixedClock):
    """Another process erases a memory while we look at the clock."""

    meanwhile: Callable[[], object] = tuple

    def now(self) -> datetime:
        self.meanwhile()
        return self.moment


def test_what_was_erased_meanwhile_is_not_found() -> None:
    desk = Desk()
    one = desk.save("one")
    clock = ErasingClock(meanwhile=partial(desk.observations.erase, [one.id], by=signed()))
    desk.clock = clock
    assert desk.purge(desk.call, ["00000001"]).failures == {"00000001": "not found"}


def test_what_would_be_erased_can_be_seen_before_and_is_untouched_by_that() -> None:
    desk = Desk()
    one = desk.save("a zebra")
    desk.purge(desk.call, ["00000001"])
    preview = desk.erase.preview(desk.call, ["00000001", "dead"])
    assert [(id, hit.observation) for id, hit in preview.found.items()] == [("00000001", desk.kept(one.id))]
    assert preview.missing == ["dead"]
