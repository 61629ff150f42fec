"""Memories with vectors, drawn at random."""

from collections.abc import Mapping
from functools import cache
from random import Random

from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Filters, RecallQuery
from lamella.ports.storage.vectors import NewVector, VectorIndex
from lamella_adapters.sqlite.embeddings import vector_index
from lamella_adapters.sqlite.schema.embeddings import NONE, PLACES
from tests.end_to_end.storage.worker import Memory

MODEL = EmbeddingModel("drawn", 64)
ROWS, SUBJECTS = vector_index.CODED_FROM + 500, 300


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
    index(memory).put([NewVector.of(each, drawn(each.sequence)) for each in saved])
    return saved


def near(
    memory: Memory, vector: Vector, limit: int = 10, filters: Filters | None = None
) -> list[tuple[int, float | None]]:
    query = RecallQuery(limit=limit, filters=filters or Filters(), include_purged=True)
    hits = index(memory).nearest(vector, query).hits
    return [(hit.observation.sequence, hit.score) for hit in hits]


def blocks(memory: Memory) -> dict[int, tuple[bytes, bytes]]:
    """The blocks of codes, by their numbers."""
    opened = memory.storage.registry.file_of(memory.id).database
    with opened.reading() as connection:
        return {block: (states, codes) for block, states, codes in connection.execute("SELECT * FROM code_block")}


def block(codes: Mapping[int, tuple[int, bytes]]) -> tuple[bytes, bytes]:
    """A block with these states and codes in their places, and none in the others."""
    placed = [codes.get(place, (NONE, bytes(8))) for place in range(PLACES)]
    return bytes(state for state, _ in placed), b"".join(code for _, code in placed)
