"""Questions of three words from a memory, with and without a typo in the rarest of these words."""

import random
import re
import string
from collections import Counter
from collections.abc import Iterator, Sequence

from attrs import evolve

from bench.quality.collection import Collection, Memory, Question
from lamella.domain.text.words import STOP_WORDS

_SEED = 7
_LEAST_LETTERS = 5
_MEDIUM = (0.03, 0.2)
"""A word of medium rarity is in at least 3 % and at most 20 % of the project's memories."""

_WORD = re.compile(r"[A-Za-z]+")


def typos(collection: Collection, count: int) -> tuple[Collection, Collection]:
    """Return two collections over the same memories, the first without typos, the second with typos.

    Each collection has at most `count` questions.
    """
    dice = random.Random(_SEED)  # noqa: S311 - a sample
    exact: list[Question] = []
    wrong: list[Question] = []
    for memories, _ in collection.projects.values():
        for question, rarest, known in _three_words(memories, dice):
            exact.append(question)
            words = (mistyped(word, known, dice) if word == rarest else word for word in question.text.split())
            wrong.append(evolve(question, text=" ".join(words)))
    chosen = sorted(dice.sample(range(len(exact)), min(count, len(exact))))

    def asked(name: str, questions: Sequence[Question]) -> Collection:
        return Collection(
            name=f"{name}: {collection.name}",
            memories=collection.memories,
            questions=[questions[place] for place in chosen],
            sentences=False,
        )

    return asked("three words", exact), asked("three words with a typo", wrong)


def mistyped(word: str, known: frozenset[str], dice: random.Random) -> str:
    """Return `word` with one letter replaced, omitted, added or swapped, so that the result isn't in `known`."""
    while True:
        place = dice.randrange(1, len(word) - 1)
        before, letter, after = word[:place], word[place], word[place + 1 :]
        other = dice.choice(string.ascii_lowercase)
        wrong = dice.choice(
            (
                before + other + after,
                before + after,
                before + other + letter + after,
                before + after[0] + letter + after[1:],
            )
        )
        if wrong != word and wrong not in known:
            return wrong


def _three_words(
    memories: Sequence[Memory], dice: random.Random
) -> Iterator[tuple[Question, str, frozenset[str]]]:
    """For each memory with enough words, yield a question, its rarest word, and all words of the project."""
    texts = [words_of(memory) for memory in memories]
    holders = Counter(word for words in texts for word in words)
    known, sets = frozenset(holders), [frozenset(words) for words in texts]
    least, most = (share * len(memories) for share in _MEDIUM)
    for memory, words in zip(memories, texts, strict=True):
        long = [word for word in words if len(word) >= _LEAST_LETTERS and word not in STOP_WORDS]
        rarest = min(long, key=lambda word: holders[word], default="")
        others = [word for word in long if word != rarest and max(2, least) <= holders[word] <= most]
        if len(others) > 1:
            asked = {rarest, *dice.sample(others, 2)}
            relevant = frozenset(each.key for each, said in zip(memories, sets, strict=True) if asked <= said)
            text = " ".join(word for word in words if word in asked)
            yield Question(text=text, project=memory.project, relevant=relevant), rarest, known


def words_of(memory: Memory) -> list[str]:
    """Return the distinct words of a memory in lower case."""
    return list(dict.fromkeys(each.lower() for each in _WORD.findall(memory.text)))
