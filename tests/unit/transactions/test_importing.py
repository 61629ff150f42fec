"""Decisions about memories, edits and entries from elsewhere."""

from typing import Any
from uuid import UUID

from attrs import evolve

from lamella.domain.audit.entry import Action, AuditEntry
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.ledger.hunk_fingerprints import LineFingerprints
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
from lamella.domain.transactions.plan import AddEntry, Amend, Insert, NameInEntry, RememberRequest
from tests.unit.transactions.tiny import START, facts, observed, signed

LIVE, PURGED, ERASED, HERE_AGAIN, NEW = (UUID(int=number) for number in range(1, 6))
THERE = facts(
    statuses={LIVE: Status(purged=False), PURGED: Status(purged=True), HERE_AGAIN: Status(purged=False)},
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


def test_what_is_new_is_stored_after_what_was_erased() -> None:
    arriving = [arrival(number) for number in (1, 3, 5, 2, 6, 5)]
    plan, outcomes = decide_arrivals(arriving, None, THERE)
    assert plan == (placed(arriving[2], 8), placed(arriving[4], 9))
    assert outcomes == (
        ImportResult.KNOWN,
        ImportResult.ERASED,
        ImportResult.NEW,
        ImportResult.PURGED,
        ImportResult.NEW,
        ImportResult.KNOWN,
    )


def test_a_second_mention_of_a_purged_one_is_purged() -> None:
    arriving = [arrival(5, purged_at=START)] * 2
    assert decide_arrivals(arriving, None, THERE)[1] == (ImportResult.NEW, ImportResult.PURGED)


def test_an_arrival_may_be_derived_ahead() -> None:
    arriving = [arrival(5)]
    assert look_for_arrivals(arriving).incoming == (arriving[0].observation,)


def test_only_captures_are_recorded_and_aged_ones_keep_their_lines() -> None:
    lines = (LineFingerprints(removed=frozenset({1})),)
    capture = evolve(
        arrival(5, kind=Kind.CHANGE, changes=(CodeChange(path="a.py"),)), request="capture-1", lines=lines
    )
    note = evolve(arrival(6), request="call-1")
    plan, _ = decide_arrivals([capture, note], None, THERE)
    assert plan == (
        placed(capture, 8, lines=lines),
        RememberRequest(request="capture-1", origin="q"),
        placed(note, 9),
    )


def test_an_import_is_named_with_the_first_that_is_new() -> None:
    plan, _ = decide_arrivals([arrival(1), arrival(5)], IMPORT, THERE)
    assert plan[1:] == (AddEntry(IMPORT), NameInEntry(entry=IMPORT.id, added=(NEW,)))
    assert decide_arrivals([arrival(1)], IMPORT, THERE) == ((), (ImportResult.KNOWN,))


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
