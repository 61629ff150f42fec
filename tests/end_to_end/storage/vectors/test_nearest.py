"""The nearest vectors, chosen by their codes or compared one by one."""

import sys
from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

import pytest

from lamella.domain.embeddings.vector import Vector
from lamella.domain.memories.query import Filters
from lamella.ports.storage.vectors import NewVector
from lamella_adapters.sqlite.embeddings import distance_function, vector_index
from lamella_adapters.sqlite.schema import migrations
from lamella_contracts.fixtures.project import signed
from tests.end_to_end.storage.vectors.vectors import MODEL, ROWS, blocks, drawn, embedded, index, near
from tests.end_to_end.storage.worker import NOW, Memory, faults, older_schema

LIVE = [sequence for sequence in range(1, ROWS + 1) if sequence % 10]
"""Memories of the large project that are not purged."""


def share_found(memory: Memory, directions: range, live: Sequence[int], filters: Filters | None = None) -> float:
    """Return the share of the ten nearest to each direction that is found; all that is found is in order."""
    found = 0
    for number in directions:
        best = ranked(drawn(number), live)
        answered = near(memory, drawn(number), filters=filters)
        assert answered == [each for each in best if each in answered]
        found += len(set(answered) & set(best[:10]))
    return found / len(directions) / 10


def test_nearly_all_of_the_nearest_are_found_by_their_codes(large: Path) -> None:
    with Memory(large) as memory:
        assert share_found(memory, range(-8, 0), LIVE) >= 0.97


def among(memory: Memory, sequences: Sequence[int]) -> Filters:
    """A filter that only these memories pass."""
    opened = memory.storage.registry.file_of(memory.id).database
    with opened.reading() as connection:
        ids = dict(connection.execute("SELECT seq, id FROM observation"))
    return Filters(ids=frozenset(UUID(bytes=ids[sequence]) for sequence in sequences))


def ranked(asked: Vector, sequences: Sequence[int]) -> list[tuple[int, float]]:
    scores = {sequence: asked.cosine(drawn(sequence)) for sequence in sequences}
    return sorted(scores.items(), key=lambda each: (-each[1], -each[0]))


def test_nearly_all_of_the_nearest_that_pass_a_filter_are_found_by_their_codes(
    large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_index, "CODED_FROM", 2_000)
    with Memory(large) as memory:
        live = range(1, ROWS, 2)
        assert share_found(memory, range(-9, 0, 2), live, among(memory, live)) >= 0.97


def test_few_that_pass_a_filter_are_all_compared(large: Path) -> None:
    with Memory(large) as memory:
        asked = drawn(7)
        live = LIVE[: vector_index.CODED_FROM - 1]
        assert near(memory, asked, limit=50, filters=among(memory, live)) == ranked(asked, live)[:50]


@pytest.mark.usefixtures("without_numpy")
def test_without_numpy_all_are_compared(large: Path) -> None:
    with Memory(large) as memory:
        asked = [drawn(-number - 1) for number in range(3)]
        assert [near(memory, each) for each in asked] == [ranked(each, LIVE)[:10] for each in asked]
        assert near(memory, asked[0], filters=among(memory, LIVE[:500])) == ranked(asked[0], LIVE[:500])[:10]
        assert "lamella_adapters.sqlite.embeddings.sign_codes" not in sys.modules


def test_a_vector_without_positive_components_is_found_beside_missing_vectors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_index, "CODED_FROM", 0)
    monkeypatch.setattr(vector_index, "CANDIDATES_AT_LEAST", 1)
    monkeypatch.setattr(vector_index, "CANDIDATES_EACH", 1)
    below = Vector.of([-1.0] * MODEL.dimension)
    with Memory(tmp_path) as memory:
        saved = embedded(memory, 9)
        index(memory).put([NewVector.of(saved[0], below), *(NewVector.of(each, None) for each in saved[1:5])])
        assert near(memory, below, limit=1) == [(1, 1.0)]


@pytest.mark.usefixtures("with_a_broken_sqlite_vec")
def test_a_library_that_cannot_be_loaded_is_done_without(large: Path) -> None:
    with Memory(large) as memory:
        assert share_found(memory, range(-4, 0), LIVE) >= 0.97
        assert distance_function.library() is None


def test_a_connection_that_was_opened_anew_computes_distances_too(tmp_path: Path) -> None:
    with Memory(tmp_path) as memory:
        embedded(memory, 3)
        assert near(memory, drawn(2), limit=1) == [(2, 1.0)]
        aside = memory.file.with_name("aside")
        memory.file.rename(aside)
        aside.rename(memory.file)
        memory.storage.close()
        assert near(memory, drawn(2), limit=1) == [(2, 1.0)]


def test_vectors_of_older_files_are_found_by_their_codes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_index, "CODED_FROM", 0)
    with (
        older_schema(tmp_path, migrations.PROJECT.index(migrations.NAMED["code_blocks"])),
        Memory(tmp_path) as memory,
    ):
        saved = [memory.save(f"zebra {number}") for number in range(600)]
        memory.execute("INSERT INTO embedding_model VALUES ('drawn', 64)")
        vectors = [None if each.sequence % 7 == 0 else drawn(each.sequence) for each in saved]
        index(memory).put(list(map(NewVector.of, saved[100:], vectors[100:])))
        memory.storage.observations(memory.id).purge([saved[400].id, saved[599].id], by=signed(NOW))
    with Memory(tmp_path) as memory:
        assert faults(memory) == []
        live = [sequence for sequence in range(101, 601) if sequence % 7 and sequence not in {401, 600}]
        assert near(memory, drawn(500)) == ranked(drawn(500), live)[:10]
        assert sorted(blocks(memory)) == [0, 1, 2]
