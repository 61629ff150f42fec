"""Projects that are merged or split, killed at any statement: memories, conversations, activity and the trail.

Usage: python -m tests.end_to_end.storage.kills.moves COMMAND FOLDER [EVERY]
"""

import sys
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from lamella.domain.audit.entry import Action
from lamella.domain.errors import ProjectChangeError
from lamella.domain.transactions.status import StatusChange
from lamella_contracts.fixtures.project import signed
from tests.end_to_end.storage.kills.conversations import (
    TEXTS,
    activity,
    assert_index_sound,
    batch,
    conversations,
    texts,
    two_projects,
)
from tests.end_to_end.storage.kills.statements import NEW, OLD, kill_everywhere, told, within
from tests.end_to_end.storage.worker import NOW, Memory, assert_sound, saved_into


def merge(folder: Path) -> None:
    """Check that a repeated merge loses and doubles nothing, and that nothing erased can be added."""
    ids = two_projects(folder)
    saved = saved_into(folder, *OLD, name="old", session="s") | saved_into(folder, *NEW, name="new", session="s")
    gone = batch("gone", "zebra gone")
    with Memory(folder, "old") as memory:
        conversations(memory).add(gone)
        conversations(memory).erase("gone")

    work = within(lambda memory: memory.storage.registry.merge(*ids, by=signed(NOW)))

    def check(copy: Path) -> None:
        with Memory(copy, "old") as memory, Memory(copy, "new") as other:
            assert conversations(memory).add(gone) == 0
            memory.storage.registry.merge(*ids, by=signed(NOW))
            assert sorted(other.find("zebra")) == sorted(memory.find("zebra")) == sorted(OLD + NEW)
            assert told(memory.file) == []
            assert sorted(texts(other)) == sorted(texts(memory)) == sorted((*TEXTS, "zebra new"))
            scope = conversations(other)
            assert [each.name for each in scope.sessions()] == ["About s", "About there"]
            assert [scope.position(source) for source in ("s", "there")] == ["at the end"] * 2
            assert activity(other) == activity(memory) == ["s", "there"]
            trail = memory.storage.audit(ids[1]).entries(limit=10)
            assert [each.action for each in trail if each.action is not Action.ERASE] == [Action.MERGE]
        assert_sound(copy, saved, "new")
        assert_sound(copy, saved, "old")
        assert_index_sound(copy)

    kill_everywhere(folder, work, check)


def split(folder: Path) -> None:
    """Check that after a repeated split, each project has its own rows in their present state."""
    ids = two_projects(folder)
    saved = saved_into(folder, *OLD, name="old", session="s")
    others = saved_into(folder, *NEW, name="new", session="s")
    first, second, _ = saved
    with Memory(folder) as memory:
        memory.storage.registry.merge(*ids, by=signed())
        memory.storage.observations(ids[1]).purge([first], by=signed(NOW))

    work = within(lambda memory: memory.storage.registry.split(ids[0], by=signed()))

    def check(copy: Path) -> None:
        with Memory(copy, "old") as memory, Memory(copy, "new") as other:
            # One is purged where it is now, by somebody whose clock is behind.
            (purged,) = memory.storage.observations(ids[0]).purge([second], by=signed(NOW - timedelta(days=1)))
            with suppress(ProjectChangeError):
                memory.storage.registry.split(ids[0], by=signed())
            assert sorted(memory.find("zebra")) == sorted(OLD[2:] if purged is StatusChange.DONE else OLD[1:])
            assert sorted(memory.find(include_purged=True)) == sorted(OLD)
            assert sorted(other.find(include_purged=True)) == sorted(NEW)
            assert (sorted(texts(memory)), texts(other)) == (sorted(TEXTS), ["zebra new"])
            assert [conversations(each).position("s") for each in (memory, other)] == ["at the end", ""]
            assert (activity(memory), activity(other)) == (["s"], ["there"])
        assert_sound(copy, saved, "old")
        assert_sound(copy, others, "new")
        assert_index_sound(copy)

    kill_everywhere(folder, work, check)


if __name__ == "__main__":
    {each.__name__: each for each in (merge, split)}[sys.argv[1]](Path(sys.argv[2]))
