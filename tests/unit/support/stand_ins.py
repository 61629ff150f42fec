"""In-memory stand-ins for everything outside the process."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path, PurePosixPath
from uuid import UUID

from attrs import define, field, frozen

from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.domain.errors import CapabilityUnsupportedError, PathOutsideProjectError
from lamella.domain.ledger.files import Past, Uncommitted
from lamella.domain.memories.checkout import Checkout
from lamella.domain.memories.freshness import FileState, Freshness
from lamella.domain.memories.observation import CodeChange
from lamella.domain.projects.project import Location
from lamella.ports.embedder import Embedder
from lamella.ports.history import CodeHistory, Commit, Latest, Span
from lamella.ports.storage.ledger import CodeLedger
from lamella.ports.storage.storage import Capability
from lamella.ports.system import Clock, IdSource, Machine
from lamella.ports.tokenizer import Tokenizer
from lamella.ports.working_tree import WorkingTree
from lamella_adapters.memory import InMemoryStorage

DAWN = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
"""When every desk begins."""


@define
class FixedClock(Clock):
    """Clock that stands still until it is set."""

    moment: datetime = DAWN

    def now(self) -> datetime:
        return self.moment

    def zone(self) -> tzinfo:
        return UTC

    def advance(self, step: timedelta) -> None:
        self.moment += step


@define
class CountingIds(IdSource):
    """Ids whose first eight digits count from 1, after some given ids."""

    first: list[UUID] = field(factory=list)
    last: int = 0

    def new(self) -> UUID:
        if self.first:
            return self.first.pop(0)
        self.last += 1
        return numbered(self.last)


@define
class NamedMachine(Machine):
    """Machine with a name as its id."""

    name: str = "laptop"

    def id(self) -> str:
        return self.name

    def user(self) -> str | None:
        return f"{self.name}'s user"


def numbered(number: int) -> UUID:
    """Return the id for the count `number`."""
    return UUID(f"{number:08x}-0000-4000-8000-000000000000")


@define
class FolderTree(WorkingTree):
    """Imaginary folders, each of them a project. `known` has the changes to return."""

    known: dict[str, CodeChange] = field(factory=dict)
    ignoring: frozenset[str] = frozenset()
    absent: frozenset[str] = frozenset()
    """Paths at which there is nothing."""
    repositories: frozenset[Path] = frozenset()
    differing: tuple[CodeChange, ...] | None = ()
    former: dict[str, tuple[str, ...]] = field(factory=dict)
    touches: dict[str, datetime] = field(factory=dict)
    texts: dict[str, str] = field(factory=dict)
    commits: dict[str, int] = field(factory=dict)
    most: int | None = None
    """Most uncommitted changes that it returns at once."""
    clones: dict[Path, str] = field(factory=dict)
    """Aliases of the repositories that folders are clones of."""
    asked: list[Path] = field(factory=list)
    """Folders whose repository was asked for."""
    history: Past | None = field(factory=Past)
    known_by: dict[Path, tuple[str, ...]] = field(factory=dict)
    """Traces of the repositories at folders."""
    traced: list[Path] = field(factory=list)
    """Folders whose traces were asked for."""
    gone: set[Path] = field(factory=set)
    present: Checkout = field(factory=Checkout)
    """What is checked out. No other branch is merged; `old` is deleted."""

    def locate(self, directory: Path) -> Location:
        top = self.repository(directory)
        key = f"dir:{directory}" if top is None else f"git:{top}/.git"
        return Location(key=key, name=(top or directory).name, root=top or directory)

    def repository_alias(self, location: Location) -> str | None:
        self.asked.append(location.root)
        return self.clones.get(location.root)

    def traces(self, location: Location) -> tuple[str, ...]:
        self.traced.append(location.root)
        return self.known_by.get(location.root, ())

    def around(self, location: Location) -> tuple[Location, ...]:
        return tuple(map(self.locate, [*location.root.parents][:-2]))

    def is_gone(self, key: str) -> bool:
        return Path(key.partition(":")[2].removesuffix("/.git")) in self.gone

    def relative(self, root: Path, path: str) -> str:
        given = PurePosixPath(root) / path
        if ".." in given.parts or not given.is_relative_to(root):
            raise PathOutsideProjectError(path=path)
        return str(given.relative_to(root))

    def ignored(self, root: Path, paths: Sequence[str]) -> frozenset[str]:
        del root
        return self.ignoring & set(paths)

    def changes(self, root: Path, paths: Sequence[str]) -> tuple[CodeChange, ...]:
        inside = dict.fromkeys(self.relative(root, path) for path in paths)
        return tuple(self.known.get(path, CodeChange(path=path)) for path in inside)

    def missing(self, root: Path, paths: Sequence[str]) -> frozenset[str]:
        del root
        return self.absent & set(paths)

    def versions(self, root: Path, paths: Sequence[str], *, unread: Collection[str] = ()) -> Mapping[str, str]:
        del root
        there = {path: self.texts[path] for path in paths if path in self.texts}
        return {path: f"{len(text)}" if path in unread else text for path, text in there.items()}

    def freshness(self, root: Path, changes: Sequence[CodeChange]) -> tuple[FileState | None, ...]:
        now = self.versions(root, [each.path for each in changes])
        return tuple(self._state(each, now) for each in changes)

    def _state(self, change: CodeChange, now: Mapping[str, str]) -> FileState | None:
        if change.path not in now:
            return FileState(Freshness.ABSENT if change.version is None else Freshness.GONE)
        same = change.version in (None, now[change.path])
        return None if same else FileState(Freshness.CHANGED)

    def checkout(self, root: Path, at: datetime | None = None) -> Checkout:
        del root, at
        return self.present

    def unmerged(self, root: Path, saved: Collection[Checkout]) -> Mapping[Checkout, bool]:
        del root
        return {each: each.branch == "old" for each in saved if each.branch != self.present.branch}

    def commits_since(self, root: Path, files: Sequence[tuple[str, datetime]]) -> tuple[int | None, ...]:
        del root
        return tuple(self.commits.get(path) for path, _ in files)

    def author(self, root: Path, commit: str) -> str:
        del root, commit
        return ""

    def repository(self, directory: Path) -> Path | None:
        return next((each for each in self.repositories if directory.is_relative_to(each)), None)

    def uncommitted(self, root: Path, *, since: datetime, until: datetime) -> Uncommitted | None:
        if self.differing is None:
            return None
        found = [each for each in self.differing if since <= self.touched(root, each.path) <= until]
        most = len(found) if self.most is None else self.most
        return Uncommitted(changes=tuple(found[:most]), more=tuple(each.path for each in found[most:]))

    def former_names(self, root: Path, path: str) -> tuple[str, ...]:
        del root
        return self.former.get(path, ())

    def touched(self, root: Path, path: str) -> datetime:
        del root
        return self.touches.get(path, DAWN)

    def made(self, root: Path) -> datetime:
        del root
        return DAWN - timedelta(days=1)

    def text(self, root: Path, path: str) -> str:
        del root
        return self.texts.get(path, "")

    def files(self, root: Path, suffix: str) -> Sequence[str]:
        return [str(each.relative_to(root)) for each in sorted(root.rglob(f"*{suffix}"))]

    def past(self, root: Path, folder: str) -> Past | None:
        del root, folder
        return self.history


@define
class ToldHistory(CodeHistory):
    """History from given commits, oldest first. It records which commits are read."""

    log: list[Commit] = field(factory=list)
    asked: list[str] = field(factory=list)

    def commits(self, root: Path, *, limit: int) -> tuple[str, ...]:
        del root
        return tuple(each.id for each in self.log[-limit:])

    def head(self, root: Path) -> str | None:
        del root
        return self.log[-1].id if self.log else None

    def read(self, root: Path, ids: Sequence[str]) -> Iterator[Commit]:
        del root
        for each in self.log:
            if each.id in ids:
                self.asked.append(each.id)
                yield each

    def latest(self, root: Path, *, during: Sequence[Span], limit: int) -> Latest:
        del root
        made = [each for each in reversed(self.log) if any(start <= each.at <= end for start, end in during)]
        return Latest(tuple(made[:limit]), more=len(made[limit:]))

    def committed(self, root: Path) -> datetime | None:
        del root
        return max((each.at for each in self.log), default=None)


@frozen
class CountingBy(Tokenizer):
    """Tokenizer that counts with a given function."""

    function: Callable[[str], int]

    def count(self, text: str) -> int:
        return self.function(text)


@define(eq=False)
class LackingStorage(InMemoryStorage):
    """Storage without some capabilities."""

    lacks: AbstractSet[Capability]

    @property
    def capabilities(self) -> frozenset[Capability]:
        return super().capabilities - self.lacks

    def ledger(self, project: str) -> CodeLedger:
        if Capability.LEDGER in self.lacks:
            raise CapabilityUnsupportedError(capability=Capability.LEDGER)
        return super().ledger(project)


@define
class ConceptEmbedder(Embedder):
    """Embedder that knows a few words, and which of them have the same meaning."""

    concepts: Sequence[str] = ("car automobile conveyance", "cat feline", "bug fault defect", "money budget")
    name: str = "concepts"

    @property
    def model(self) -> EmbeddingModel:
        return EmbeddingModel(self.name, len(self.concepts))

    def embed(self, texts: Sequence[str]) -> tuple[Vector | None, ...]:
        return tuple(self._direction(text) for text in texts)

    def embed_query(self, text: str) -> Vector | None:
        return self._direction(text)

    def _direction(self, text: str) -> Vector | None:
        words = re.findall(r"\w+", text.lower())
        counts = [sum(word in concept.split() for word in words) for concept in self.concepts]
        return Vector.of(counts) if any(counts) else None
