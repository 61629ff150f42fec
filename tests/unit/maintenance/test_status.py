from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from lamella.application.maintenance.status import BackedUp, Given, ShowStatus, Status, Tally
from lamella.domain.conversations.message import Role
from lamella.domain.errors import UnknownProjectError
from lamella.domain.memories.observation import Draft, Kind
from lamella.ports.shared_folder import Share
from lamella.ports.spool import SpoolState
from lamella.ports.storage.activity import Activity, ActivityKind
from lamella.ports.storage.backups import Label
from lamella.ports.storage.diagnosis import Space
from lamella.ports.storage.storage import Capability
from lamella_adapters.shared_folder.folders import RecordedFolders
from lamella_adapters.sqlite.storage import SqliteStorage
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import DAWN, FixedClock, LackingStorage

DAY = timedelta(days=1)
TOKYO = timezone(timedelta(hours=9))
NOTHING = Tally()
NOWHERE = Path("/nowhere")


def status(desk: Desk, *, embedder: str | None = None, shared: Path | None = None) -> Status:
    folder = RecordedFolders(NOWHERE if shared is None else shared)
    return desk.make(ShowStatus, shared_folder=folder, place="/data", embedder=embedder)(desk.call)


def saved(desk: Desk, kind: Kind, text: str, at: datetime) -> None:
    desk.observations.add(Draft(content=text, kind=kind), id=desk.ids.new(), now=at)


def did(desk: Desk, *done: tuple[datetime, str | None, int]) -> None:
    """Hooks gave so many tokens to a session, or skipped something where there are none."""
    log = desk.made_here.activity()
    kinds = {True: ActivityKind.INJECTED, False: ActivityKind.SKIPPED}
    log.add(
        [
            Activity(
                name=f"{number}",
                at=at,
                kind=kinds[tokens > 0],
                session=session,
                about="SessionStart" if tokens else f"reason of {session}",
                tokens=tokens,
            )
            for number, (at, session, tokens) in enumerate(done)
        ]
    )


def test_where_nothing_was_saved_the_status_is_nothing_and_nothing_is_made() -> None:
    desk = Desk()
    assert status(desk) == Status(
        project=None,
        place="/data",
        live={},
        purged={},
        sessions=0,
        messages=NOTHING,
        captured={Kind.CHANGE: NOTHING, Kind.SUMMARY: NOTHING},
        times=0,
        tokens=0,
        given=(),
        skipped={},
        spool=SpoolState(),
        hooked=False,
        embedder=None,
    )
    assert desk.storage.registry.all() == ()


def test_memories_are_counted_by_kind_and_time() -> None:
    """It is morning in Tokyo, and eight hours ago it was yesterday there."""
    desk = Desk(clock=FixedClock(datetime(2024, 5, 6, 20, 0, tzinfo=UTC))).at(zone=TOKYO)
    now = desk.clock.moment
    for kind, text, ago in (
        (Kind.CHANGE, "long ago", 8 * DAY),
        (Kind.SUMMARY, "of long ago", 8 * DAY),
        (Kind.CHANGE, "a week ago", 7 * DAY),
        (Kind.CHANGE, "yesterday", timedelta(hours=5, microseconds=1)),
        (Kind.CHANGE, "at midnight", timedelta(hours=5)),
        (Kind.NOTE, "today", timedelta()),
        (Kind.NOTE, "purged", timedelta()),
    ):
        saved(desk, kind, text, now - ago)
    desk.purge(desk.call, [desk.everything[-1].id.hex])
    found = status(desk)
    assert dict(found.live) == {Kind.CHANGE: 4, Kind.SUMMARY: 1, Kind.NOTE: 1}
    assert dict(found.purged) == {Kind.NOTE: 1}
    assert found.captured == {
        Kind.CHANGE: Tally(today=1, week=3, total=4),
        Kind.SUMMARY: Tally(today=0, week=0, total=1),
    }


def test_messages_are_counted_by_the_time_they_were_said() -> None:
    desk = Desk(clock=FixedClock(DAWN - 9 * DAY))
    desk.said("Long ago.", "Indeed.", session="old")
    desk.clock.advance(8 * DAY)
    desk.said("Yesterday.", session="new")
    desk.clock.advance(DAY)
    desk.said("Now.", "ls", session="new", role=Role.TOOL)
    found = status(desk)
    assert (found.sessions, found.messages) == (2, Tally(today=2, week=3, total=5))


def test_what_the_latest_sessions_were_given_is_told() -> None:
    desk = Desk()
    desk.said("Why does it retry?", session="s1")
    now = desk.clock.moment
    minute = timedelta(minutes=1)
    did(
        desk,
        (now - 8 * DAY, "s1", 1000),
        (now - 9 * minute, "s1", 100),
        (now - 8 * minute, "s2", 20),
        (now - 7 * minute, None, 3),
        (now - 6 * minute, "s4", 4),
        (now - 5 * minute, "s5", 5),
        (now - 4 * minute, "s6", 6),
        (now - 3 * minute, "s1", 300),
        (now - 2 * minute, "s7", 0),
    )
    found = status(desk)
    assert (found.times, found.tokens) == (7, 438)
    assert found.given == (
        Given(session="s1", name="Why does it retry?", times=2, tokens=400, latest=now - 3 * minute),
        Given(session="s6", name=None, times=1, tokens=6, latest=now - 4 * minute),
        Given(session="s5", name=None, times=1, tokens=5, latest=now - 5 * minute),
        Given(session="s4", name=None, times=1, tokens=4, latest=now - 6 * minute),
        Given(session=None, name=None, times=1, tokens=3, latest=now - 7 * minute),
    )


def test_what_was_skipped_is_told_by_its_reason_the_most_frequent_first() -> None:
    desk = Desk()
    now = desk.clock.moment
    did(desk, (now - 8 * DAY, "old", 0), (now, "a", 0), (now, "b", 0), (now, "b", 0))
    assert list(status(desk).skipped.items()) == [("reason of b", 2), ("reason of a", 1)]


def test_the_spool_and_the_embedder_are_told() -> None:
    desk = Desk()
    desk.spool.put()
    found = status(desk, embedder="static")
    assert (found.spool.waiting, found.embedder) == (1, "static")
    # It waits still: to look is not to store.
    assert len(desk.spool.captures) == 1


def told(desk: Desk) -> None:
    desk.spool.hooked = True


def captured(desk: Desk) -> None:
    desk.spool.put()


def skipped(desk: Desk) -> None:
    did(desk, (desk.clock.moment, "s", 0))


@pytest.mark.parametrize("trace", [told, captured, skipped])
def test_hooks_are_seen_by_any_trace(trace: Callable[[Desk], None]) -> None:
    desk = Desk()
    assert not status(desk).hooked
    trace(desk)
    assert status(desk).hooked


def test_another_project_may_be_named() -> None:
    desk = Desk()
    desk.save("memory")
    elsewhere = Desk(storage=desk.storage).at(directory=Path("/elsewhere"))
    found = status(elsewhere.at(project="lovelace"))
    assert found.project is not None
    assert (found.project.name, dict(found.live)) == ("lovelace", {Kind.NOTE: 1})
    assert status(elsewhere).project is None
    with pytest.raises(UnknownProjectError):
        status(elsewhere.at(project="nowhere"))


def test_a_storage_that_keeps_less_has_a_status_too() -> None:
    desk = Desk(storage=LackingStorage({Capability.CONVERSATIONS, Capability.ACTIVITY}))
    desk.said("Hello?")
    did(desk, (desk.clock.moment, "s", 5))
    found = status(desk)
    assert (found.sessions, found.messages, found.times) == (0, NOTHING, 0)


def test_copies_and_space_are_told(tmp_path: Path) -> None:
    storage = SqliteStorage(tmp_path)
    desk = Desk(storage=storage)
    saved(desk, Kind.NOTE, "zebra", desk.clock.moment)
    before = status(desk)
    assert before.backups == BackedUp()
    assert before.project is not None
    copy = storage.backups.copy(before.project.id, Label.MANUAL)
    assert copy is not None
    found = status(desk)
    assert found.backups == BackedUp(copies=1, size=copy.size, latest=copy.at)
    assert found.space == {**found.space, Space.BACKUPS: copy.size}
    assert found.space[Space.MEMORIES] > 0
    storage.close()


def test_a_storage_that_tells_no_space_is_no_error() -> None:
    desk = Desk(storage=LackingStorage({Capability.DIAGNOSE}))
    saved(desk, Kind.NOTE, "zebra", desk.clock.moment)
    assert (status(desk).space, status(desk).backups) == ({}, None)


def test_the_folder_in_which_notes_are_shared_is_named_and_a_broken_record_too(tmp_path: Path) -> None:
    desk, root = Desk(), tmp_path / "shop"
    root.mkdir()
    RecordedFolders(tmp_path).start(desk.project.id, Share(root=root, folder="docs/memory"))
    assert status(desk, shared=tmp_path).shared == "docs/memory"
    (tmp_path / "shared" / f"{desk.project.id}.json").write_text("", "utf-8")
    assert status(desk, shared=tmp_path).shared == "a folder whose record cannot be read"
