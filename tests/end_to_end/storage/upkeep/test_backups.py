"""Backups and restores beside processes that save, of damaged files, and of files that are none of ours."""

import json
import os
import zipfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event

import apsw
import pytest

from lamella.domain.errors import BackupUnusableError, StorageError
from lamella.domain.memories.observation import CodeChange
from lamella.ports.storage.backups import Copy, Label, Restored
from lamella.ports.storage.diagnosis import Severity
from lamella_adapters.sqlite.maintenance import copies, restore
from tests.end_to_end.storage import worker


def copied(memory: worker.Memory, label: Label = Label.MANUAL) -> Copy:
    copy = memory.storage.backups.copy(memory.id, label)
    assert copy is not None
    return copy


def restored(memory: worker.Memory, source: Path | Copy) -> tuple[Restored, ...]:
    with memory.storage.backups.opened(source) as backup:
        return backup.restore()


def test_what_others_save_during_a_restore_is_in_the_memory_or_in_the_copy_of_it(tmp_path: Path) -> None:
    worker.saved_into(tmp_path, *(f"zebra {number} {'filler ' * 200}" for number in range(300)))
    with worker.Memory(tmp_path) as memory:
        copy = copied(memory)
        with worker.workers(tmp_path, "save", ("one", 60), ("two", 60)) as savers:
            first = [saver.said() for saver in savers]
            restored(memory, copy)
            saved = worker.acknowledged([*first, *(each for saver in savers for each in saver.rest())])
        found = set(memory.storage.observations(memory.id).get_all(saved))
        for each in memory.storage.backups.copies():
            with closing(apsw.Connection(each.place)) as aside:
                found |= {
                    id for id in saved if aside.execute("SELECT 1 FROM observation WHERE id = ?", (id.bytes,)).get
                }
        assert found == set(saved)
        assert worker.faults(memory) == []
    worker.assert_sound(tmp_path, {})


@pytest.mark.parametrize("harm", ["garbage", "empty", "missing", "cut", "log cut"])
def test_a_damaged_file_is_set_aside_and_restored(tmp_path: Path, harm: str) -> None:
    saved = worker.saved_into(tmp_path, *(f"zebra {number}" for number in range(50)))
    with worker.Memory(tmp_path) as memory:
        copy, file = copied(memory), memory.file
        memory.save("zebra of today")
    content = file.read_bytes()
    match harm:
        case "garbage":
            file.write_bytes(os.urandom(5_000))
        case "empty":
            file.write_bytes(b"")
        case "missing":
            file.unlink()
        case "cut":
            file.write_bytes(content[: len(content) // 2])
        case _:
            file.write_bytes(Path(copy.place).read_bytes())
    with worker.Memory(tmp_path) as memory:
        (done,) = restored(memory, copy)
        assert (done.aside is None) == (harm == "missing")
        assert done.aside is None or Path(done.aside).exists()
        assert len(memory.find("zebra")) == 50
        assert worker.faults(memory) == []
    worker.assert_sound(tmp_path, saved)


def test_a_backup_of_an_older_schema_is_migrated(tmp_path: Path) -> None:
    with worker.older_schema(tmp_path, 10):
        saved = worker.saved_into(tmp_path, "zebra", changes=(CodeChange(path="a.py", hunks="+zebra"),))
    with worker.Memory(tmp_path) as memory:
        file = memory.file
        old = tmp_path / "old.db"
        old.write_bytes(file.read_bytes())
        memory.save("later")
        restored(memory, old)
        assert memory.find() == ["zebra"]
    worker.assert_sound(tmp_path, saved)


def test_a_file_of_a_newer_format_says_so(tmp_path: Path) -> None:
    place = tmp_path / "all.backup"
    with zipfile.ZipFile(place, "w") as archive:
        archive.writestr("manifest.json", json.dumps({"format": 2, "lamella": "9.1"}))
    with (
        worker.Memory(tmp_path / "data") as memory,
        pytest.raises(BackupUnusableError, match=r"newer lamella \(9.1\)"),
        memory.storage.backups.opened(place),
    ):
        pass


def test_a_restore_that_a_full_disk_ends_is_finished_by_who_opens_the_storage_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker.saved_into(tmp_path, "zebra then")
    with worker.Memory(tmp_path) as memory:
        copy = copied(memory)
        memory.save("zebra now")
        with monkeypatch.context() as full:
            full.setattr(restore, "_kept", fails_on_a_full_disk)
            with pytest.raises(StorageError, match="The disk is full"):
                restored(memory, copy)
            with worker.Memory(tmp_path) as other:
                assert len(other.find("zebra")) == 2
                assert [each.subject for each in worker.faults(other)] == ["backups"]
    with worker.Memory(tmp_path) as memory:
        assert memory.find("zebra") == ["zebra then"]
        assert worker.faults(memory) == []


def fails_on_a_full_disk(_: Path) -> Path:
    raise apsw.FullError("injected")


def test_drafts_of_a_restore_that_was_killed_are_thrown_away(tmp_path: Path) -> None:
    worker.saved_into(tmp_path, "zebra")
    drafts = tmp_path / "restoring.draft"
    drafts.mkdir()
    (drafts / "p.db").write_text("plinkett")
    with worker.Memory(tmp_path) as memory:
        assert memory.find() == ["zebra"]
        assert worker.leftovers(tmp_path, "plinkett") == []


def test_only_one_process_restores_at_a_time(tmp_path: Path) -> None:
    worker.saved_into(tmp_path, "zebra")
    with worker.Memory(tmp_path) as memory, worker.Memory(tmp_path) as other:
        copy = copied(memory)
        with memory.storage.backups.opened(copy) as backup:
            with pytest.raises(StorageError), other.storage.backups.opened(copy):
                pass
            # Nor does one that opens the storage meanwhile take the drafts away.
            with worker.Memory(tmp_path) as third:
                assert third.find() == ["zebra"]
            assert len(backup.restore()) == 1


def test_eight_at_once_make_one_copy(tmp_path: Path) -> None:
    worker.saved_into(tmp_path, *(f"zebra {number}" for number in range(200)))
    begin = Event()

    def copy() -> bool:
        with worker.Memory(tmp_path) as memory:
            begin.wait()
            return memory.storage.backups.copy(memory.id, Label.DAILY) is not None

    with ThreadPoolExecutor(8) as threads:
        made = [threads.submit(copy) for _ in range(8)]
        begin.set()
        assert sum(each.result() for each in made) == 1


def test_why_there_is_no_copy_is_told_until_there_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with worker.Memory(tmp_path) as memory:
        memory.save("zebra")
        backups = memory.storage.backups
        with monkeypatch.context() as full:
            full.setattr(copies, "_SPARE_BYTES", 1 << 60)
            with pytest.raises(StorageError, match="too little free space"):
                backups.copy(memory.id, Label.DAILY)
        (warned,) = (each for each in memory.storage.diagnosis.findings() if each.severity is Severity.WARNING)
        assert warned.subject == "backups"
        assert "too little free space" in warned.message
        memory.save("and life goes on")
        copied(memory)
        assert backups.trouble() is None


def test_a_copy_of_a_reader_of_old_pages_is_of_the_present(tmp_path: Path) -> None:
    worker.saved_into(tmp_path, "zebra")
    with worker.Memory(tmp_path) as memory, worker.Worker("hold", tmp_path, "read") as reader:
        assert reader.said() == "ready"
        memory.save("later")
        assert memory.storage.backups.held(copied(memory)).memories == 2
        reader.tell()
        assert reader.ended_well()
