"""Libraries that are missing, and a project with many vectors."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lamella.ports.storage.vectors import NewVector
from lamella_adapters.sqlite.embeddings import distance_function
from tests.end_to_end.storage.vectors.vectors import ROWS, drawn, index
from tests.end_to_end.storage.worker import Memory


@pytest.fixture
def without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the package is not installed."""
    monkeypatch.setitem(sys.modules, "numpy", None)
    monkeypatch.delitem(sys.modules, "lamella_adapters.sqlite.embeddings.sign_codes", raising=False)


@pytest.fixture
def with_a_broken_sqlite_vec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As where the package is for another machine."""
    package = tmp_path / "broken" / "sqlite_vec"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "vec0.so").write_bytes(b"\x7fELF" + bytes(100))
    distance_function.library.cache_clear()
    monkeypatch.delitem(sys.modules, "sqlite_vec", raising=False)
    monkeypatch.syspath_prepend(str(package.parent))
    yield
    distance_function.library.cache_clear()


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project in which vectors are chosen by their codes; every tenth memory is purged."""
    folder = tmp_path_factory.mktemp("large")
    with Memory(folder) as memory:
        memory.save("first")
        opened = memory.storage.registry.file_of(memory.id).database
        with opened.writing() as connection:
            connection.execute(
                """WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < :rows)
                INSERT INTO observation (id, origin, kind, actor, source, title, title_key, indexed_title, heading,
                  content, sub, context, created_at, updated_at, moment, fingerprint)
                SELECT randomblob(16), origin, kind, actor, source, title, title_key, indexed_title, heading, i,
                  sub, context, created_at, updated_at, moment, randomblob(32)
                FROM n, observation""",
                {"rows": ROWS},
            )
        made = index(memory)
        while pending := made.pending(limit=1_000):
            made.put([NewVector.of(each, drawn(each.sequence)) for each in pending])
        memory.execute("UPDATE observation SET purged_at = updated_at WHERE seq % 10 = 0")
    return folder
