"""Single bits that become others: the fault table's row 14. They are found or do no harm."""

import random
import shutil
from pathlib import Path
from uuid import UUID

import pytest

from lamella.domain.errors import StorageError
from lamella.domain.memories.observation import CodeChange
from lamella.domain.memories.query import ByText, RecallQuery, Recent
from tests.end_to_end.storage.worker import Memory, assert_sound, faults

COUNT = 60
HERDS = ["herd" + first + second for first in "bcdfghjk" for second in "lmnprstv"]
SELECTORS: list[ByText | Recent] = [Recent(), *(ByText(word) for word in ("zebra", *HERDS[:COUNT:20]))]

Answer = list[tuple[UUID, str, str]] | None


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bits")
    with Memory(folder) as memory:
        for number in range(COUNT):
            change = CodeChange(
                path=f"src/{number}.py", additions=1, deletions=1, hunks="@@ -1 +1 @@\n-old\n+new\n"
            )
            memory.save(f"zebra {number} " + f"{HERDS[number]} " * 100, session="s", changes=(change,))
    return folder


@pytest.fixture(scope="module")
def right(sound: Path) -> list[Answer]:
    """Return the answers of the sound file."""
    with Memory(sound) as memory:
        answers = [answer(memory, selector) for selector in SELECTORS]
    assert all(answers)
    return answers


def answer(memory: Memory, selector: ByText | Recent) -> Answer:
    """Return the memories that are found, or None after any error: every driver shows it as one."""
    query = RecallQuery(selector=selector, limit=1000)
    try:
        found = [hit.observation for hit in memory.storage.search(memory.id).find(query)]
    except StorageError:
        return None
    return [(each.id, each.title, each.content) for each in found]


@pytest.mark.parametrize("seed", range(40))
def test_a_flipped_bit_is_found_or_harmless(sound: Path, right: list[Answer], tmp_path: Path, seed: int) -> None:
    noise = random.Random(seed)  # noqa: S311 - repeatable
    folder = Path(shutil.copytree(sound, tmp_path / "data"))
    with Memory(folder) as memory:
        content = bytearray(memory.file.read_bytes())
        content[noise.randrange(len(content))] ^= 1 << noise.randrange(8)
        memory.file.write_bytes(content)
        answers = [answer(memory, selector) for selector in SELECTORS]
        found = faults(memory)
        assert found or answers == right
        assert [] not in answers
        while found:
            memory.storage.diagnosis.repair(found[0])
            found = faults(memory)
    assert_sound(folder, {})
