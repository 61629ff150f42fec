"""A data directory with rows in every table."""

import random
import shutil
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from lamella.domain.embeddings.vector import Vector
from lamella.domain.memories.observation import CodeChange
from lamella_contracts.fixtures.project import signed
from tests.end_to_end.storage.damage.broken_files import COUNT, OTHER_ROWS, connection_of, observation
from tests.end_to_end.storage.worker import NOW, Memory, faults


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with rows in every table."""
    folder = tmp_path_factory.mktemp("sound")
    with Memory(folder) as memory:
        for number in range(COUNT):
            change = CodeChange(
                path=f"src/{number}.py", additions=1, deletions=1, hunks="@@ -1 +1 @@\n-old\n+new\n"
            )
            text = f"zebra {number} " + f"word{number} " * (number * 31 % 900)
            memory.save(text, session=f"s{number % 7}", changes=(change,))
        path = memory.file
    noise = random.Random(0)  # noqa: S311 - repeatable
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute(OTHER_ROWS).fetchall()
        for number in range(1, COUNT, 2):
            vector = noise.randbytes(64)
            connection.execute("INSERT INTO vector VALUES (?, 0, ?, ?)", (number, Vector(vector).code, vector))
    with Memory(folder) as memory:
        memory.storage.observations(memory.id).purge([observation(connection_of(path), 5)], by=signed(NOW))
        assert faults(memory) == []
    return folder


@pytest.fixture
def folder(sound: Path, tmp_path: Path) -> Path:
    """Return a copy of it to damage."""
    return Path(shutil.copytree(sound, tmp_path / "data"))
