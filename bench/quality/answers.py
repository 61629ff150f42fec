"""Answers of engines to all questions of a corpus, which is a group of collections with the same memories."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import frozen

from bench.quality.collection import Collection, Engine, Memory, Question, Results


@frozen(kw_only=True)
class Answered:
    """Results of one engine for all questions about a corpus, by project and text of the question."""

    engine: str
    found: Mapping[tuple[str, str], Results]

    def of(self, question: Question) -> Results:
        """Return the results for a question."""
        return self.found[question.project, question.text]


def corpora(collections: Iterable[Collection]) -> list[list[Collection]]:
    """Return the collections in groups. All collections of a group have the same memories."""
    groups = defaultdict[int, list[Collection]](list)
    for collection in collections:
        groups[id(collection.memories)].append(collection)
    return list(groups.values())


def answers(
    corpus: Sequence[Collection], engines: Iterable[Engine], others: Sequence[str] = ()
) -> Iterator[Answered]:
    """Ask each engine all questions of a corpus, and also ask the questions `others` in each project.

    Each engine saves the memories of a project only once.
    """
    asked = defaultdict[str, dict[str, None]](dict)
    memories: dict[str, Sequence[Memory]] = {}
    for collection in corpus:
        for project, (mine, questions) in collection.projects.items():
            memories[project] = mine
            asked[project] |= dict.fromkeys([*(question.text for question in questions), *others])
    for engine in engines:
        found = {
            (project, text): each
            for project, texts in asked.items()
            for text, each in zip(texts, engine.found(memories[project], list(texts)), strict=True)
        }
        yield Answered(engine=engine.name, found=found)
