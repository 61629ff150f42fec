"""Sharing everything: interruptions, simultaneous runs, unusable files."""

from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path

import pytest

from lamella.application.memories.save import SaveRequest
from lamella.domain.errors import AdvisedError
from lamella_adapters.cli.exchange.folder import MachineFolder
from lamella_adapters.memory import InMemoryStorage
from tests.unit.exchange.everything.machines import ALL, memories, shared, sharing
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import CountingIds, NamedMachine
from tests.unit.support.tables import cases


def machine(name: str, first_id: int = 0) -> Desk:
    """A machine with memories in two projects, some of which were purged."""
    desk = Desk(machine=NamedMachine(name), ids=CountingIds(last=first_id))
    for folder in ("/srv/app", "/srv/web"):
        there = desk.at(directory=Path(folder))
        saved = there.save(f"{folder} of {name}")
        there.saving(SaveRequest(text=f"{folder} of {name}, corrected", replaces=(str(saved.id),)))
        there.purge(there.call, [str(there.save(f"gone of {name}").id)])
    return desk


def steps(desk: Desk, folder: Path) -> Iterator[object]:
    return sharing(desk)(desk.call, MachineFolder(folder, desk.machine.id()), **ALL)


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def settled(folder: Path, *desks: Desk) -> set[tuple[str, bool, str]]:
    """Share on all machines until nothing changes. Return the memories that each has."""
    before: dict[str, bytes] = {"": b""}
    while before != (before := files(folder)):
        for desk in desks:
            shared(desk, folder, **ALL)
    (same,) = {frozenset(memories(desk)) for desk in desks}
    return set(same)


@pytest.mark.no_cover
def test_three_machines_at_once_come_to_have_the_same(tmp_path: Path) -> None:
    desks = [machine(name, number) for name, number in (("laptop", 0), ("pc", 100), ("phone", 200))]
    every = set[tuple[str, bool, str]]().union(*map(memories, desks))
    for _ in zip_longest(*(steps(desk, tmp_path) for desk in desks)):
        pass
    assert settled(tmp_path, *desks) == every
    shown = files(tmp_path)
    assert [shared(desk, tmp_path, **ALL).written for desk in desks] == [0, 0, 0]
    assert files(tmp_path) == shown


@pytest.mark.parametrize("number", range(6))
def test_what_is_interrupted_is_completed_by_the_next(tmp_path: Path, number: int) -> None:
    laptop, pc = machine("laptop"), machine("pc", 100)
    shared(laptop, tmp_path, **ALL)
    every = memories(laptop) | memories(pc)
    broken = steps(pc, tmp_path)
    for _ in range(number):
        next(broken)
    broken.close()  # type: ignore[attr-defined]  # a generator
    assert settled(tmp_path, laptop, pc) == every


@cases
def test_a_file_that_cannot_be_used_is_left_and_the_others_are_taken_over(
    tmp_path: Path, harm: Callable[[bytes], bytes], reason: str | None
) -> None:
    laptop, pc = machine("laptop"), Desk(machine=NamedMachine("pc"))
    shared(laptop, tmp_path)
    first, _ = sorted((tmp_path / "laptop").iterdir())
    first.write_bytes(harm(first.read_bytes()))
    taken = shared(pc, tmp_path).taken
    assert {each.partition(",")[0]: why for each, why in taken.left.items()} == (
        {f"laptop/{first.name}": reason} if reason else {}
    )
    texts = {text for text, _, _ in memories(pc)}
    assert {"/srv/web of laptop", "gone of laptop"} <= texts
    assert ("/srv/app of laptop" in texts) == (reason == "it is truncated")
    assert not shared(laptop, tmp_path).taken.left or reason == "it is truncated"
    shared(pc, tmp_path)
    assert memories(pc) == memories(laptop)


def test_links_are_not_followed_and_drafts_go(tmp_path: Path) -> None:
    laptop, pc = machine("laptop"), Desk(machine=NamedMachine("pc"))
    folder, elsewhere = tmp_path / "sync", tmp_path / "elsewhere"
    folder.mkdir()
    shared(laptop, elsewhere)
    (folder / "linked").symlink_to(elsewhere / "laptop")
    (folder / "pc").mkdir()
    (folder / "pc/app-1.jsonl").symlink_to(next((elsewhere / "laptop").iterdir()))
    (folder / "pc/app-2.jsonl.1234.part").write_text("half", "utf-8")
    assert shared(pc, folder, dry_run=True).removed == 1
    assert shared(pc, folder).taken.memories == 0
    assert sorted(files(folder)) == []


def test_a_storage_that_machines_share_needs_no_folder(tmp_path: Path) -> None:
    with pytest.raises(AdvisedError, match="This storage is already shared between machines"):
        shared(Desk(storage=InMemoryStorage(shared=True)), tmp_path)
