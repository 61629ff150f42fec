"""Weak matches in small projects, which are random parts of a collection with the answer to a question."""

import random
from collections.abc import Iterator, Sequence

from attrs import evolve

from bench.quality.answers import answers
from bench.quality.collection import Collection, Engine
from bench.quality.strength import Strength, strength

SIZES = {3: 24, 10: 12, 30: 6, 100: 4}
"""Number of random projects by their number of memories."""

_SEED = 9
_RELATED, _UNRELATED = 8, 8
"""Maximum number of questions for each project: with an answer, and without one."""


def small_projects(
    collection: Collection, engines: Sequence[Engine], unrelated: Sequence[str]
) -> Iterator[tuple[int, str, Strength]]:
    """Yield the counts of weak matches for each engine and each size smaller than the collection."""
    dice = random.Random(_SEED)  # noqa: S311 - a sample
    for size, draws in SIZES.items():
        if size >= max(len(memories) for memories, _ in collection.projects.values()):
            return
        total = {engine.name: Strength() for engine in engines}
        for _ in range(draws):
            part = _part(collection, size, dice)
            asked = dice.sample(unrelated, min(_UNRELATED, len(unrelated)))
            for answered in answers([part], engines, asked):
                total[answered.engine] += strength(part, answered, asked)
        for engine, figures in total.items():
            yield size, engine, figures


def _part(collection: Collection, size: int, dice: random.Random) -> Collection:
    """Return `size` memories of a project, including the answers to at least one question."""
    wanted = dice.choice([each for each in collection.questions if len(each.relevant) <= size])
    memories, questions = collection.projects[wanted.project]
    others = [memory.key for memory in memories if memory.key not in wanted.relevant]
    kept = wanted.relevant | set(dice.sample(others, min(len(others), size - len(wanted.relevant))))
    answered = [each for each in questions if each.relevant <= kept and each is not wanted]
    return evolve(
        collection,
        memories=[memory for memory in memories if memory.key in kept],
        questions=[wanted, *dice.sample(answered, min(len(answered), _RELATED - 1))],
    )
