"""Desks with an embedder, and embedders that fail."""

from collections.abc import Sequence
from threading import Event

from attrs import define, evolve, field

from lamella.application.embeddings.background_worker import Embedding
from lamella.application.search.request import SearchRequest
from lamella.domain.embeddings.errors import InvalidVectorError
from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.domain.errors import LamellaError
from lamella.domain.memories.query import ByText, Hit, Mode, RecallQuery
from lamella.domain.search.strength import WEAK
from lamella.ports.embedder import Embedder
from lamella.ports.storage.storage import Storage
from lamella.ports.storage.vectors import VectorIndex
from lamella_adapters.memory import InMemoryStorage
from lamella_adapters.memory.vectors import InMemoryVectors
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import ConceptEmbedder
from tests.waiting import HANG_SECONDS, until

CARS = ("the automobile is red", "a feline sleeps", "our budget is small")


def patient(*texts: str, embedder: Embedder | None = None, storage: Storage | None = None) -> Desk:
    """Return a desk whose questions wait for the embedder."""
    embedding = Embedding(lambda: embedder or ConceptEmbedder(), patient=True)
    desk = Desk(storage=storage or InMemoryStorage(), embedding=embedding)
    for text in texts:
        desk.call = evolve(desk.call, session=f"session of {text}")
        desk.save(text)
    return desk


def footer(desk: Desk, text: str, mode: Mode = Mode.AUTO) -> str:
    return desk.recall(ByText(text, mode)).rpartition("\n")[2].partition("detail: compact")[2]


def answered_by_meaning(desk: Desk, text: str) -> None:
    """Ask until search by meaning answers."""
    until(lambda: set(desk.searching(desk.call, SearchRequest(selector=ByText(text))).notices) <= {WEAK})


def ended(embedding: Embedding | None) -> None:
    """Make the worker stop after its batch, and wait for that."""
    assert embedding
    assert embedding._worker
    embedding.close()
    embedding._worker.join(HANG_SECONDS)
    assert not embedding._worker.is_alive()


@define
class Gate:
    """Opens an embedder when permitted, and signals the request."""

    open: Event = field(factory=Event)
    asked: Event = field(factory=Event)

    def __call__(self) -> Embedder:
        self.asked.set()
        assert self.open.wait(HANG_SECONDS)
        return ConceptEmbedder()


@define(eq=False)
class Failing(InMemoryStorage):
    """Storage that fails at vectors as long as there is an error to raise.

    `failing` is the error with which the index fails to find.
    """

    error: LamellaError | None = None
    failing: Exception | None = None

    def vectors(self, project: str, model: EmbeddingModel) -> VectorIndex:
        if self.error is not None:
            raise self.error
        index = InMemoryStorage.vectors(self, project, model)
        assert isinstance(index, InMemoryVectors)
        return _FailingIndex(index.observations, index.model, self)


@define(eq=False)
class _FailingIndex(InMemoryVectors):
    storage: Failing

    def hits(self, vector: Vector, query: RecallQuery) -> tuple[Hit, ...]:
        if self.storage.failing is not None:
            raise self.storage.failing
        return InMemoryVectors.hits(self, vector, query)


class Broken(ConceptEmbedder):
    """Embedder that returns unusable vectors."""

    def embed(self, texts: Sequence[str]) -> tuple[Vector | None, ...]:
        raise InvalidVectorError(dimension=len(texts[:1]) + 3)


class Choosy(ConceptEmbedder):
    """Embedder that fails at one word."""

    def embed(self, texts: Sequence[str]) -> tuple[Vector | None, ...]:
        if any("poison" in text for text in texts):
            raise InvalidVectorError(dimension=4)
        return ConceptEmbedder.embed(self, texts)


class Mute(ConceptEmbedder):
    """Embedder that fails at questions."""

    def embed_query(self, text: str) -> Vector | None:
        del text
        raise RuntimeError("surprise")


class Zero(ConceptEmbedder):
    """Embedder without a vector for questions."""

    def embed_query(self, text: str) -> Vector | None:
        del text
        return Vector.of([])
