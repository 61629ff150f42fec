"""Upkeep of a storage while nobody waits, and of its copies."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lamella.application.maintenance.look_after import AGED_AT_ONCE, DAY, LOOKS_EVERY, LookAfter, surplus
from lamella.domain.errors import StorageError
from lamella.domain.ledger.describe import described
from lamella.domain.memories.observation import CodeChange, Draft, Kind
from lamella.domain.projects.project import Location
from lamella.ports.storage.backups import Copy, Label
from lamella.ports.storage.ledger import Capture
from lamella.ports.storage.storage import Capability, Storage
from lamella_adapters.memory import InMemoryStorage
from lamella_adapters.sqlite.maintenance import copies as sqlite_copies
from lamella_adapters.sqlite.storage import SqliteStorage
from tests.unit.support.stand_ins import CountingIds, FixedClock, LackingStorage
from tests.unit.support.tables import cases

IDS = CountingIds()
WEEK = 7 * DAY


def project_in(storage: Storage) -> str:
    place = Location(key="/home/p/.git", name="p", root=Path("/home/p"))
    return storage.registry.at(place, now=datetime.now(UTC)).id


def save(storage: Storage, project: str, text: str) -> None:
    storage.observations(project).add(Draft(content=text), id=IDS.new(), now=datetime.now(UTC))


def labels(storage: Storage) -> list[Label]:
    return [each.label for each in storage.backups.copies()]


def until_done(looking: LookAfter) -> None:
    while looking():
        pass


def test_a_project_that_changed_is_copied_once_a_day_and_weekly(tmp_path: Path) -> None:
    storage, clock = SqliteStorage(tmp_path), FixedClock(datetime.now(UTC))
    project = project_in(storage)
    looking = LookAfter(storage, clock)
    until_done(looking)
    assert labels(storage) == []
    clock.advance(LOOKS_EVERY)
    save(storage, project, "first")
    until_done(looking)
    assert labels(storage) == [Label.WEEKLY]
    save(storage, project, "second")
    until_done(looking)
    clock.advance(LOOKS_EVERY)
    until_done(looking)
    assert labels(storage) == [Label.WEEKLY]
    clock.advance(DAY)
    until_done(looking)
    assert labels(storage) == [Label.WEEKLY, Label.DAILY]
    clock.advance(DAY)
    until_done(looking)
    assert labels(storage) == [Label.WEEKLY, Label.DAILY]
    save(storage, project, "third")
    clock.advance(WEEK)
    until_done(looking)
    assert labels(storage) == [Label.WEEKLY, Label.DAILY, Label.WEEKLY]
    storage.close()


def test_nothing_is_copied_where_that_is_switched_off(tmp_path: Path) -> None:
    storage = SqliteStorage(tmp_path)
    save(storage, project_in(storage), "first")
    until_done(LookAfter(storage, FixedClock(datetime.now(UTC)), keeps_backups=False))
    assert labels(storage) == []
    storage.close()


def test_a_failure_is_left_to_the_next_hour_and_keeps_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    storage, clock = SqliteStorage(tmp_path), FixedClock(datetime.now(UTC))
    save(storage, project_in(storage), "first")
    looking = LookAfter(storage, clock)
    with monkeypatch.context() as full:
        full.setattr(sqlite_copies, "_SPARE_BYTES", 1 << 60)
        until_done(looking)
    assert storage.backups.trouble() is not None
    until_done(looking)
    assert labels(storage) == []
    clock.advance(LOOKS_EVERY)
    until_done(looking)
    assert (labels(storage), storage.backups.trouble()) == ([Label.WEEKLY], None)
    storage.close()


def test_a_clock_that_was_set_back_delays_nothing() -> None:
    storage, clock = InMemoryStorage(), FixedClock()
    looking = LookAfter(storage, clock, keeps_lines=DAY)
    until_done(looking)
    clock.advance(-WEEK)
    project = edited(storage, clock.moment - WEEK)
    until_done(looking)
    assert hunks(storage, project) == {""}


def edited(storage: Storage, at: datetime, count: int = 1) -> str:
    project = project_in(storage)
    for number in range(count):
        change = CodeChange(path=f"{number}.py", additions=1, deletions=0, hunks="+zebra")
        draft = Draft(content=described([change], "Why"), kind=Kind.CHANGE, source="edit", changes=(change,))
        storage.ledger(project).record([Capture(id=IDS.new(), draft=draft, at=at)])
    return project


def hunks(storage: Storage, project: str) -> set[str]:
    paths = [f"{number}.py" for number in range(AGED_AT_ONCE + 1)]
    ids = [each.observation for path in paths for each in storage.ledger(project).history(path, limit=9)]
    whole = storage.observations(project).get_all(ids).values()
    return {change.hunks for each in whole for change in each.changes}


def test_old_edits_age_in_steps() -> None:
    storage, clock = InMemoryStorage(), FixedClock()
    project = edited(storage, clock.moment - 2 * DAY, AGED_AT_ONCE + 1)
    looking = LookAfter(storage, clock, keeps_lines=DAY)
    assert [looking(), looking()] == [True, True]
    assert hunks(storage, project) == {"", "+zebra"}
    until_done(looking)
    assert hunks(storage, project) == {""}


@pytest.mark.parametrize("keeps", [None, 3 * DAY])
def test_edits_keep_their_lines_for_as_long_as_is_set(keeps: timedelta | None) -> None:
    storage, clock = InMemoryStorage(), FixedClock()
    project = edited(storage, clock.moment - 2 * DAY)
    until_done(LookAfter(storage, clock, keeps_lines=keeps))
    assert hunks(storage, project) == {"+zebra"}


def test_a_storage_without_a_ledger_is_looked_after_too() -> None:
    storage = LackingStorage({Capability.LEDGER})
    save(storage, project_in(storage), "first")
    until_done(LookAfter(storage, FixedClock(), keeps_lines=DAY))


def test_a_storage_is_maintained_first() -> None:
    class Unmaintained(InMemoryStorage):
        steps = 2

        def maintain(self) -> bool:
            self.steps -= 1
            return self.steps >= 0

    storage = Unmaintained()
    until_done(LookAfter(storage, FixedClock()))
    assert storage.steps == -1


def copies(label: Label, count: int) -> list[Copy]:
    first = datetime(2024, 1, 1, tzinfo=UTC)
    return [
        Copy(name=f"{label} {number}", project="p", label=label, at=first + number * DAY, size=1, place="")
        for number in range(count)
    ]


@cases
def test_seven_daily_and_four_weekly_copies_are_kept(there: Sequence[Copy], gone: Sequence[Copy]) -> None:
    assert list(surplus(there)) == list(gone)


def test_copies_that_are_too_many_are_deleted(tmp_path: Path) -> None:
    storage, clock = SqliteStorage(tmp_path), FixedClock(datetime.now(UTC))
    project = project_in(storage)
    for number in range(9):
        save(storage, project, f"number {number}")
        storage.backups.copy(project, Label.DAILY)
    until_done(LookAfter(storage, clock))
    assert labels(storage) == [Label.DAILY] * 7
    with pytest.raises(StorageError):
        storage.backups.held(copies(Label.DAILY, 1)[0])
    storage.close()
