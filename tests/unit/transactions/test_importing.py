"""Decisions about memories, edits and entries from elsewhere."""

from typing import Any
from uuid import UUID

from attrs import evolve

from lamella.domain.audit.entry import Action, AuditEntry
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.ledger.fingerprints import LineFingerprints
from lamella.domain.memories.observation import CodeChange, Kind
from lamella.domain.text.marks import memory_mark
from lamella.domain.transactions.importing import (
    ImportResult,
    decide_amendments,
    decide_arrivals,
    decide_entries,
    known,
    look_for_arrivals,
    look_for_known,
)
from lamella.domain.transactions.look import Look, Status
from lamella.domain.transactions.other_writes import AddEntry, Amend, NameInEntry, RememberRequest  # noqa: F401 - for the table
from lamella.domain.transactions.plan import Insert, Plan
from tests.unit.support.tables import cases
from tests.unit.transactions.tiny import START, facts, observed, signed

LIVE, PURGED, ERASED, HERE_AGAIN, NEW = (UUID(int=number) for number in range(1, 6))
THERE = facts(
    statuses={LIVE: Status(False, "p"), PURGED: Status(True, "p"), HERE_AGAIN: Status(False, "p")},
    erased=frozenset({memory_mark(ERASED), memory_mark(HERE_AGAIN)}),
)
IMPORT = AuditEntry(id=UUID(int=99), action=Action.IMPORT, by=signed())


def arrival(number: int, **fields: Any) -> Arrival:
    """Return an observation of another storage."""
    return Arrival(observation=observed(number, f"said {number}", project="q", origin="q", **fields))


def placed(arriving: Arrival, sequence: int, **fields: Any) -> Insert:
    """Return the write that stores it."""
    said = evolve(arriving.observation, project="p", sequence=sequence)
    given: dict[str, Any] = {"fingerprint": said.fingerprint, "request": arriving.request, **fields}
    return Insert(observation=said, **given)


def test_reasons_are_in_the_order_of_the_ids_and_what_is_here_is_not_erased() -> None:
    ids = (HERE_AGAIN, ERASED, NEW, PURGED, LIVE)
    assert look_for_known(ids) == Look(ids=ids, marks=tuple(map(memory_mark, ids)))
    assert list(known(ids, THERE).items()) == [
        (HERE_AGAIN, ImportResult.KNOWN),
        (ERASED, ImportResult.ERASED),
        (PURGED, ImportResult.PURGED),
        (LIVE, ImportResult.KNOWN),
    ]


LINES = (LineFingerprints(removed=frozenset({1})),)
CAPTURE = evolve(
    arrival(5, kind=Kind.CHANGE, changes=(CodeChange(path="a.py"),)), request="capture-1", lines=LINES
)
NOTE = evolve(arrival(6), request="call-1")


@cases
def test_what_is_new_is_stored_and_the_import_named(
    arriving: list[Arrival], entry: AuditEntry | None, plan: Plan, outcomes: tuple[ImportResult, ...]
) -> None:
    assert decide_arrivals(arriving, entry, THERE) == (plan, outcomes)


def test_an_arrival_may_be_derived_ahead() -> None:
    arriving = [arrival(5)]
    assert look_for_arrivals(arriving).incoming == (arriving[0].observation,)


def test_an_edit_that_is_here_gets_what_it_says_elsewhere() -> None:
    here, there = observed(1, actor="user"), arrival(1, updated_at=START)
    plan = (Amend(observation=there.amended(here), lines=there.fingerprints),)
    assert decide_amendments([there, arrival(2)], facts(observations={here.id: here})) == (plan, None)


def test_entries_name_memories_that_are_here_and_count_the_others() -> None:
    entry = AuditEntry(
        id=UUID(int=7), action=Action.EDIT, by=signed(), added=(NEW, LIVE, LIVE), purged=(PURGED,), count=9
    )
    plain = evolve(entry, added=(), purged=(), count=7)
    named = NameInEntry(entry=entry.id, added=(LIVE,), purged=(PURGED,))
    nameless = evolve(plain, id=UUID(int=8), count=1)
    plan = (AddEntry(plain), named, AddEntry(nameless))
    assert decide_entries([entry, nameless], THERE) == (plan, None)
    few = evolve(entry, count=0)
    assert decide_entries([few], THERE)[0][0] == AddEntry(evolve(plain, count=0))
