"""Questions about something else, which recall should answer with nothing.

Questions about one collection are asked of another, and made-up words of all. A word that both happen to have
finds something by keywords already: what these find nothing for is the most that can be left unanswered.
"""

import random
import string
from collections.abc import Iterator, Sequence

from bench.quality.collection import Collection, Engine, Question
from bench.tables import Table

_SEED = 5
_OF_A_PROJECT, _MADE_UP = 60, 20
"""Questions that are asked of each project."""

_PAGE = 10
_WORDS, _LETTERS = (2, 5), (4, 9)


def unrelated(collections: Sequence[Collection], engines: Sequence[Engine]) -> Table:
    """For each collection of prose, how often each engine finds nothing, and how much it finds among ten."""
    prose = [each for each in collections if each.bar is None]
    rows = [
        [each.name, asked, *(_told(each, texts, engine) for engine in engines)]
        for each in prose
        for asked, texts in _questions(each, prose)
    ]
    return Table(
        title="questions about something else: nothing found / results among ten",
        head=["collection", "asked", *(engine.name for engine in engines)],
        rows=rows,
    )


def _questions(collection: Collection, prose: Sequence[Collection]) -> Iterator[tuple[str, Sequence[str]]]:
    dice = random.Random(_SEED)  # noqa: S311 - a sample
    for other in [each for each in prose if each is not collection][:1]:
        texts = [question.text for question in other.questions]
        yield f"about {other.name}", dice.sample(texts, min(_OF_A_PROJECT, len(texts)))
    yield "made-up words", [made_up(dice) for _ in range(_MADE_UP)]


def made_up(dice: random.Random) -> str:
    """A few words that nobody has said."""
    return " ".join(
        "".join(dice.choices(string.ascii_lowercase, k=dice.randint(*_LETTERS)))
        for _ in range(dice.randint(*_WORDS))
    )


def _told(collection: Collection, texts: Sequence[str], engine: Engine) -> str:
    found = [
        min(len(ranking), _PAGE)
        for project, (memories, _) in collection.projects.items()
        for ranking in engine.rankings(
            memories, [Question(text=text, project=project, relevant=frozenset()) for text in texts]
        )
    ]
    return f"{100 * found.count(0) / len(found):.0f} % / {sum(found) / len(found):.1f}"
