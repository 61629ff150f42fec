"""Changes of memories that are killed at each statement: the change and its entry are both there, or neither is.

Usage: python -m tests.end_to_end.storage.kills.audit COMMAND FOLDER
"""

import sys
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

from lamella.domain.audit.entry import Action
from lamella.domain.memories.observation import Draft
from lamella_contracts.fixtures.project import signed
from tests.end_to_end.storage.kills.statements import kill_everywhere, within
from tests.end_to_end.storage.worker import NOW, Memory, saved_into

NEW = UUID(int=9)


def killed(folder: Path, work: Callable[[Memory], object], *, purges: int, adds: int = 0) -> None:
    """Kill `work` while it purges the first of two memories, and maybe restores the second or adds one."""
    first, second = saved_into(folder, "zebra one", "zebra two")
    with Memory(folder) as memory:
        memory.storage.observations(memory.id).purge([second], by=signed(NOW))

    def check(copy: Path) -> None:
        with Memory(copy) as opened:
            there = opened.storage.observations(opened.id).get_all([first, second, NEW])
            entries = opened.storage.audit(opened.id).entries(limit=10)
        done = len(entries) - 1
        assert there[first].purged == bool(done and purges)
        assert len(there) == 2 + done * adds
        assert there[second].purged == (not done or entries[0].restored != (second,))

    kill_everywhere(folder, within(work), check)


def _ids(memory: Memory) -> tuple[UUID, UUID]:
    hits = memory.storage.observations(memory.id).starting_with([""], limit=9)[""]
    first, second = sorted((hit.observation for hit in hits), key=lambda each: each.sequence)[:2]
    return first.id, second.id


def purge(folder: Path) -> None:
    """Purge a memory."""

    def work(memory: Memory) -> None:
        memory.storage.observations(memory.id).purge(_ids(memory)[:1], by=signed(NOW))

    killed(folder, work, purges=1)


def undo(folder: Path) -> None:
    """Purge one memory and restore another."""

    def work(memory: Memory) -> None:
        first, second = _ids(memory)
        memory.storage.observations(memory.id).swap(purge=[first], restore=[second], by=signed(NOW))

    killed(folder, work, purges=1)


def edit(folder: Path) -> None:
    """Replace a memory by a save."""

    def work(memory: Memory) -> None:
        draft = Draft(content="zebra new", replaces=_ids(memory)[:1])
        memory.storage.observations(memory.id).add(draft, id=NEW, now=NOW)

    killed(folder, work, purges=1, adds=1)


def merge(folder: Path) -> None:
    """Merge, and check that the trail has the entry of an unrepeated merge."""
    saved_into(folder, "zebra one", name="old")
    saved_into(folder, "zebra two", name="new")
    ids = Memory(folder, "old").location.project_id, Memory(folder, "new").location.project_id

    def check(copy: Path) -> None:
        with Memory(copy, "new") as memory:
            memory.storage.registry.merge(*ids, by=signed(NOW))
            entries = memory.storage.audit(ids[1]).entries(limit=10)
            assert [each.action for each in entries] == [Action.MERGE]

    kill_everywhere(folder, within(lambda memory: memory.storage.registry.merge(*ids, by=signed(NOW))), check)


if __name__ == "__main__":
    globals()[sys.argv[1]](Path(sys.argv[2]))
