"""Logs that grow, and notes of how much was saved: the fault table's rows 9 and 15."""

from pathlib import Path

import pytest

from lamella.ports.storage.diagnosis import Finding, Severity
from lamella_adapters.sqlite.doctor import project
from lamella_adapters.sqlite.file.connection import beside
from lamella_adapters.sqlite.file.write_queue import note_of
from lamella_adapters.sqlite.projects.scope import noted_count
from tests.end_to_end.storage.worker import Memory, Worker, assert_sound, faults, saved_into, unsynced_folder

LONG = 5 << 20
"""More than a log that is emptied in time, and less than the product's own limit, which takes longer to reach."""

TEXT = "x " * 4_000

# Row 9: a reader that does not stop.


def warnings(memory: Memory) -> list[Finding]:
    return [each for each in memory.storage.diagnosis.findings() if each.severity is Severity.WARNING]


def test_a_log_grown_by_a_stalled_reader_is_warned_of_and_emptied_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(project, "_LONG_BYTES", LONG)
    with unsynced_folder() as folder:
        saved = saved_into(folder, "zebra")
        with Memory(folder) as memory:
            log = beside(memory.file)[0]
            with Worker("hold", folder, "read") as reader:
                assert reader.said() == "ready"
                while not log.exists() or log.stat().st_size < LONG * 2:
                    content = f"filler {len(saved)} {TEXT}"
                    saved[memory.save(content).id] = content
                assert faults(memory) == []
                (warning,) = warnings(memory)
                assert "MB: a program keeps reading an old state of the file" in warning.message
                reader.tell()
                assert reader.ended_well()
            for _ in range(3):
                saved[memory.save(f"after {len(saved)}").id] = f"after {len(saved)}"
            assert warnings(memory) == []
            size = log.stat().st_size
            for number in range(100):
                saved[memory.save(f"more {number} {TEXT}").id] = f"more {number} {TEXT}"
            assert log.stat().st_size == size
        assert_sound(folder, saved)


# Row 15: what tells that a log was cut or deleted; `tests/faults/storage/damage.py` does so.


def test_whoever_has_saved_without_a_note_or_with_a_broken_one_is_not_missed(tmp_path: Path) -> None:
    saved = saved_into(tmp_path, "zebra", "horse")
    with Memory(tmp_path) as memory:
        note = memory.file.with_suffix(".count")
        assert noted_count(note_of(memory.file)) == 2
        note.write_bytes(b"\xff\x00 no number")
        assert faults(memory) == []
        note.unlink()
        assert faults(memory) == []
        saved[memory.save("donkey").id] = "donkey"
        assert noted_count(note_of(memory.file)) == 3
        note.chmod(0o600)
        note.unlink()
        note.mkdir()
        saved[memory.save("mule").id] = "mule"
    note.rmdir()
    assert_sound(tmp_path, saved)
