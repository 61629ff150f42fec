"""Each broken embedder is noticed by exactly the clauses that name its fault."""

import random
import re
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from threading import get_ident

import pytest

from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.ports.embedder import Embedder, Rarities
from lamella_contracts import EmbedderContract
from tests.mutants.breeding import failing

DIMENSION = 128


class AddsWords(Embedder):
    """The sound one: adds up a random vector for each word, times its rarity in a question."""

    @property
    def model(self) -> EmbeddingModel:
        return EmbeddingModel("adds-words", DIMENSION)

    def embed(self, texts: Sequence[str]) -> tuple[Vector | None, ...]:
        return tuple(self.added([(word, 1.0) for word in self.words(text)]) for text in texts)

    def embed_query(self, text: str, rarities: Rarities) -> Vector | None:
        words = self.words(text)
        weights = self.weights(words, rarities) if words else []
        return self.added(list(zip(words, weights, strict=True)))

    def words(self, text: str) -> list[str]:
        return re.findall(r"\w+", text.lower())

    def weights(self, words: Sequence[str], rarities: Rarities) -> Sequence[float]:
        rare = rarities(words)
        return rare if any(rare) else [1.0] * len(words)

    def added(self, weighted: Sequence[tuple[str, float]]) -> Vector | None:
        totals: dict[str, float] = {}
        for word, weight in weighted:
            totals[word] = totals.get(word, 0.0) + weight
        scaled = [[total * each for each in self.numbers(word)] for word, total in totals.items()]
        return Vector.of(map(sum, zip(*scaled, strict=True))) if scaled else None

    def numbers(self, word: str) -> list[float]:
        chance = random.Random(word)  # noqa: S311 - the same numbers each time
        return [chance.gauss(0, 1) for _ in range(DIMENSION)]


class IsCalledByChance(AddsWords):
    @property
    def model(self) -> EmbeddingModel:
        return EmbeddingModel(f"adds-words-{id(self)}-{random.random()}", DIMENSION)  # noqa: S311 - the fault


class HasNoName(AddsWords):
    @property
    def model(self) -> EmbeddingModel:
        return EmbeddingModel(" ", DIMENSION)


class TurnsEachSpace(AddsWords):
    made = count()

    def __init__(self) -> None:
        self.turn = next(self.made) % DIMENSION

    def numbers(self, word: str) -> list[float]:
        numbers = super().numbers(word)
        return numbers[self.turn :] + numbers[: self.turn]


class DeclaresMore(AddsWords):
    @property
    def model(self) -> EmbeddingModel:
        return EmbeddingModel("adds-words", DIMENSION + 1)


class NeedsTexts(AddsWords):
    def embed(self, texts: Sequence[str]) -> tuple[Vector | None, ...]:
        max(texts, key=len)
        return super().embed(texts)


class EmbedsMarks(AddsWords):
    def words(self, text: str) -> list[str]:
        return [*super().words(text), "[SEP]"]


class GivesUp(AddsWords):
    def words(self, text: str) -> list[str]:
        words = super().words(text)
        return [] if "parse" in words else words


class EncodesTexts(AddsWords):
    def words(self, text: str) -> list[str]:
        return super().words(text.encode().decode())


class ScalesBatches(AddsWords):
    def embed(self, texts: Sequence[str]) -> tuple[Vector | None, ...]:
        scale = 1.0 + len(texts)
        return tuple(
            self.added([(word, 1.0) for word in words] + [("scale", scale)])
            if (words := self.words(text))
            else None
            for text in texts
        )


class SortsTexts(AddsWords):
    def embed(self, texts: Sequence[str]) -> tuple[Vector | None, ...]:
        return super().embed(sorted(texts, key=len))


class LeavesOut(AddsWords):
    def embed(self, texts: Sequence[str]) -> tuple[Vector | None, ...]:
        return tuple(vector for vector in super().embed(texts) if vector)


class Guesses(AddsWords):
    def weights(self, words: Sequence[str], rarities: Rarities) -> Sequence[float]:
        weights = super().weights(words, rarities)
        return [weight * random.uniform(0.9, 1.1) for weight in weights]  # noqa: S311 - chance is the fault


class KeepsStateByThread(AddsWords):
    def __init__(self) -> None:
        self.thread = get_ident()

    def numbers(self, word: str) -> list[float]:
        return super().numbers(word if get_ident() == self.thread else f"{word}{get_ident()}")


class HashesTexts(AddsWords):
    def words(self, text: str) -> list[str]:
        return [ascii(text)] if text.strip() else []


class KeepsQuestionsApart(AddsWords):
    def embed_query(self, text: str, rarities: Rarities) -> Vector | None:
        del rarities
        return self.added([(f"query: {word}", 1.0) for word in self.words(text)])


class WeighsUnknownNothing(AddsWords):
    def weights(self, words: Sequence[str], rarities: Rarities) -> Sequence[float]:
        return rarities(words)


class WeighsUpsideDown(AddsWords):
    def weights(self, words: Sequence[str], rarities: Rarities) -> Sequence[float]:
        return [1 / weight for weight in super().weights(words, rarities)]


class WeighsOtherWords(AddsWords):
    def weights(self, words: Sequence[str], rarities: Rarities) -> Sequence[float]:
        return super().weights(words, rarities)[::-1]


class AsksForEachWord(AddsWords):
    def weights(self, words: Sequence[str], rarities: Rarities) -> Sequence[float]:
        return super().weights(words, lambda asked: [rarities([word])[0] for word in asked])


class AsksForNothing(AddsWords):
    def embed_query(self, text: str, rarities: Rarities) -> Vector | None:
        if not self.words(text):
            rarities([])
        return super().embed_query(text, rarities)


MUTANTS = (
    (IsCalledByChance, {"another_embedder_makes_the_same"}),
    (HasNoName, {"another_embedder_makes_the_same"}),
    (TurnsEachSpace, {"another_embedder_makes_the_same"}),
    (DeclaresMore, {"vectors_have_the_dimension_of_the_model"}),
    (NeedsTexts, {"no_texts_have_no_vectors"}),
    (EmbedsMarks, {"what_is_blank_has_no_vector"}),
    (GivesUp, {"words_have_a_vector", "a_question_of_unknown_words_has_a_vector"}),
    (EncodesTexts, {"no_text_raises"}),
    (ScalesBatches, {"a_text_is_embedded_as_if_alone"}),
    (SortsTexts, {"a_text_is_embedded_as_if_alone", "vectors_are_in_the_order_of_the_texts"}),
    (LeavesOut, {"what_is_blank_has_no_vector", "no_text_raises", "a_text_is_embedded_as_if_alone"}),
    (Guesses, {"equal_texts_have_equal_vectors", "threads_make_the_same_vectors"}),
    (KeepsStateByThread, {"threads_make_the_same_vectors"}),
    (HashesTexts, {"texts_that_say_the_same_are_near", "a_question_is_near_its_answer"}),
    (KeepsQuestionsApart, {"a_question_is_near_its_answer"}),
    (WeighsUnknownNothing, {"a_question_of_unknown_words_has_a_vector"}),
    (WeighsUpsideDown, {"a_rarer_word_weighs_no_less"}),
    (WeighsOtherWords, {"a_rarer_word_weighs_no_less"}),
    (AsksForEachWord, {"rarities_are_asked_for_once"}),
    (AsksForNothing, {"rarities_are_asked_for_once"}),
)


def test_the_sound_one_keeps_every_clause(tmp_path: Path) -> None:
    contract = type("Tested", (EmbedderContract,), {"make_embedder": lambda _: AddsWords()})()
    assert failing(contract, list(contract.clauses()), tmp_path) == set()


@pytest.mark.parametrize(("mutant", "trips"), MUTANTS, ids=[mutant.__name__ for mutant, _ in MUTANTS])
def test_a_fault_is_noticed_by_the_clauses_that_name_it(
    mutant: type[Embedder], trips: set[str], tmp_path: Path
) -> None:
    contract = type("Tested", (EmbedderContract,), {"make_embedder": lambda _: mutant()})()
    assert failing(contract, list(contract.clauses()), tmp_path) == trips


def test_every_clause_is_tripped_by_some_mutant() -> None:
    assert set(EmbedderContract.clauses()) == {id for _, trips in MUTANTS for id in trips}
