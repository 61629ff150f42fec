"""Captured edits that age: what is left in the file, and what the doctor says of it."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from lamella.domain.ledger.describe import described
from lamella.domain.ledger.fingerprints import fingerprints
from lamella.domain.memories.observation import CodeChange, Draft, Kind
from lamella.ports.storage.ledger import Capture
from lamella_adapters.sqlite.file import create
from lamella_contracts.fixtures.project import signed
from tests.end_to_end.storage.worker import NOW, Memory, assert_sound, faults, leftovers

DAY = timedelta(days=1)
LINES = (
    "def plinkett(visits, guests):",
    "    return guests.retried(visits or DEFAULT)",
    "    guests.close(visits=3)",
)
ROWS = 40


def captures(count: int = ROWS, more: str = "") -> Iterator[Capture]:
    for number in range(count):
        hunks = "\n".join(["@@ -1,3 +0,0 @@", *(f"-{line}" for line in lines(number)), *[f"-{more}"] * bool(more)])
        change = CodeChange(path=f"{number % 5}.py", additions=0, deletions=3, hunks=hunks)
        draft = Draft(
            content=described([change], "Guests are gone."),
            title="Guests are gone.",
            source="edit",
            kind=Kind.CHANGE,
            session="s",
            changes=(change,),
            request=f"call {number}",
        )
        yield Capture(id=uuid4(), draft=draft, at=NOW + number * DAY)


def lines(number: int) -> list[str]:
    return [each.replace("(", f"{number}(") for each in LINES]


def recorded(memory: Memory, *made: Capture) -> dict[UUID, str]:
    memory.storage.ledger(memory.id).record(made)
    return {
        each.id: f"Guests are gone.\n\nChanged {each.draft.changes[0].path}: 0 lines added, 3 removed."
        for each in made
    }


def age(memory: Memory) -> None:
    while memory.storage.ledger(memory.id).age(NOW + ROWS * DAY, limit=7):
        pass
    while memory.storage.maintain():
        pass


GONE = frozenset(fingerprints(lines(7)))


def test_no_line_of_an_aged_edit_is_left_in_the_file_and_all_is_sound(tmp_path: Path) -> None:
    with Memory(tmp_path) as memory:
        saved = recorded(memory, *captures())
        ledger = memory.storage.ledger(memory.id)
        before = ledger.removals("2.py", GONE)
        assert any(each.fingerprints == GONE for each in before)
        age(memory)
        memory.storage.registry.file_of(memory.id).database.empty_log()
        assert ledger.removals("2.py", GONE) == before
        assert faults(memory) == []
    assert leftovers(tmp_path, "plinkett") == []
    assert_sound(tmp_path, saved)


def test_edits_that_moved_after_they_had_aged_are_sound(tmp_path: Path) -> None:
    with Memory(tmp_path, "old") as memory, Memory(tmp_path, "new") as other:
        recorded(memory, *captures())
        age(memory)
        before = memory.storage.ledger(memory.id).removals("2.py", GONE)
        memory.storage.registry.merge(memory.id, other.id, by=signed())
        age(other)
        assert other.storage.ledger(other.id).removals("2.py", GONE) == before
        assert faults(other) == []


def test_hunks_of_an_older_schema_age_too(tmp_path: Path) -> None:
    with Memory(tmp_path) as memory:
        recorded(memory, *captures())
        hunks = "\n".join(["@@ -1,3 +0,0 @@", *(f"-{line}" for line in lines(1))])
        memory.execute("UPDATE code_change SET packed = NULL, hunks = ?", hunks)
        age(memory)
        memory.storage.registry.file_of(memory.id).database.empty_log()
        assert leftovers(memory.file, "plinkett") == []


def test_altered_hunks_are_found(tmp_path: Path) -> None:
    with Memory(tmp_path) as memory:
        (capture,) = captures(1, "and more, " * 30)
        recorded(memory, capture)
        memory.execute("UPDATE code_change SET packed = randomblob(length(packed))")
        (fault,) = faults(memory)
        assert fault.message == "1 memories or other rows are not what was saved"


def test_free_pages_are_given_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(create, "_LEAST_FREE_PAGES", 10)
    with Memory(tmp_path) as memory:
        recorded(memory, *captures(200, "; ".join(map(str, range(500)))))
        database = memory.storage.registry.file_of(memory.id).database
        database.empty_log()
        before = memory.file.stat().st_size
        while memory.storage.ledger(memory.id).age(NOW + 400 * DAY, limit=20):
            pass
        while memory.storage.maintain():
            pass
        database.empty_log()
        assert memory.file.stat().st_size < before * 2 / 3
        assert faults(memory) == []
