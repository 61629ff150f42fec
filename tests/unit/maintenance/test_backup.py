"""Backing up all projects, and what is told of the copies."""

from datetime import UTC, datetime
from pathlib import Path

from attrs import evolve

from lamella.application.maintenance.backup import BackUp, Counted
from lamella.domain.memories.observation import Draft
from lamella.domain.projects.project import Location
from lamella.ports.storage.backups import Held, Label
from lamella_adapters.sqlite.storage import SqliteStorage
from tests.unit.support.stand_ins import CountingIds

IDS = CountingIds()
NOW = datetime(2024, 5, 6, tzinfo=UTC)


def filled(folder: Path, *names: str) -> SqliteStorage:
    storage = SqliteStorage(folder)
    for name in names:
        place = Location(key=f"/home/{name}/.git", name=name, root=Path("/home") / name)
        project = storage.registry.at(place, now=NOW).id
        storage.observations(project).add(Draft(content="zebra"), id=IDS.new(), now=NOW)
    return storage


def test_each_project_that_has_changed_is_copied(tmp_path: Path) -> None:
    storage = filled(tmp_path, "one", "two")
    back_up = BackUp(storage)
    made = {project.name: each and (each.name, each.copy.label, each.held) for project, each in back_up()}
    assert made == {name: (name, Label.MANUAL, Held(memories=1)) for name in ("one", "two")}
    assert [each for _, each in back_up()] == [None, None]
    storage.close()


def test_copies_are_told_with_what_they_hold(tmp_path: Path) -> None:
    storage = filled(tmp_path, "one")
    ((_, made),) = BackUp(storage)()
    assert made is not None
    (listed,) = BackUp(storage).copies()
    assert listed == made
    Path(made.copy.place).write_bytes(b"garbage, and long enough to be none")
    (broken,) = BackUp(storage).copies()
    assert broken == Counted(copy=evolve(made.copy, size=broken.copy.size), name="one", held=None)
    storage.close()
