"""Backups and restores that are killed before each statement and each operation on a file, and what that leaves.

Usage: python -m tests.end_to_end.storage.upkeep.backup_kills COMMAND FOLDER
"""

import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from lamella.ports.storage.backups import Label
from lamella_adapters.sqlite.file.backups import require_sound
from lamella_adapters.sqlite.storage import SqliteStorage
from tests.end_to_end.storage.kills import statements
from tests.end_to_end.storage.kills.statements import before_each_statement, kill_everywhere, within
from tests.end_to_end.storage.worker import Memory, assert_sound, saved_into

OPERATIONS = {"os.rename", "os.link", "os.remove", "os.rmdir", "os.mkdir", "shutil.rmtree"}
THEN, NOW = ["apple", "pear"], ["apple now", "pear now"]


def before_each_step(call: Callable[[int], object]) -> None:
    """Has `call` get the number of each statement, and of each operation that changes the names of files."""
    numbers: list[int] = []

    def step(*_: object) -> None:
        numbers.append(len(numbers) + 1)
        call(numbers[-1])

    def audit(event: str, arguments: tuple[object, ...]) -> None:
        if event in OPERATIONS:
            step(arguments)

    before_each_statement(step)
    sys.addaudithook(audit)


def copy(folder: Path) -> None:
    """Each copy that there is is whole; repeated, there is one of the present state and nothing else."""
    saved = saved_into(folder, *THEN, session="s")

    work = within(lambda memory: memory.storage.backups.copy(memory.id, Label.MANUAL))

    def check(here: Path) -> None:
        with Memory(here) as memory:
            for each in memory.storage.backups.copies():
                require_sound(Path(each.place))
            memory.save("later")
            work(here)
            *_, last = memory.storage.backups.copies()
            assert memory.storage.backups.held(last).memories == len(saved) + 1
            assert list((memory.file.parent / "backups").glob(".*")) == []
        assert_sound(here, saved)

    kill_everywhere(folder, work, check)


def write(folder: Path) -> None:
    """The file is the one before, or the new one; repeated, it is the new one and nothing else is left."""
    saved = saved_into(folder, *THEN)
    with Memory(folder) as memory:
        memory.storage.backups.write(folder / "all.backup")
        saved[memory.save("later").id] = "later"

    work = within(lambda memory: memory.storage.backups.write(memory.storage.folder / "all.backup"))

    def check(here: Path) -> None:
        place = here / "all.backup"
        with Memory(here) as memory:
            with memory.storage.backups.opened(place) as backup:
                assert [each.then for each in backup.previews] in ([2], [3])
            memory.storage.backups.write(place)
            with memory.storage.backups.opened(place) as backup:
                assert [each.then for each in backup.previews] == [3]
        assert list(here.glob(".*.part")) == list((here / "projects").glob("*.left-*.db")) == []
        assert_sound(here, saved)

    kill_everywhere(folder, work, check)


def restore(folder: Path) -> None:
    """All projects are as they were or as in the backup, and what was saved since is in them or in a copy."""
    place = folder.with_name("then.backup")
    for name in ("p", "q"):
        saved_into(folder, *THEN, name=name)
    with Memory(folder) as memory:
        memory.storage.backups.write(place)
    for name in ("p", "q"):
        saved_into(folder, *NOW, name=name)

    def work(here: Path) -> None:
        with closing(SqliteStorage(here)) as storage, storage.backups.opened(place) as backup:
            backup.restore()

    def check(here: Path) -> None:
        with Memory(here, "p") as one, Memory(here, "q") as other:
            found = sorted(one.find())
            assert found == sorted(other.find())
            assert found in (sorted(THEN), sorted(THEN + NOW))
            kept = [each for each in one.storage.backups.copies() if each.label is Label.REPLACED]
            assert len(found) == 4 or len({each.project for each in kept}) == 2
            assert not any((here / each).exists() for each in ("restoring", "restoring.draft"))
            # What is saved after that is not restored away by whoever opens the storage next.
            one.save("after the kill")
        with Memory(here, "p") as again:
            assert "after the kill" in again.find()
        work(here)
        with Memory(here, "p") as one, Memory(here, "q") as other:
            assert sorted(one.find()) == sorted(other.find()) == sorted(THEN)
        assert_sound(here, {})

    kill_everywhere(folder, work, check)


if __name__ == "__main__":
    statements.before_each_statement = before_each_step
    {each.__name__: each for each in (copy, write, restore)}[sys.argv[1]](Path(sys.argv[2]))
