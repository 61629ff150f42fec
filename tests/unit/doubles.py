"""In-memory stand-ins for the world outside, and a desk with every use case on it."""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path, PurePosixPath
from uuid import UUID

from attrs import define, evolve, field, frozen

from lamella.application.change import EraseMemories, PurgeMemories, RestoreMemories
from lamella.application.projects import ProjectResolver
from lamella.application.recall import RecallMemories, RecallRequest
from lamella.application.save import SaveMemory, SaveOutcome, SaveRequest
from lamella.domain.disclosure import Detail
from lamella.domain.errors import PathOutsideProjectError
from lamella.domain.observation import CodeChange, Observation
from lamella.domain.projects import Location
from lamella.domain.query import Selector
from lamella.ports.clock import Clock
from lamella.ports.ids import IdSource
from lamella.ports.sessions import SessionIdentity
from lamella.ports.storage import ObservationStorage, Storage
from lamella.ports.tokenizer import Tokenizer
from lamella.ports.working_tree import WorkingTree
from lamella_adapters.memory import InMemoryStorage

DAWN = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
"""When every desk begins."""

HOME = Path("/home/ada/lovelace")
"""Where every desk stands."""

NOTHING_SAVED = "No memories saved in this project yet. Use save_memory to add one."
NOTHING_PASSES = "No memories match these filters."


@define
class FixedClock(Clock):
    """Stands still until it is set."""

    moment: datetime = DAWN
    where: tzinfo = UTC

    def now(self) -> datetime:
        return self.moment

    def zone(self) -> tzinfo:
        return self.where

    def advance(self, step: timedelta) -> None:
        self.moment += step


@define
class CountingIds(IdSource):
    """Ids whose first eight digits count from 1, or those that are given first."""

    first: list[UUID] = field(factory=list)
    last: int = 0

    def new(self) -> UUID:
        if self.first:
            return self.first.pop(0)
        self.last += 1
        return numbered(self.last)


def numbered(number: int) -> UUID:
    """The id that counting reaches at `number`."""
    return UUID(f"{number:08x}-0000-4000-8000-000000000000")


@define
class FixedSession(SessionIdentity):
    """The session that is set."""

    session: str = "session-1"

    def current(self) -> str:
        return self.session


@define
class FolderTree(WorkingTree):
    """Folders that exist on paper only; each is a project. `known` are the changes that it tells of."""

    known: dict[str, CodeChange] = field(factory=dict)

    def locate(self, directory: Path) -> Location:
        return Location(key=f"dir:{directory}", name=directory.name, root=directory)

    def relative(self, root: Path, path: str) -> str:
        given = PurePosixPath(root) / path
        if ".." in given.parts or not given.is_relative_to(root):
            raise PathOutsideProjectError(path=path)
        return str(given.relative_to(root))

    def changes(self, root: Path, paths: Sequence[str]) -> tuple[CodeChange, ...]:
        inside = dict.fromkeys(self.relative(root, path) for path in paths)
        return tuple(self.known.get(path, CodeChange(path=path)) for path in inside)


@frozen
class CountingBy(Tokenizer):
    """Counts as a function does."""

    function: Callable[[str], int]

    def count(self, text: str) -> int:
        return self.function(text)


@define
class Desk:
    """Every use case over one storage, at one folder. Each save is a minute after the one before."""

    count: Callable[[str], int] = len
    storage: Storage = field(factory=InMemoryStorage)
    clock: FixedClock = field(factory=FixedClock)
    ids: CountingIds = field(factory=CountingIds)
    session: FixedSession = field(factory=FixedSession)
    tree: FolderTree = field(factory=FolderTree)
    directory: Path = HOME
    project: str | None = None

    @property
    def projects(self) -> ProjectResolver:
        return ProjectResolver(
            storage=self.storage,
            working_tree=self.tree,
            clock=self.clock,
            directory=self.directory,
            name=self.project,
        )

    @property
    def observations(self) -> ObservationStorage:
        return self.projects.made_here().observations

    @property
    def recalling(self) -> RecallMemories:
        return RecallMemories(
            projects=self.projects,
            working_tree=self.tree,
            sessions=self.session,
            clock=self.clock,
            tokenizer=CountingBy(self.count),
        )

    @property
    def purge(self) -> PurgeMemories:
        return PurgeMemories(projects=self.projects, clock=self.clock)

    @property
    def restore(self) -> RestoreMemories:
        return RestoreMemories(projects=self.projects, clock=self.clock)

    @property
    def erase(self) -> EraseMemories:
        return EraseMemories(projects=self.projects)

    def saving(self, request: SaveRequest) -> SaveOutcome:
        """What became of a request to save."""
        self.clock.advance(timedelta(minutes=1))
        saving = SaveMemory(
            projects=self.projects,
            working_tree=self.tree,
            sessions=self.session,
            clock=self.clock,
            ids=self.ids,
        )
        return saving(request)

    def save(
        self, text: str, *, title: str = "", source: str = "manual", paths: Sequence[str] = ()
    ) -> Observation:
        """The memory that a text became."""
        request = SaveRequest(text=text, title=title, source=source, paths=tuple(paths))
        return self.saving(request).observation

    def recall(
        self,
        selector: Selector,
        detail: Detail = Detail.COMPACT,
        *,
        limit: int = 10,
        include_purged: bool = False,
        cursor: str | None = None,
    ) -> str:
        """The reply to a question without filters."""
        return self.recalling(
            RecallRequest(
                selector=selector, detail=detail, limit=limit, include_purged=include_purged, cursor=cursor
            )
        )

    def shown(self, selector: Selector, detail: Detail = Detail.COMPACT, *, limit: int = 10) -> list[str]:
        """The lines of a reply without its footer."""
        return self.recall(selector, detail, limit=limit).rpartition("\n---\n")[0].split("\n")


def titles(desk: Desk, request: RecallRequest) -> list[str]:
    """The titles of the hits of a compact reply, in order."""
    body = desk.recalling(request).rpartition("\n---\n")[0]
    return [line.split(" | ")[1] for line in body.split("\n") if line.startswith("[")]


def desk_with(*texts: str) -> Desk:
    """A desk that has saved these texts, a minute apart."""
    desk = Desk()
    for text in texts:
        desk.save(text)
    return desk


def pages(desk: Desk, request: RecallRequest) -> Iterator[str]:
    """Every page of an answer, by its cursors."""
    cursor: str | None = ""
    while cursor is not None:
        page = desk.recalling(evolve(request, cursor=cursor or None))
        yield page
        following = re.search(r" \| next: (\S+)", page.rpartition("\n---\n")[2])
        cursor = following[1] if following else None
