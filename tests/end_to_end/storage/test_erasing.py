"""Erasing leaves no byte in any file: the fault table's row 44, as far as storage goes."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from lamella.domain.errors import UnfinishedEraseError
from lamella.domain.memories.observation import CodeChange, Observation
from lamella.domain.transactions.status import StatusChange
from lamella_adapters.sqlite import erasure
from lamella_adapters.sqlite.file.backups import back_up, backups_of
from lamella_adapters.sqlite.file.folders import left_behind
from lamella_contracts.fixtures.project import signed
from tests.end_to_end.storage.worker import NOW, Memory, Worker, assert_sound, faults, leftovers, place, saved_into
from tests.waiting import HANG_SECONDS, until

WORDS = ("plinkett", "Quibble", "zanzibar", "froop", "wobbegong")


def secret(memory: Memory) -> Observation:
    """A memory with a word of its own in each of its texts."""
    title, content, source, path, hunk = WORDS
    return memory.save(
        f"the {content} {content}ByName {'filler ' * 300}",
        title=title,
        source=source,
        session="s",
        changes=(CodeChange(path=f"src/{path}.py", hunks=f"+{hunk}"),),
    )


def erase(memory: Memory, *ids: UUID) -> tuple[StatusChange, ...]:
    return memory.storage.observations(memory.id).erase(ids, by=signed())


def test_no_byte_is_left_of_what_was_erased(tmp_path: Path) -> None:
    with Memory(tmp_path) as memory:
        kept = [memory.save(f"zebra {number}", session="s") for number in range(2)]
        gone, purged = secret(memory), memory.save("purged wobbegong", session="s")
        kept += [memory.save(f"zebra {number}", session="s") for number in range(2, 5)]
        memory.storage.observations(memory.id).purge([purged.id], by=signed(NOW))
        back_up(memory.file, label="test")
        assert len(leftovers(tmp_path, *WORDS)) == 2
        assert erase(memory, gone.id, purged.id, uuid4()) == (
            StatusChange.DONE,
            StatusChange.DONE,
            StatusChange.NOT_FOUND,
        )
        assert leftovers(tmp_path, *WORDS) == []
        (backup,) = backups_of(memory.file)
        assert backup.name.startswith(f"{memory.file.stem}.erased.")
        assert sorted(memory.find("zebra", include_purged=True)) == [each.content for each in kept]
    assert_sound(tmp_path, {each.id: each.content for each in kept})
    assert leftovers(tmp_path, *WORDS) == []


def test_backups_that_do_not_hold_what_was_erased_are_kept(tmp_path: Path) -> None:
    with Memory(tmp_path) as memory:
        memory.save("zebra")
        older = back_up(memory.file, label="test")
        assert erase(memory, secret(memory).id) == (StatusChange.DONE,)
        assert backups_of(memory.file) == [older]
        assert leftovers(tmp_path, *WORDS) == []


@pytest.mark.parametrize("way", ["merged", "merged and split", "merged twice"])
def test_no_byte_is_left_after_merges(tmp_path: Path, way: str) -> None:
    saved = saved_into(tmp_path, "zebra", name="new", session="s")
    with Memory(tmp_path, "old") as memory:
        registry = memory.storage.registry
        gone = secret(memory)
        saved[memory.save("follows it", session="s").id] = "follows it"
        back_up(memory.file, label="test")
        registry.merge(memory.id, place("new").project_id, by=signed())
        back_up(memory.file, label="test")
        if way == "merged twice":
            saved |= saved_into(tmp_path, "last", name="last")
            registry.merge(place("new").project_id, place("last").project_id, by=signed())
        if way == "merged and split":
            registry.split(place("old").project_id, by=signed())
        assert erase(memory, gone.id) == (StatusChange.DONE,)
        assert leftovers(tmp_path, *WORDS) == []
    if way != "merged and split":
        assert_sound(tmp_path, saved, "old")


def test_a_reader_of_old_pages_leaves_the_erase_unfinished_until_it_is_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = saved_into(tmp_path, "zebra", session="s")
    with Memory(tmp_path) as memory, Worker("hold", tmp_path, "read") as reader:
        back_up(memory.file, label="test")
        gone = secret(memory).id
        with Worker("hold", tmp_path, "read") as other:
            assert [reader.said(), other.said()] == ["ready", "ready"]
            with monkeypatch.context() as hurried:
                hurried.setattr(erasure, "_PATIENCE_SECONDS", 0.0)
                with pytest.raises(UnfinishedEraseError):
                    erase(memory, gone)
            assert leftovers(tmp_path, *WORDS) == [f"{memory.file.name}-wal"]
            assert [each.repair for each in faults(memory)] == ["finish erasing them"]
            for each in (reader, other):
                each.tell()
                assert each.ended_well()
        # Nobody finds the memory any more, so that whoever repeats the erase has no id to give.
        assert erase(memory) == ()
        assert leftovers(tmp_path, *WORDS) == []
    assert_sound(tmp_path, saved)


def test_an_erase_waiting_for_a_reader_lets_others_save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(erasure, "_PATIENCE_SECONDS", HANG_SECONDS)
    with Memory(tmp_path) as memory, ThreadPoolExecutor(1) as threads, Worker("hold", tmp_path, "read") as reader:
        gone = secret(memory).id
        memory.save("kept")
        assert reader.said() == "ready"
        erasing = threads.submit(erase, memory, gone)
        with Memory(tmp_path) as other, Worker("save", tmp_path, "meanwhile", 20) as writer:
            # It is past its own transactions, and waits.
            until(lambda: other.find() == ["kept"])
            assert writer.said() == "ready"
            writer.tell()
            assert len(writer.rest()) == 20
            assert writer.ended_well()
        assert not erasing.done()
        reader.tell()
        assert reader.ended_well()
        assert erasing.result(HANG_SECONDS) == (StatusChange.DONE,)
        assert len(memory.find()) == 21
    assert leftovers(tmp_path, *WORDS) == []


def test_a_log_that_was_set_aside_is_named_when_it_may_hold_what_was_erased(tmp_path: Path) -> None:
    with Memory(tmp_path) as memory:
        gone = secret(memory)
        copy = back_up(memory.file, label="test")
        copy.rename(memory.file)
        assert memory.find() == [gone.content]
        with pytest.raises(UnfinishedEraseError, match="set aside"):
            erase(memory, gone.id)
        for path in left_behind(memory.file):
            path.unlink()
        assert erase(memory, gone.id) == (StatusChange.NOT_FOUND,)
        assert leftovers(tmp_path, *WORDS) == []
