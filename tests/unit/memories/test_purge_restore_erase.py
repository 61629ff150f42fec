from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from types import SimpleNamespace
from uuid import UUID

import pytest
from attrs import define, evolve

from lamella.application.memories.purge_restore_erase import StatusChangeOutcome
from lamella.domain.errors import UnknownProjectError
from lamella.domain.memories.errors import NothingFoundError
from lamella.domain.memories.query import ById, ByText
from lamella.ports.storage.storage import Capability
from lamella_adapters.cli.memories.erase import _erase_memories
from lamella_contracts.fixtures.project import signed
from tests.unit.support.doubles import CALL, Desk
from tests.unit.support.stand_ins import DAWN, FixedClock, LackingStorage, numbered


def test_a_purge_takes_memories_out_of_search_at_the_moment_of_the_clock_and_a_restore_brings_them_back() -> None:
    desk = Desk()
    one = desk.save("a zebra")
    desk.clock.advance(timedelta(hours=1))
    assert desk.purge(desk.call, ["00000001"]) == StatusChangeOutcome(changed=(one,))
    purged = evolve(one, purged_at=DAWN + timedelta(minutes=61), updated_at=DAWN + timedelta(minutes=61))
    assert desk.kept(one.id) == purged
    with pytest.raises(NothingFoundError):
        desk.recall(ByText("zebra"))
    assert desk.restore(desk.call, ["00000001"]) == StatusChangeOutcome(changed=(purged,))
    assert desk.shown(ByText("zebra"))[0].startswith("[1] 00000001 | a zebra | ")


def test_one_id_that_fails_never_stops_the_others_and_says_why() -> None:
    desk = Desk()
    desk.ids.first = [UUID(f"beef000{number}-0000-4000-8000-000000000000") for number in (1, 2)]
    for number in range(4):
        desk.save(f"text {number}", title="" if number else "Zero")
    desk.purge(desk.call, ["00000001"])
    outcome = desk.purge(desk.call, ["dead", "00000002", "beef", "00000001", "00000002", "dead"])
    assert outcome.report("Purged") == [
        "Purged 1/4 memories.",
        "dead: not found",
        "beef: ambiguous: beef0001 (Zero); beef0002 (text 1)",
        "00000001: already purged",
    ]
    restored = desk.restore(desk.call, ["00000001", str(numbered(1)), "00000002", "dead"])
    assert restored.report("Restored") == ["Restored 2/3 memories.", "dead: not found"]
    assert desk.restore(desk.call, ["00000001"]).report("Restored")[1:] == ["00000001: not purged"]


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


def test_the_report_repeats_an_id_on_one_line_with_nothing_hidden() -> None:
    assert Desk().purge(CALL, ["a\n---\u202e"]).report("Purged") == [
        "Purged 0/1 memories.",
        "a ---\\u{202E}: not found",
    ]


def test_a_report_repeats_the_beginning_of_a_long_id_only() -> None:
    desk = Desk()
    desk.save("a zebra")
    assert desk.purge(desk.call, ["x" * 3_000, "dead"]).report("Purged")[1:] == [
        "x" * 200 + ": not found",
        "dead: not found",
    ]


def test_what_is_erased_is_gone_for_good() -> None:
    desk = Desk()
    one, two = desk.save("one"), desk.save("two")
    desk.purge(desk.call, [str(two.id)])
    outcome = desk.erase(desk.call, ["00000001", "00000002", "dead"])
    assert (len(outcome.changed), outcome.failures) == (2, {"dead": "not found"})
    assert [each.id for each in outcome.changed] == [one.id, two.id]
    with pytest.raises(NothingFoundError):
        desk.recall(ById("00000001"), include_purged=True)


@pytest.mark.parametrize("verb", ["purge", "restore", "erase"])
def test_a_change_is_of_the_project_that_is_named(verb: str) -> None:
    desk = Desk()
    desk.save("one")
    elsewhere = desk.storage.registry.at(desk.tree.locate(desk.call.directory / "elsewhere"), now=DAWN)
    change = getattr(desk, verb)
    assert change(evolve(desk.call, project=elsewhere.id), ["00000001"]) == StatusChangeOutcome(
        failures={"00000001": "not found"}
    )
    with pytest.raises(UnknownProjectError):
        change(evolve(desk.call, project="nowhere"), ["00000001"])


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
