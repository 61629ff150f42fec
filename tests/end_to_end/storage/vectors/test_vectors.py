"""Vectors in files: where they differ from the memories, and what an erase leaves of them."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.domain.errors import StorageDamagedError, StorageError, StorageReadOnlyError
from lamella.domain.memories.query import Filters, RecallQuery
from lamella.domain.transactions.status import StatusChange
from lamella.ports.storage.vectors import Coverage, NewVector
from lamella_adapters.sqlite.embeddings import vector_index
from lamella_adapters.sqlite.embeddings.vector_index import SqliteVectors
from lamella_adapters.sqlite.file.backups import back_up
from lamella_adapters.sqlite.schema.embeddings import LIVE, NONE, PURGED
from lamella_contracts.fixtures.project import signed
from tests.end_to_end.storage.vectors.vectors import MODEL, block, blocks, drawn, embedded, index, near
from tests.end_to_end.storage.worker import NOW, Memory, faults
from tests.unit.support.tables import cases


@cases
def test_a_vector_that_cannot_be_compared_sends_to_the_doctor(tmp_path: Path, damage: str) -> None:
    with Memory(tmp_path) as memory:
        saved = embedded(memory, 3)[1]
        memory.execute(damage)
        with pytest.raises(StorageError, match="lamella doctor"):
            near(memory, drawn(3))
        with pytest.raises(StorageDamagedError):
            index(memory).nearest(
                drawn(3), RecallQuery(limit=1, filters=Filters(ids=frozenset())), compared=[saved.id]
            )


def test_vectors_of_no_model_are_found(tmp_path: Path) -> None:
    with Memory(tmp_path) as memory:
        embedded(memory, 3)
        memory.execute("DELETE FROM embedding_model")
        memory.repaired()
        assert index(memory).coverage() == Coverage(embedded=0, total=3)


def test_codes_follow_whatever_happens_to_the_memories(tmp_path: Path) -> None:
    with Memory(tmp_path, "one") as memory, Memory(tmp_path, "two") as other:
        saved = embedded(memory, 300)
        codes = {each.sequence: (LIVE, drawn(each.sequence).code) for each in saved}
        assert blocks(memory) == {
            0: block({sequence: codes[sequence] for sequence in range(1, 256)}),
            1: block({sequence - 256: codes[sequence] for sequence in range(256, 301)}),
        }
        observations = memory.storage.observations(memory.id)
        observations.erase([each.id for each in saved[:200]], by=signed())
        observations.purge([saved[253].id, saved[255].id], by=signed(NOW))
        pairs = ((saved[254], drawn(1_000)), (saved[256], None), (saved[299], drawn(300)))
        index(memory).put([NewVector.of(*pair) for pair in pairs])
        observations.restore([saved[253].id], by=signed(NOW))
        kept = codes | {255: (LIVE, drawn(1_000).code), 256: (PURGED, codes[256][1]), 257: (NONE, bytes(8))}
        assert blocks(memory) == {
            0: block({sequence: kept[sequence] for sequence in range(201, 256)}),
            1: block({sequence - 256: kept[sequence] for sequence in range(256, 301)}),
        }
        assert faults(memory) == []
        memory.storage.registry.merge(memory.id, other.id, by=signed())
        index(other).put([NewVector.of(each, drawn(7)) for each in index(other).pending(limit=3)])
        assert blocks(other) == {0: block(dict.fromkeys((98, 99, 100), (LIVE, drawn(7).code)))}
        assert faults(other) == []
        memory.storage.vectors(other.id, EmbeddingModel("other", 8)).adopt()
        assert blocks(other) == {}


@cases
def test_codes_that_cannot_be_compared_send_to_the_doctor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    monkeypatch.setattr(vector_index, "CODED_FROM", 0)
    with Memory(tmp_path) as memory:
        embedded(memory, 3)
        memory.execute(damage)
        with pytest.raises(StorageDamagedError):
            near(memory, drawn(3))


def leftovers(folder: Path, vectors: Sequence[Vector]) -> list[str]:
    """The files in which one of these vectors, or its code, stands."""
    traces = [trace for vector in vectors for trace in (vector.components, vector.code)]
    return sorted(
        path.name
        for path in folder.rglob("*")
        if path.is_file() and any(trace in path.read_bytes() for trace in traces)
    )


@pytest.mark.parametrize("way", ["at once", "after a merge", "after another model", "replaced before"])
def test_no_byte_is_left_of_the_vector_of_what_was_erased(tmp_path: Path, way: str) -> None:
    with Memory(tmp_path, "old") as memory, Memory(tmp_path, "new") as other:
        saved = embedded(memory, 40)
        gone = saved[10:30]
        vectors = [drawn(each.sequence) for each in gone]
        back_up(memory.file, label="test")
        if way == "after a merge":
            memory.storage.registry.merge(memory.id, other.id, by=signed())
        elif way == "after another model":
            memory.storage.vectors(memory.id, EmbeddingModel("other", 8)).adopt()
        elif way == "replaced before":
            index(memory).put([NewVector.of(each, drawn(1_000 + each.sequence)) for each in gone])
        assert leftovers(tmp_path, vectors) != []
        assert set(memory.storage.observations(memory.id).erase([each.id for each in gone], by=signed())) == {
            StatusChange.DONE
        }
        memory.storage.close()
        other.storage.close()
        assert leftovers(tmp_path, vectors) == []


def test_what_cannot_be_written_is_still_looked_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Memory(tmp_path) as memory:
        saved = embedded(memory, 3)
    monkeypatch.setattr("os.access", lambda _, mode: not mode & os.W_OK)
    with Memory(tmp_path) as memory:
        opened = memory.storage.vectors(memory.id, MODEL)
        assert isinstance(opened, SqliteVectors)
        opened.adopt()
        assert [hit.observation for hit in opened.nearest(drawn(3), RecallQuery(limit=1)).hits] == saved[2:]
        with pytest.raises(StorageReadOnlyError):
            opened.put([NewVector.of(saved[0], drawn(9))])
        with pytest.raises(StorageReadOnlyError):
            memory.storage.vectors(memory.id, EmbeddingModel("other", 8)).adopt()
