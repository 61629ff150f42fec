"""Bags of keywords, as agents send them: a query with words of two or three memories on different topics."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from bench.quality.collection import Collection, Memory, Question
from bench.quality.collections.typos import words_of
from lamella.domain.text.words import STOP_WORDS

_SEED = 11
_TOPICS = (2, 3)
_WORDS_EACH = 3
_LEAST_LETTERS = 4
_MOST_SHARE = 0.05
"""Maximum share of the memories that contain a word of a bag. More frequent words don't tell a topic."""


def bags(collection: Collection, count: int) -> Collection:
    """Return at most `count` bags for each project. The memories that a bag's words come from are its answers."""
    dice = random.Random(_SEED)  # noqa: S311 - a sample
    asked = [each for memories, _ in collection.projects.values() for each in _bags(memories, count, dice)]
    return Collection(
        name=f"bags of keywords: {collection.name}", memories=collection.memories, questions=asked, sentences=False
    )


def _bags(memories: Sequence[Memory], count: int, dice: random.Random) -> Iterator[Question]:
    """Yield bags with three distinctive words from each of some randomly chosen memories."""
    texts = {memory.key: words_of(memory) for memory in memories}
    holders = Counter(chain.from_iterable(texts.values()))
    most = max(2, _MOST_SHARE * len(memories))
    topics = {
        key: telling
        for key, words in texts.items()
        if len(telling := [each for each in words if _telling(each) and holders[each] <= most]) >= _WORDS_EACH
    }
    for _ in range(min(count, len(topics) // max(_TOPICS))):
        keys = dice.sample(list(topics), dice.choice(_TOPICS))
        words = list(dict.fromkeys(word for key in keys for word in dice.sample(topics[key], _WORDS_EACH)))
        yield Question(text=" ".join(words), project=memories[0].project, relevant=frozenset(keys))


def _telling(word: str) -> bool:
    return len(word) >= _LEAST_LETTERS and word not in STOP_WORDS
