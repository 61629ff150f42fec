"""Files that change by themselves: bits flip, and files and logs are cut, lost or older than they were."""

import re
import shutil
from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random
from uuid import UUID

from lamella.domain.memories.observation import CodeChange
from lamella.domain.memories.query import ByText, RecallQuery, Recent
from lamella_adapters.sqlite.file.connection import beside
from tests.end_to_end.storage.worker import Memory, assert_sound, faults
from tests.faults.fault import Injections

COUNT = 60
MOST_REPAIRS = 20
"""More than any damage needs."""

HERDS = ["herd" + first + second for first in "bcdfghjk" for second in "lmnprstv"]
SELECTORS: list[ByText | Recent] = [Recent(), *(ByText(word) for word in ("zebra", *HERDS[:COUNT:20]))]

Answer = list[tuple[UUID, str, str]] | None


def answer(memory: Memory, selector: ByText | Recent) -> Answer:
    """Return the memories that are found, or None after any error: every driver shows it as one and goes on."""
    query = RecallQuery(selector=selector, limit=1000)
    try:
        found = [hit.observation for hit in memory.storage.search(memory.id).find(query)]
    except Exception:  # noqa: BLE001 - damage may break anything
        return None
    return [(each.id, each.title, each.content) for each in found]


def _fill(folder: Path) -> None:
    with Memory(folder) as memory:
        for number in range(COUNT):
            change = CodeChange(
                path=f"src/{number}.py", additions=1, deletions=1, hunks="@@ -1 +1 @@\n-old\n+new\n"
            )
            memory.save(f"zebra {number} " + f"{HERDS[number]} " * 100, session="s", changes=(change,))


def _repair(memory: Memory) -> None:
    found = faults(memory)
    for _ in range(MOST_REPAIRS):
        if found:
            memory.storage.diagnosis.repair(found[0])
            found = faults(memory)
    assert [each.message for each in found] == []


def _flip(content: bytearray, noise: Random) -> None:
    content[noise.randrange(len(content))] ^= 1 << noise.randrange(8)


def _overwrite(content: bytearray, noise: Random) -> None:
    length = noise.randrange(1, 3_000)
    start = noise.randrange(len(content) - length)
    other = noise.randrange(len(content) - length)
    moved = bytes(content[other : other + length])
    content[start : start + length] = noise.choice([bytes(length), noise.randbytes(length), moved])


def _cut(content: bytearray, noise: Random) -> None:
    del content[noise.randrange(len(content)) :]


def _damaged(
    change: Callable[[bytearray, Random], None], *, bits: bool = False
) -> Callable[[Path, Random], Injections]:
    """Return the injector that changes the bytes of a file: doctor finds it, or every answer is as before."""

    def inject(folder: Path, noise: Random) -> Injections:
        _fill(folder / "sound")
        with Memory(folder / "sound") as memory:
            right = [answer(memory, selector) for selector in SELECTORS]
        assert all(right)
        for number in count():
            copy = Path(shutil.copytree(folder / "sound", folder / str(number)))
            with Memory(copy) as memory:
                before = memory.file.read_bytes()
                content = bytearray(before)
                change(content, noise)
                memory.file.write_bytes(content)
                answers = [answer(memory, selector) for selector in SELECTORS]
                told = bool(faults(memory))
                assert told or answers == right, _difference(before, content, right, answers)
                empty = [] in answers
                assert not (bits and empty)
                _repair(memory)
                kept = answer(memory, Recent()) or []
                assert {*kept} <= {*(right[0] or ())}, "what comes back is not what was saved"
                # The numbers of lost rows are not used again.
                assert not kept or memory.save("afterwards").sequence > COUNT
            assert_sound(copy, {})
            shutil.rmtree(copy)
            repaired = "found by doctor, and repaired" + " (a search had found nothing)" * empty
            yield repaired if told else "harmless: all answers are right"

    return inject


def _difference(before: bytes, after: bytes | bytearray, right: list[Answer], answers: list[Answer]) -> str:
    """Return what a person needs to find out why damage was not seen."""
    changed = [place for place, (one, other) in enumerate(zip(before, after, strict=False)) if one != other]
    wrong = [pair for pair in zip(right, answers, strict=True) if pair[0] != pair[1]]
    return f"{len(before)} bytes, changed from {changed[:1]} to {changed[-1:]}: {wrong}"


flipped_bits, overwritten, truncated = _damaged(_flip, bits=True), _damaged(_overwrite), _damaged(_cut)


def _cut_file(path: Path, noise: Random) -> None:
    with path.open("r+b") as file:
        file.truncate(noise.randrange(path.stat().st_size))


def lost_logs(folder: Path, noise: Random) -> Injections:
    """Cut or delete the log that a killed process has left, or put an older file in its database's place."""
    acknowledged: set[str] = set()
    with Memory(folder / "live") as memory:
        for number in count():
            content = f"zebra {number} {'word ' * noise.randrange(600)}".strip()
            older = memory.file.read_bytes() if number else b""
            acknowledged.add(memory.save(content).content)
            copy = folder / str(number)
            # What a kill leaves: shared memory is made anew.
            shutil.copytree(folder / "live", copy, ignore=shutil.ignore_patterns("*-shm"))
            file = copy / memory.file.relative_to(folder / "live")
            log, _ = beside(file)
            match noise.choice(("cut", "delete", "older")):
                case "cut" if log.exists() and log.stat().st_size:
                    _cut_file(log, noise)
                case "delete":
                    log.unlink(missing_ok=True)
                case _ if older:
                    log.unlink(missing_ok=True)
                    file.write_bytes(older)
            with Memory(copy) as damaged:
                there = answer(damaged, Recent())
                lost = len(acknowledged) - len(there or ())
                said = " ".join(each.message for each in faults(damaged))
                broken = there is None or "SQLite finds it broken" in said
                told = re.findall(r"(\d+) memor(?:y or message is|ies or messages are) missing", said)
                assert said if broken else told == ([str(lost)] if lost else []), said
                _repair(damaged)
            assert_sound(copy, {})
            shutil.rmtree(copy)
            yield "found by doctor, and repaired" if broken or lost else "nothing was lost"
