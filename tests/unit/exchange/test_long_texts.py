"""Texts of an export that are too long to be saved."""

import pytest
from attrs import define, evolve

from lamella.domain.exchange.arrival import Arrival
from lamella.domain.exchange.records import Record
from lamella.domain.memories.observation import CodeChange
from lamella.domain.projects.project import Project
from tests.unit.exchange.moving import elsewhere, exported, imported
from tests.unit.support.doubles import Desk


def test_a_text_that_is_too_long_to_be_saved_is_split_by_every_import() -> None:
    desk, there = Desk(), elsewhere()
    desk.tree.known["a.py"] = CodeChange(path="a.py", additions=1, deletions=0, hunks="@@ @@\n+a = 1")
    desk.save("short", paths=("a.py",))
    project, arrival = exported(desk)
    assert isinstance(arrival, Arrival)
    long = evolve(arrival, observation=evolve(arrival.observation, title="Long", content="word " * 60_000))
    account = imported(there, [project, long], dry_run=True)
    assert (account.memories, account.split) == (30, 30)
    assert imported(there, [project, long]) == account
    assert isinstance(project, Project)
    home = there.storage.registry.named(project.name).id
    kept = [each.observation for each in there.storage.observations(home).page(limit=500)]
    assert {len(each.content) for each in kept} <= set(range(9_000, 10_001))
    assert " ".join(each.content for each in kept).split() == ["word"] * 60_000
    assert [each.title for each in (kept[0], kept[1], kept[-1])] == [f"Long ({n} of 30)" for n in (1, 2, 30)]
    assert (kept[0].id, kept[0].changes) == (arrival.observation.id, arrival.observation.changes)
    assert kept[1].changes == (CodeChange(path="a.py"),)
    again = imported(there, [project, long], folder=True)
    assert (again.memories, again.known, again.edited, again.left) == (0, 30, 0, {})


LONG, LEFT = "word " * 3_000, "its text is longer than 10,000 characters; save a part of it as another memory"


@define
class File:
    """A file of an export, and the desk that imports it."""

    desk: Desk
    project: Record
    arrival: Arrival

    def has(self, text: str, place: str = "a.md") -> Arrival:
        return Arrival(observation=evolve(self.arrival.observation, title="Tide", content=text), place=place)

    def says(self, *texts: str, dry_run: bool = False) -> tuple[int, int, list[str]]:
        """Import the file with a text, or files of the same memory."""
        arrivals = [self.has(text, f"{place}.md") for place, text in zip("ab", texts, strict=False)]
        account = imported(self.desk, [self.project, *arrivals], folder=True, dry_run=dry_run)
        return account.memories, account.edited, [*account.left.values()]


@pytest.fixture
def file() -> File:
    there = Desk()
    there.save("short")
    project, arrival = exported(there)
    assert isinstance(arrival, Arrival)
    return File(elsewhere().at(project="lovelace"), project, arrival)


def live(desk: Desk) -> list[str]:
    return [each.title for each in desk.everything if not each.purged]


def test_a_file_that_grows_too_long_is_left_also_once_its_memory_is_erased(file: File) -> None:
    assert file.says("short") == (1, 0, [])
    assert file.says(LONG, dry_run=True) == file.says(LONG) == (0, 0, [LEFT])
    assert live(file.desk) == ["Tide"]
    file.desk.erase(file.desk.call, [str(each.id) for each in file.desk.everything])
    assert file.says(LONG) == (0, 0, [])
    assert live(file.desk) == []


def test_a_file_of_parts_is_edited_once_they_are_purged(file: File) -> None:
    assert file.says(LONG) == (2, 0, [])
    assert file.says(f"more {LONG}") == file.says(f"{LONG} more") == (0, 0, [LEFT])
    (part,) = (each for each in file.desk.everything if each.title == "Tide (2 of 2)")
    reason = f"its memory has other parts; to import it, first run: lamella purge {part.id.hex[:8]}"
    assert file.says("short") == (0, 0, [reason])
    assert live(file.desk) == ["Tide (1 of 2)", "Tide (2 of 2)"]
    file.desk.purge(file.desk.call, [str(part.id)])
    assert file.says("short") == (0, 1, [])
    assert live(file.desk) == ["Tide"]


def test_a_long_copy_of_a_new_file_is_left(file: File) -> None:
    assert file.says("short", LONG) == (1, 0, ["a.md has the same memory; delete one of them"])
    assert live(file.desk) == ["Tide"]


def test_a_title_that_is_too_long_to_be_saved_moves_into_the_text() -> None:
    desk, there = Desk(), elsewhere()
    desk.save("short")
    project, arrival = exported(desk)
    assert isinstance(arrival, Arrival)
    imported(there, [project, evolve(arrival, observation=evolve(arrival.observation, title="word " * 60))])
    assert isinstance(project, Project)
    (kept,) = there.storage.observations(there.storage.registry.named(project.name).id).page(limit=9)
    assert len(kept.observation.title) <= 200
    assert kept.observation.content == f"{'word ' * 59}word\n\nshort"
