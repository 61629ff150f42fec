"""The ledger in files: what an erase leaves of it."""

from datetime import timedelta
from pathlib import Path
from uuid import UUID, uuid4

from lamella.domain.ledger.file_change import Removal
from lamella.domain.ledger.fingerprints import fingerprints
from lamella.domain.memories.observation import CodeChange, Draft, Kind
from lamella.ports.storage.ledger import Capture, CodeLedger, Recorded
from lamella_adapters.sqlite.file.backups import back_up
from lamella_contracts.fixtures.project import signed
from tests.end_to_end.storage.worker import NOW, Memory, faults, leftovers

WORDS = ("plinkett", "quibble", "zanzibar", "froop")
GONE = f"def {WORDS[0]}(first, second):"


def ledger(memory: Memory) -> CodeLedger:
    return memory.storage.ledger(memory.id)


def capture(memory: Memory, hunks: str, *, minutes: int = 0, request: str | None = None) -> UUID:
    """The id of what is captured, whether it becomes an observation or part of one."""
    change = CodeChange(path="a.py", former=f"{WORDS[2]}.py", hunks=hunks)
    draft = Draft(content=f"why\n\n{hunks}", kind=Kind.CHANGE, session="s", changes=(change,), request=request)
    captured = Capture(id=uuid4(), draft=draft, at=NOW + timedelta(minutes=minutes))
    ledger(memory).record([captured])
    return captured.id


def removals(memory: Memory) -> tuple[Removal, ...]:
    return ledger(memory).removals("a.py", fingerprints([GONE]))


def test_no_byte_is_left_of_an_erased_change(tmp_path: Path) -> None:
    with Memory(tmp_path) as memory:
        memory.save("before", session="s")
        id = capture(memory, f"-{GONE}\n+{WORDS[1]}", request=WORDS[3])
        capture(memory, f"-    return {WORDS[1]}()", minutes=5)
        memory.save("after", session="s", now=NOW + timedelta(hours=1))
        assert ledger(memory).tell("s", removals(memory)[0])
        back_up(memory.file, label="test")
        assert len(leftovers(tmp_path, *WORDS)) >= 2
        memory.storage.observations(memory.id).erase([id], by=signed())
        assert leftovers(tmp_path, *WORDS) == []
        draft = Draft(content="again", kind=Kind.CHANGE, request=WORDS[3])
        assert ledger(memory).record([Capture(id=uuid4(), draft=draft, at=NOW)]) == (Recorded.KNOWN,)
        assert faults(memory) == []
