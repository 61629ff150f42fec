"""Faults in making vectors."""

import random
import re
from collections.abc import Sequence
from functools import cache
from itertools import count

from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.ports.embedder import Embedder
from lamella_contracts.mutants.mutant import Mutants

MUTANTS = Mutants(lambda embedder: {"make_embedder": lambda _: embedder()})

DIMENSION = 128


@cache
def numbers_of(word: str) -> tuple[float, ...]:
    """Return numbers derived from a word: the same each time, different for each word."""
    chance = random.Random(word)  # noqa: S311 - not for secrets
    return tuple(chance.gauss(0, 1) for _ in range(DIMENSION))


@MUTANTS.add("sound embedder", sound=True)
class AddsWords(Embedder):
    """Embedder without a fault. The vector of a text is the sum of the vectors of its words; see `numbers_of`."""

    @property
    def model(self) -> EmbeddingModel:
        return EmbeddingModel("adds-words", DIMENSION)

    def embed(self, texts: Sequence[str]) -> tuple[Vector | None, ...]:
        return tuple(map(self.embed_query, texts))

    def embed_query(self, text: str) -> Vector | None:
        words = self.words(text)
        return Vector.of(map(sum, zip(*map(self.numbers, words), strict=True))) if words else None

    def words(self, text: str) -> list[str]:
        return re.findall(r"\w+", text.lower())

    def numbers(self, word: str) -> Sequence[float]:
        return numbers_of(word)


@MUTANTS.add("each embedder names another model")
class HasANameOfItsOwn(AddsWords):
    made = count()

    def __init__(self) -> None:
        self.name = f"adds-words-{next(self.made)}"

    @property
    def model(self) -> EmbeddingModel:
        return EmbeddingModel(self.name, DIMENSION)


@MUTANTS.add("the declared dimension is one too large")
class DeclaresMore(AddsWords):
    @property
    def model(self) -> EmbeddingModel:
        return EmbeddingModel("adds-words", DIMENSION + 1)


@MUTANTS.add("an empty batch fails")
class NeedsTexts(AddsWords):
    def embed(self, texts: Sequence[str]) -> tuple[Vector | None, ...]:
        max(texts, key=len)
        return super().embed(texts)


@MUTANTS.add("some words have no vector")
class GivesUp(AddsWords):
    def words(self, text: str) -> list[str]:
        words = super().words(text)
        return [] if "parse" in words else words


@MUTANTS.add("blank texts are skipped")
class LeavesOut(AddsWords):
    def embed(self, texts: Sequence[str]) -> tuple[Vector | None, ...]:
        return tuple(vector for vector in super().embed(texts) if vector)


@MUTANTS.add("vectors depend on earlier calls")
class DependsOnWhatCameBefore(AddsWords):
    def __init__(self) -> None:
        self.asked = count()

    def words(self, text: str) -> list[str]:
        words = super().words(text)
        return words + words[:1] * (next(self.asked) % 7)


@MUTANTS.add("whole texts are hashed")
class HashesTexts(AddsWords):
    def words(self, text: str) -> list[str]:
        return [ascii(text)] if text.strip() else []
