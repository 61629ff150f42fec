"""A test collection: memories, questions about them, and which memories answer each question."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Protocol, TypeVar

from attrs import field, frozen

DEPTH = 20
"""Number of results that are asked for and judged."""


@frozen(kw_only=True)
class Memory:
    """One memory; `key` is unique in its collection. A project's memories stand in the order of their saving."""

    key: str
    text: str
    project: str
    session: str
    created_at: datetime
    actor: str = "agent"


@frozen(kw_only=True)
class Question:
    """A question in a project, and the keys of all memories that answer it."""

    text: str
    project: str
    relevant: frozenset[str]


@frozen(kw_only=True)
class Collection:
    """A named set of memories with its questions. `bar` is the R@10 that it asks for, in percent, if any."""

    name: str
    memories: Sequence[Memory]
    questions: Sequence[Question] = field()
    bar: float | None = None

    @questions.validator
    def _can_be_answered(self, _: object, questions: Sequence[Question]) -> None:
        keys = {memory.key for memory in self.memories}
        if not all(question.relevant and question.relevant <= keys for question in questions):
            raise ValueError("every question needs an answer among the memories")

    @property
    def projects(self) -> Mapping[str, tuple[Sequence[Memory], Sequence[Question]]]:
        """The memories and the questions of each project."""
        asked = {name: list(each) for name, each in _by_project(self.questions)}
        return {name: (list(each), asked.get(name, [])) for name, each in _by_project(self.memories)}


_Item = TypeVar("_Item", Memory, Question)


class Engine(Protocol):
    """Something that finds memories."""

    __slots__ = ()

    @property
    @abstractmethod
    def name(self) -> str:
        """Name in a table."""

    @abstractmethod
    def rankings(self, memories: Sequence[Memory], questions: Sequence[Question]) -> Iterator[Sequence[str]]:
        """For each question, the keys of the best `DEPTH` of a project's memories, best first."""


def _by_project(items: Sequence[_Item]) -> Iterator[tuple[str, Iterator[_Item]]]:
    project = attrgetter("project")
    return groupby(sorted(items, key=project), project)
