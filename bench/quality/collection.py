"""Test collections: memories, questions about them, and the memories that answer each question."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Protocol, TypeVar

from attrs import evolve, field, frozen

from lamella.domain.conversations.message import Role

DEPTH = 20
"""Number of results that each engine returns for a question."""

_RANKING = ("R@10", "nDCG@10")


@frozen(kw_only=True)
class Edit:
    """A captured edit of a file.

    Attributes:
        path: The file, relative to the project.
        prompt: The user's prompt for the edit.
        hunks: Unified diff without file headers.
    """

    path: str
    prompt: str
    hunks: str

    @property
    def text(self) -> str:
        """All words of the edit, for engines that search plain texts."""
        return f"{self.prompt}\n{self.path}\n{self.hunks}"


@frozen(kw_only=True)
class Memory:
    """One memory. A project's memories are in the order of saving.

    Attributes:
        key: Identifier, unique in the collection.
        text: Text of the memory.
        project: Name of the project.
        session: Name of the session.
        created_at: Time of the save.
        role: Speaker, if the memory is to be imported as a message of a conversation.
        edit: The edit, if the memory is to be stored as a captured edit.
        summary: True to store the memory as the summary of a session.
        keywords: Keywords to save with the memory.
    """

    key: str
    text: str
    project: str
    session: str
    created_at: datetime
    role: Role | None = None
    edit: Edit | None = None
    summary: bool = False
    keywords: str = ""

    @property
    def words(self) -> str:
        """Text and keywords together, for engines that search plain texts."""
        return f"{self.text}\n{self.keywords}".rstrip("\n")


@frozen(kw_only=True)
class Question:
    """A question in a project, and the keys of all memories that answer it."""

    text: str
    project: str
    relevant: frozenset[str]


@frozen(kw_only=True)
class Collection:
    """Named set of memories with its questions.

    Collections with the same `memories` object are measured together.

    Attributes:
        name: Name in tables.
        memories: All memories, of one project or several.
        questions: All questions.
        figures: Names of the figures in the summary table.
        sentences: True if the questions are sentences, which can also serve as unrelated questions for other
            collections.
        unrelated: Questions without an answer, in the language of the collection; empty for English.
    """

    name: str
    memories: Sequence[Memory]
    questions: Sequence[Question] = field()
    figures: tuple[str, ...] = _RANKING
    sentences: bool = True
    unrelated: Sequence[str] = ()

    @property
    def single(self) -> bool:
        """True if each memory is in a separate session."""
        return len({memory.session for memory in self.memories}) == len(self.memories)

    @property
    def plotted(self) -> bool:
        """True for the few collections in the plot."""
        return self.sentences and not self.single and self.figures == _RANKING

    @questions.validator
    def _can_be_answered(self, _: object, questions: Sequence[Question]) -> None:
        keys = {memory.key for memory in self.memories}
        if not all(question.relevant and question.relevant <= keys for question in questions):
            raise ValueError("every question needs an answer among the memories")

    @property
    def projects(self) -> Mapping[str, tuple[Sequence[Memory], Sequence[Question]]]:
        """Memories and questions by project."""
        asked = {name: list(each) for name, each in _by_project(self.questions)}
        return {name: (list(each), asked.get(name, [])) for name, each in _by_project(self.memories)}


def single_facts(collection: Collection) -> Collection:
    """Return a copy of a collection with each memory in a separate session."""
    memories = [evolve(memory, session=memory.key) for memory in collection.memories]
    return evolve(collection, name=f"{collection.name}, single facts", memories=memories)


@frozen
class Results:
    """Results of one question.

    Attributes:
        keys: Keys of the best `DEPTH` memories, best first.
        weak: True if the engine itself calls the match weak.
    """

    keys: Sequence[str]
    weak: bool = False

    @property
    def strong(self) -> bool:
        """True if there are results, and the engine doesn't call them weak."""
        return bool(self.keys) and not self.weak


_Item = TypeVar("_Item", Memory, Question)


class Engine(Protocol):
    """Search engine to measure."""

    __slots__ = ()

    @property
    @abstractmethod
    def name(self) -> str:
        """Name in a table."""

    @abstractmethod
    def found(self, memories: Sequence[Memory], texts: Sequence[str]) -> Iterator[Results]:
        """Yield the results for each question among the memories of one project."""


def _by_project(items: Sequence[_Item]) -> Iterator[tuple[str, Iterator[_Item]]]:
    project = attrgetter("project")
    return groupby(sorted(items, key=project), project)
