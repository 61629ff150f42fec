"""Vectors in files: what differs from the memories, what is broken off, and what an erase leaves.

Over 300 lines, because damage, kills and erasing are looked at through the same few helpers.
"""

import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from uuid import UUID

import pytest

from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.domain.errors import StorageDamagedError, StorageError, StorageReadOnlyError
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Filters
from lamella.ports.storage.observations import StatusChange
from lamella.ports.storage.vectors import Coverage, VectorIndex
from lamella_adapters.sqlite.embeddings import distance_function, nearest
from lamella_adapters.sqlite.embeddings.vector_index import SqliteVectors
from lamella_adapters.sqlite.file.backups import back_up
from lamella_adapters.sqlite.schema import migrations
from lamella_adapters.sqlite.schema.embeddings import (
    CODE_BLOCKS,
    LIVE,
    NONE,
    PLACES,
    PURGED,
)
from tests.end_to_end.storage.worker import (
    NOW,
    Memory,
    assert_sound,
    faults,
    saved_into,
)

MODEL = EmbeddingModel("drawn", 64)
ROWS, SUBJECTS = nearest.CODED_FROM + 500, 300


@cache
def drawn(number: int) -> Vector:
    """A vector of its own for each number; those of one subject, every `SUBJECTS`th, lie near one another."""
    subject, own = Random(number % SUBJECTS), Random(number)  # noqa: S311 - keep no secret
    return Vector.of([subject.gauss(0, 1) + own.gauss(0, 0.6) for _ in range(MODEL.dimension)])


def index(memory: Memory) -> VectorIndex:
    opened = memory.storage.vectors(memory.id, MODEL)
    opened.adopt()
    return opened


def embedded(memory: Memory, count: int) -> list[Observation]:
    """So many memories with their vectors."""
    saved = [memory.save(f"zebra {number}", session="s") for number in range(count)]
    index(memory).put({each: drawn(each.sequence) for each in saved})
    return saved


def near(
    memory: Memory, vector: Vector, limit: int = 10, filters: Filters | None = None
) -> list[tuple[int, float | None]]:
    hits = index(memory).nearest(vector, limit=limit, filters=filters or Filters(), include_purged=True)
    return [(hit.observation.sequence, hit.score) for hit in hits]


@pytest.fixture
def without_sqlite_vec(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As where the package is not installed."""
    distance_function.library.cache_clear()
    monkeypatch.setitem(sys.modules, "sqlite_vec", None)
    yield
    distance_function.library.cache_clear()


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
            made.put({each: drawn(each.sequence) for each in pending})
        memory.execute("UPDATE observation SET purged_at = updated_at WHERE seq % 10 = 0")
    return folder


def test_nearly_all_of_the_nearest_are_found_by_their_codes(large: Path) -> None:
    with Memory(large) as memory:
        live = [sequence for sequence in range(1, ROWS + 1) if sequence == 1 or sequence % 10]
        found = 0
        for number in range(8):
            asked = drawn(-number - 1)
            best = ranked(asked, live)
            answered = near(memory, asked)
            assert answered == [each for each in best if each in answered]
            found += len(set(answered) & set(best[:10]))
        assert found >= 0.97 * 80


def among(memory: Memory, sequences: Sequence[int]) -> Filters:
    """A filter that only these memories pass."""
    opened = memory.storage.registry.file_of(memory.id).database
    with opened.reading() as connection:
        ids = dict(connection.execute("SELECT seq, id FROM observation"))
    return Filters(ids=frozenset(UUID(bytes=ids[sequence]) for sequence in sequences))


def ranked(asked: Vector, sequences: Sequence[int]) -> list[tuple[int, float]]:
    scores = {sequence: asked.cosine(drawn(sequence)) for sequence in sequences}
    return sorted(scores.items(), key=lambda each: (-each[1], -each[0]))


def test_a_filter_comes_before_the_choice_by_codes(large: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest, "CODED_FROM", nearest.CANDIDATES_AT_LEAST)
    with Memory(large) as memory:
        asked = drawn(7)
        live = [sequence for sequence in range(1, ROWS) if sequence % 10]
        farthest = [sequence for sequence, _ in ranked(asked, live)[-nearest.CANDIDATES_AT_LEAST :]]
        assert near(memory, asked, filters=among(memory, farthest)) == ranked(asked, farthest)[:10]


def test_nearly_all_of_the_nearest_that_pass_a_filter_are_found_by_their_codes(
    large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearest, "CODED_FROM", 2_000)
    with Memory(large) as memory:
        live = [sequence for sequence in range(1, ROWS) if sequence % 2]
        found = 0
        for number in range(5):
            asked = drawn(-2 * number - 1)
            best = ranked(asked, live)
            answered = near(memory, asked, filters=among(memory, live))
            assert answered == [each for each in best if each in answered]
            found += len(set(answered) & set(best[:10]))
        assert found >= 0.97 * 50


def test_few_that_pass_a_filter_are_all_compared(large: Path) -> None:
    with Memory(large) as memory:
        asked = drawn(7)
        live = [sequence for sequence in range(1, ROWS) if sequence % 10][: nearest.CODED_FROM - 1]
        assert near(memory, asked, limit=50, filters=among(memory, live)) == ranked(asked, live)[:50]


def test_purged_ones_follow_those_that_were_chosen_by_codes(large: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest, "CODED_FROM", 0)
    with Memory(large) as memory:
        asked, live, purged = drawn(10), [3, 1_004, 2_005], range(10, ROWS + 1, 10)
        assert len(purged) > nearest.CANDIDATES_AT_LEAST
        answered = near(memory, asked, filters=among(memory, [*live, *purged]))
        assert answered == ranked(asked, live) + ranked(asked, purged)[:7]


def test_of_more_equal_ones_than_are_chosen_by_codes_the_later_saved_come_first(
    large: Path, tmp_path: Path
) -> None:
    copy = shutil.copytree(large, tmp_path / "copy")
    with Memory(copy) as memory:
        memory.execute(
            "UPDATE vector SET (code, vector) = (SELECT code, vector FROM vector WHERE seq = 1) WHERE seq > 1",
        )
        latest = [sequence for sequence in range(ROWS, 0, -1) if sequence % 10]
        assert near(memory, drawn(1)) == [(sequence, 1.0) for sequence in latest[:10]]


@pytest.mark.usefixtures("without_numpy")
def test_without_numpy_all_are_compared(large: Path) -> None:
    with Memory(large) as memory:
        live = [sequence for sequence in range(1, ROWS + 1) if sequence == 1 or sequence % 10]
        asked = [drawn(-number - 1) for number in range(3)]
        assert [near(memory, each) for each in asked] == [ranked(each, live)[:10] for each in asked]
        assert near(memory, asked[0], filters=among(memory, live[:500])) == ranked(asked[0], live[:500])[:10]
        assert "lamella_adapters.sqlite.embeddings.sign_codes" not in sys.modules


def test_a_direction_without_a_number_above_zero_is_found_among_places_without_a_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearest, "CODED_FROM", 0)
    monkeypatch.setattr(nearest, "CANDIDATES_AT_LEAST", 1)
    monkeypatch.setattr(nearest, "CANDIDATES_EACH", 1)
    below = Vector.of([-1.0] * MODEL.dimension)
    with Memory(tmp_path) as memory:
        saved = embedded(memory, 9)
        index(memory).put({saved[0]: below, **dict.fromkeys(saved[1:5])})
        assert near(memory, below, limit=1) == [(1, 1.0)]


@pytest.mark.usefixtures("without_sqlite_vec")
def test_the_same_are_found_without_sqlite_vec(large: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers: list[Sequence[tuple[int, float | None]]] = []
    for installed in (False, True):
        with Memory(large) as memory:
            assert (distance_function.library() is not None) == installed
            answers += [near(memory, drawn(-number), limit=30) for number in range(1, 4)]
        monkeypatch.undo()
        distance_function.library.cache_clear()
    assert answers[:3] == answers[3:]


@pytest.mark.usefixtures("with_a_broken_sqlite_vec")
def test_a_library_that_cannot_be_loaded_is_done_without(tmp_path: Path) -> None:
    with Memory(tmp_path / "data") as memory:
        embedded(memory, 5)
        assert distance_function.library() is None
        assert near(memory, drawn(3), limit=1) == [(3, 1.0)]


def test_a_connection_that_was_opened_anew_computes_distances_too(tmp_path: Path) -> None:
    with Memory(tmp_path) as memory:
        embedded(memory, 3)
        assert near(memory, drawn(2), limit=1) == [(2, 1.0)]
        aside = memory.file.with_name("aside")
        memory.file.rename(aside)
        aside.rename(memory.file)
        memory.storage.close()
        assert near(memory, drawn(2), limit=1) == [(2, 1.0)]


DIFFERENCES: Mapping[str, str] = {
    "a vector without a memory": "PRAGMA foreign_keys = OFF; INSERT INTO vector VALUES (99, FALSE, x'00', x'01')",
    "a vector of another length": "UPDATE vector SET vector = x'0101' WHERE seq = 2",
    "an empty vector": "UPDATE vector SET vector = x'' WHERE seq = 2",
    "a vector that points nowhere": "UPDATE vector SET vector = zeroblob(64), code = zeroblob(8) WHERE seq = 2",
    "a code of another vector": "UPDATE vector SET code = zeroblob(8) WHERE seq = 2",
    "a vector without a code": "UPDATE vector SET code = NULL WHERE seq = 2",
    "a purge that it missed": "UPDATE vector SET purged = NOT purged WHERE seq = 2",
    "a memory that nobody embeds": "DELETE FROM vector WHERE seq = 2",
    "a memory that is embedded and is not": "INSERT INTO unembedded VALUES (2)",
    "nothing to embed it for": "PRAGMA foreign_keys = OFF; INSERT INTO unembedded VALUES (99)",
}


@pytest.mark.parametrize("what", DIFFERENCES)
def test_a_vector_that_differs_from_the_memories_is_found_and_embedded_anew(tmp_path: Path, what: str) -> None:
    with Memory(tmp_path) as memory:
        saved = embedded(memory, 3)
        memory.storage.observations(memory.id).purge([saved[0].id], now=NOW)
        assert faults(memory) == []
        before = near(memory, drawn(2))
        memory.execute(DIFFERENCES[what])
        (finding,) = faults(memory)
        assert (finding.message, finding.repair) == (
            "1 vectors differ from the memories",
            "have them embedded anew",
        )
        assert memory.storage.diagnosis.repair(finding) == "1 memories will be embedded anew."
        assert faults(memory) == []
        opened = index(memory)
        opened.put({each: drawn(each.sequence) for each in opened.pending(limit=10)})
        assert near(memory, drawn(2)) == before
    assert_sound(tmp_path, {each.id: each.content for each in saved})


@pytest.mark.parametrize("what", ["a vector of another length", "an empty vector", "a vector that points nowhere"])
def test_a_vector_that_cannot_be_compared_sends_to_the_doctor(tmp_path: Path, what: str) -> None:
    with Memory(tmp_path) as memory:
        saved = embedded(memory, 3)[1]
        memory.execute(DIFFERENCES[what])
        with pytest.raises(StorageError, match="lamella doctor"):
            near(memory, drawn(3))
        with pytest.raises(StorageDamagedError):
            index(memory).similarities(drawn(3), [saved.id])


def test_vectors_of_no_model_are_found(tmp_path: Path) -> None:
    with Memory(tmp_path) as memory:
        embedded(memory, 3)
        memory.execute("DELETE FROM embedding_model")
        (finding,) = faults(memory)
        memory.storage.diagnosis.repair(finding)
        assert (faults(memory), index(memory).coverage()) == ([], Coverage(embedded=0, total=3))


def blocks(memory: Memory) -> dict[int, tuple[bytes, bytes]]:
    """The blocks of codes, by their numbers."""
    opened = memory.storage.registry.file_of(memory.id).database
    with opened.reading() as connection:
        return {block: (states, codes) for block, states, codes in connection.execute("SELECT * FROM code_block")}


def block(codes: Mapping[int, tuple[int, bytes]]) -> tuple[bytes, bytes]:
    """A block with these states and codes in their places, and none in the others."""
    placed = [codes.get(place, (NONE, bytes(8))) for place in range(PLACES)]
    return bytes(state for state, _ in placed), b"".join(code for _, code in placed)


def test_codes_follow_whatever_happens_to_the_memories(tmp_path: Path) -> None:
    with Memory(tmp_path, "one") as memory, Memory(tmp_path, "two") as other:
        saved = embedded(memory, 300)
        codes = {each.sequence: (LIVE, drawn(each.sequence).code) for each in saved}
        assert blocks(memory) == {
            0: block({sequence: codes[sequence] for sequence in range(1, 256)}),
            1: block({sequence - 256: codes[sequence] for sequence in range(256, 301)}),
        }
        observations = memory.storage.observations(memory.id)
        observations.erase([each.id for each in saved[:200]])
        observations.purge([saved[253].id, saved[255].id], now=NOW)
        index(memory).put({saved[254]: drawn(1_000), saved[256]: None, saved[299]: drawn(300)})
        observations.restore([saved[253].id], now=NOW)
        kept = codes | {255: (LIVE, drawn(1_000).code), 256: (PURGED, codes[256][1]), 257: (NONE, bytes(8))}
        assert blocks(memory) == {
            0: block({sequence: kept[sequence] for sequence in range(201, 256)}),
            1: block({sequence - 256: kept[sequence] for sequence in range(256, 301)}),
        }
        assert faults(memory) == []
        memory.storage.registry.merge(memory.id, other.id)
        index(other).put(dict.fromkeys(index(other).pending(limit=3), drawn(7)))
        assert blocks(other) == {0: block(dict.fromkeys((98, 99, 100), (LIVE, drawn(7).code)))}
        assert faults(other) == []
        memory.storage.vectors(other.id, EmbeddingModel("other", 8)).adopt()
        assert blocks(other) == {}


MISPLACED: Mapping[str, str] = {
    "a code of another vector": "UPDATE code_block SET codes = zeroblob(length(codes))",
    "a purge that it missed": "UPDATE code_block SET states = zeroblob(length(states))",
    "a code of no vector": "INSERT INTO code_block SELECT 7, states, codes FROM code_block",
    "codes that are too few": "UPDATE code_block SET codes = substr(codes, 9)",
    "too few places": "UPDATE code_block SET states = substr(states, 2)",
    "no codes at all": "DELETE FROM code_block",
}


@pytest.mark.parametrize("what", MISPLACED)
def test_codes_that_differ_from_the_vectors_are_found_and_read_again(tmp_path: Path, what: str) -> None:
    with Memory(tmp_path) as memory:
        saved = embedded(memory, 3)
        memory.storage.observations(memory.id).purge([saved[0].id], now=NOW)
        before = blocks(memory)
        memory.execute(MISPLACED[what])
        (finding,) = faults(memory)
        assert (finding.message, finding.repair) == (
            "1 blocks of codes differ from the vectors",
            "put the codes in them anew",
        )
        assert memory.storage.diagnosis.repair(finding) == "The codes of all vectors were read again."
        assert (faults(memory), blocks(memory)) == ([], before)


@pytest.mark.parametrize("what", ["codes that are too few", "too few places"])
def test_codes_that_cannot_be_compared_send_to_the_doctor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setattr(nearest, "CODED_FROM", 0)
    with Memory(tmp_path) as memory:
        embedded(memory, 3)
        memory.execute(MISPLACED[what])
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
            memory.storage.registry.merge(memory.id, other.id)
        elif way == "after another model":
            memory.storage.vectors(memory.id, EmbeddingModel("other", 8)).adopt()
        elif way == "replaced before":
            index(memory).put({each: drawn(1_000 + each.sequence) for each in gone})
        assert leftovers(tmp_path, vectors) != []
        assert set(memory.storage.observations(memory.id).erase([each.id for each in gone])) == {StatusChange.DONE}
        memory.storage.close()
        other.storage.close()
        assert leftovers(tmp_path, vectors) == []


def test_memories_of_an_older_file_are_pending(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as older:
        older.setattr(migrations, "PROJECT", migrations.PROJECT[:1])
        saved_into(tmp_path, "one", "two")
    with Memory(tmp_path) as memory:
        assert [each.content for each in index(memory).pending(limit=10)] == ["two", "one"]
        assert faults(memory) == []


def test_vectors_of_an_older_file_are_found_by_their_codes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearest, "CODED_FROM", 0)
    with monkeypatch.context() as older:
        older.setattr(migrations, "PROJECT", migrations.PROJECT[: migrations.PROJECT.index(CODE_BLOCKS)])
        with Memory(tmp_path) as memory:
            saved = [memory.save(f"zebra {number}") for number in range(600)]
            memory.execute("INSERT INTO embedding_model VALUES ('drawn', 64)")
            vectors = [None if each.sequence % 7 == 0 else drawn(each.sequence) for each in saved]
            index(memory).put(dict(zip(saved[100:], vectors[100:], strict=True)))
            memory.storage.observations(memory.id).purge([saved[400].id, saved[599].id], now=NOW)
    with Memory(tmp_path) as memory:
        assert faults(memory) == []
        live = [sequence for sequence in range(101, 601) if sequence % 7 and sequence not in {401, 600}]
        assert near(memory, drawn(500)) == ranked(drawn(500), live)[:10]
        assert sorted(blocks(memory)) == [0, 1, 2]


def test_what_cannot_be_written_is_still_looked_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Memory(tmp_path) as memory:
        saved = embedded(memory, 3)
    monkeypatch.setattr("os.access", lambda *_: False)
    with Memory(tmp_path) as memory:
        opened = memory.storage.vectors(memory.id, MODEL)
        assert isinstance(opened, SqliteVectors)
        opened.adopt()
        assert [hit.observation for hit in opened.nearest(drawn(3), limit=1, filters=Filters())] == saved[2:]
        with pytest.raises(StorageReadOnlyError):
            opened.put({saved[0]: drawn(9)})
        with pytest.raises(StorageReadOnlyError):
            memory.storage.vectors(memory.id, EmbeddingModel("other", 8)).adopt()
