"""Decisions about erasing for good."""

from uuid import UUID

from lamella.domain.audit.entry import Action, AuditEntry
from lamella.domain.text.marks import memory_mark, record_mark, session_mark, text_mark
from lamella.domain.transactions.conversation_writes import DropTitles
from lamella.domain.transactions.erasing import (
    decide_erase,
    decide_session_erase,
    look_for_erase,
    look_for_session_erase,
)
from lamella.domain.transactions.look import Look, Status
from lamella.domain.transactions.other_writes import AddEntry, Erase, EraseSession, RememberErased
from lamella.domain.transactions.status import StatusChange
from tests.unit.transactions.tiny import ENTRY, MINUTE, START, facts, signed

LIVE, PURGED, UNKNOWN = UUID(int=1), UUID(int=2), UUID(int=3)
BOTH = {LIVE: Status(False, "p"), PURGED: Status(True, "p")}
DONE, NOT_FOUND = StatusChange.DONE, StatusChange.NOT_FOUND


def test_a_look_names_what_is_erased_to_storages_with_copies() -> None:
    ids = (LIVE, UNKNOWN)
    assert look_for_erase(ids) == Look(ids=ids, observations=ids, neighbours=True, erasing=True)
    assert look_for_session_erase("s") == Look(messages_of="s", erasing=True)


def test_each_id_is_erased_once_whether_it_is_purged_or_not() -> None:
    ids = (LIVE, UNKNOWN, PURGED, LIVE)
    plan, outcomes = decide_erase(ids, facts(statuses=BOTH), entry=ENTRY, by=signed())
    assert outcomes == (DONE, NOT_FOUND, DONE, NOT_FOUND)
    assert plan == (
        Erase((LIVE, UNKNOWN, PURGED)),
        RememberErased((memory_mark(LIVE), memory_mark(PURGED))),
        AddEntry(AuditEntry(id=ENTRY, action=Action.ERASE, by=signed(), count=2)),
    )


def test_the_entry_of_an_erase_is_no_older_than_the_latest() -> None:
    later = facts(statuses=BOTH, logged=START + MINUTE)
    *_, logged = decide_erase((LIVE,), later, entry=ENTRY, by=signed())[0]
    assert logged == AddEntry(AuditEntry(id=ENTRY, action=Action.ERASE, by=signed(1), count=1))


def test_nothing_is_remembered_of_what_does_not_exist() -> None:
    assert decide_erase((UNKNOWN,), facts(), entry=ENTRY, by=signed()) == ((Erase((UNKNOWN,)),), (NOT_FOUND,))
    assert decide_erase((), facts(), entry=ENTRY, by=signed()) == ((Erase(()),), ())


def test_keys_and_records_of_an_erased_session_stay_known() -> None:
    told = facts(messages={1: "r1/0", 2: "r1/1", 4: "r2/0"}, ends=("r3", "r2"))
    plan, erased = decide_session_erase("s", told)
    keys, records = map(text_mark, told.messages.values()), map(record_mark, ("r1", "r2", "r3"))
    marks = RememberErased((session_mark("s"), *keys, *records))
    assert (plan, erased) == ((EraseSession("s"), marks, DropTitles(None)), 3)


def test_a_session_without_messages_leaves_nothing_to_remember() -> None:
    assert decide_session_erase("s", facts(ends=("r1",))) == ((EraseSession("s"),), 0)
