"""Questions without an answer in a project, for which a reply should be called weak.

For English, these are questions of everyday life, questions about other collections, and made-up words; for other
languages, questions of everyday life.
"""

import random
import string
from collections.abc import Iterable, Mapping, Sequence

from bench.quality.collection import Collection
from bench.quality.collections.facts import everyday

_SEED = 5
_OF_OTHERS, _MADE_UP = 60, 20
"""For each project: number of questions about other collections, and number of questions of made-up words."""

_WORDS, _LETTERS = (2, 5), (4, 9)


def unrelated(collection: Collection, collections: Sequence[Collection]) -> Mapping[str, Sequence[str]]:
    """Return questions that `collection` doesn't answer, by their origin."""
    if collection.unrelated:
        return {"everyday questions": collection.unrelated}
    dice = random.Random(_SEED)  # noqa: S311 - a sample
    others = list(
        dict.fromkeys(
            question.text
            for other in collections
            if other.sentences and not other.unrelated and _saved(other).isdisjoint(_saved(collection))
            for question in other.questions
        )
    )
    return {
        "everyday questions": everyday(),
        **({"questions of others": dice.sample(others, min(_OF_OTHERS, len(others)))} if others else {}),
        "made-up words": [made_up(dice) for _ in range(_MADE_UP)],
    }


def texts(asked: Mapping[str, Iterable[str]]) -> list[str]:
    """Return all questions in one list."""
    return [text for each in asked.values() for text in each]


def made_up(dice: random.Random) -> str:
    """Return a few made-up words."""
    return " ".join(
        "".join(dice.choices(string.ascii_lowercase, k=dice.randint(*_LETTERS)))
        for _ in range(dice.randint(*_WORDS))
    )


def _saved(collection: Collection) -> frozenset[str]:
    return frozenset(memory.text for memory in collection.memories)
