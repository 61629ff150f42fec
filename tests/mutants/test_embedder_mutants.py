"""Each broken embedder is noticed by the clauses that name its fault, and by no others that are asked."""

import random
import re
from collections.abc import Sequence
from functools import cache
from itertools import count
from pathlib import Path
from threading import get_ident

import pytest

from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.ports.embedder import Embedder, Rarities
from lamella_contracts import EmbedderContract
from tests.mutants.faults import failing, noticing

DIMENSION = 128


@cache
def numbers_of(word: str) -> tuple[float, ...]:
    """Return numbers that are the same each time, and unlike those of any other word."""
    chance = random.Random(word)  # noqa: S311 - not for secrets
    return tuple(chance.gauss(0, 1) for _ in range(DIMENSION))


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

    def numbers(self, word: str) -> Sequence[float]:
        return numbers_of(word)


class HasANameOfItsOwn(AddsWords):
    made = count()

    def __init__(self) -> None:
        self.name = f"adds-words-{next(self.made)}"

    @property
    def model(self) -> EmbeddingModel:
        return EmbeddingModel(self.name, DIMENSION)


class HasNoName(AddsWords):
    @property
    def model(self) -> EmbeddingModel:
        return EmbeddingModel(" ", DIMENSION)


class TurnsEachSpace(AddsWords):
    made = count()

    def __init__(self) -> None:
        self.turn = next(self.made) % DIMENSION

    def numbers(self, word: str) -> Sequence[float]:
        numbers = super().numbers(word)
        return [*numbers[self.turn :], *numbers[: self.turn]]


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


class DependsOnWhatCameBefore(AddsWords):
    def __init__(self) -> None:
        self.asked = count()

    def weights(self, words: Sequence[str], rarities: Rarities) -> Sequence[float]:
        first, *others = super().weights(words, rarities)
        return [first * (1 + next(self.asked) % 7 / 10), *others]


class KeepsStateByThread(AddsWords):
    def __init__(self) -> None:
        self.thread = get_ident()

    def numbers(self, word: str) -> Sequence[float]:
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
    (HasANameOfItsOwn, {"another_embedder_makes_the_same"}),
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
    (DependsOnWhatCameBefore, {"equal_texts_have_equal_vectors", "threads_make_the_same_vectors"}),
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
    assert failing(contract.clauses(), [contract], tmp_path) == set()


@pytest.mark.parametrize(("mutant", "trips"), MUTANTS, ids=[mutant.__name__ for mutant, _ in MUTANTS])
def test_a_fault_is_noticed_by_the_clauses_that_name_it(
    mutant: type[Embedder], trips: set[str], tmp_path: Path
) -> None:
    contract = type("Tested", (EmbedderContract,), {"make_embedder": lambda _: mutant()})()
    assert noticing(mutant.__name__, trips, [contract], tmp_path) == trips


def test_every_clause_is_tripped_by_some_mutant() -> None:
    assert set(EmbedderContract.clauses()) == {id for _, trips in MUTANTS for id in trips}
