"""Which project a call is about: said explicitly, else set for the process, else where it runs."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from attrs import define, frozen

from lamella.application.nothing import NoActivity, NoConversations, NoLedger, NoObservations, NoSearch, NoVectors
from lamella.domain.errors import AmbiguousProjectError, UnknownProjectError
from lamella.domain.projects import Location, Project
from lamella.domain.vectors import EmbeddingModel
from lamella.ports.activity import ActivityLog
from lamella.ports.clock import Clock
from lamella.ports.conversations import Conversations, SummaryCache
from lamella.ports.ledger import CodeLedger
from lamella.ports.search import ObservationSearch
from lamella.ports.storage import Capability, ObservationStorage, Storage
from lamella.ports.vectors import VectorIndex
from lamella.ports.working_tree import WorkingTree

_NAMED = "name:"
_EVER = datetime.min.replace(tzinfo=UTC)


@frozen
class Here:
    """The project of a call, its memories, and the top of the working tree that paths are relative to.

    `project` is None where nothing was saved yet; there are no memories then.
    """

    project: Project | None
    root: Path
    _storage: Storage

    @property
    def observations(self) -> ObservationStorage:
        """Its memories."""
        return self._storage.observations(self.project.id) if self.project else NoObservations()

    @property
    def search(self) -> ObservationSearch:
        """How they are found by words."""
        return self._storage.search(self.project.id) if self.project else NoSearch()

    def vectors(self, model: EmbeddingModel) -> VectorIndex:
        """How they are found by meaning."""
        return self._storage.vectors(self.project.id, model) if self.project else NoVectors(model)

    def conversations(self) -> Conversations:
        """What was said in it."""
        return self._storage.conversations(self.project.id) if self.project else NoConversations()

    def summaries(self) -> SummaryCache:
        """What was summarised of that."""
        return self._storage.summaries(self.project.id) if self.project else NoConversations()

    def ledger(self) -> CodeLedger:
        """What came and went in its code."""
        return self._storage.ledger(self.project.id) if self.project else NoLedger()

    def activity(self) -> ActivityLog:
        """What hooks and tools did in it."""
        return self._storage.activity(self.project.id) if self.project else NoActivity()


@define
class ProjectResolver:
    """Finds the project of a call; one for the servers, the hooks and the command line.

    `name` is the project that was set for the process: an id, an alias or a name. The first save under a name that
    is not known yet makes a project of that name.
    """

    storage: Storage
    working_tree: WorkingTree
    clock: Clock
    directory: Path
    name: str | None = None

    def here(self, explicit: str | None = None) -> Here:
        """The project that `explicit` names, else the one of the process. Makes nothing: it is for looking.

        Raises:
            UnknownProjectError: there is none that `explicit` names.
            AmbiguousProjectError: there are several.
            StorageError: storage cannot be used.
        """
        location = self.working_tree.locate(self.directory)
        registry = self.storage.registry
        project = self._named(explicit) or registry.living_at(self._place(location))
        return Here(project, location.root, self.storage)

    def made_here(self, explicit: str | None = None) -> Here:
        """As `here`, for saving: the project of the process is made where there is none yet.

        Raises:
            UnknownProjectError: there is none that `explicit` names.
            AmbiguousProjectError: there are several.
            StorageError: storage cannot be used.
        """
        location = self.working_tree.locate(self.directory)
        registry = self.storage.registry
        project = self._named(explicit) or registry.at(self._place(location), now=self.clock.now())
        return Here(project, location.root, self.storage)

    def called(self, name: str) -> Project:
        """The project with this id, alias or name; that of the working directory is made if it isn't known yet.

        Raises:
            UnknownProjectError: there is none.
            AmbiguousProjectError: there are several.
            StorageError: storage cannot be used.
        """
        registry = self.storage.registry
        try:
            return registry.named(name)
        except UnknownProjectError:
            place = self._place(self.working_tree.locate(self.directory))
            if place.name != name:
                raise
            return registry.at(place, now=self.clock.now())

    def lives_here(self, project: Project | None) -> bool:
        """Whether the working directory is in `project`, whatever is set for the process.

        Raises:
            StorageError: storage cannot be used.
        """
        return self.storage.registry.living_at(self.working_tree.locate(self.directory)) == project

    def belongs_here(self, directory: Path, explicit: str | None = None) -> bool:
        """Whether what took place in `directory` belongs to the project of a call.

        Raises:
            UnknownProjectError: there is none that `explicit` names.
            AmbiguousProjectError: there are several.
            StorageError: storage cannot be used.
        """
        there = self.working_tree.locate(directory)
        if not explicit and there.key == self.working_tree.locate(self.directory).key:
            return True
        project = self.here(explicit).project
        return project is not None and project == self.storage.registry.living_at(there)

    def _named(self, explicit: str | None) -> Project | None:
        """The project that is named by the call, or is set for the process and known."""
        registry = self.storage.registry
        if explicit:
            return registry.named(explicit)
        name = self.name
        if name and any(name in (each.id, each.name, *each.aliases) for each in registry.all()):
            return registry.named(name)
        return None

    def _place(self, location: Location) -> Location:
        """Where the project of the process lives."""
        if not self.name:
            return location
        return Location(key=_NAMED + self.name, name=self.name, root=location.root)


@define
class ListProjects:
    """Every project of the storage."""

    storage: Storage

    def __call__(self) -> tuple[Project, ...]:
        """By name and then id; those that were merged into another are marked so."""
        return self.storage.registry.all()


@frozen(kw_only=True)
class Moved:
    """What a merge or a split has moved. `messages` is off by what is imported meanwhile."""

    memories: int
    messages: int

    def __str__(self) -> str:
        """Both, in words."""
        return f"{self.memories} memories and {self.messages} messages"


@define
class MergeProjects:
    """Moves one project's memories and conversations into another's, such as that of a folder just renamed."""

    storage: Storage
    projects: ProjectResolver

    def __call__(self, old: str, new: str) -> Moved:
        """How much moved; not counted are messages that `new` knew already. Each is named by id, alias or name.

        Raises:
            UnknownProjectError: one of them is not known.
            AmbiguousProjectError: several projects have that name.
            ProjectChangeError: they are the same, or `old` was merged elsewhere.
        """
        registry = self.storage.registry
        leaving = _only(old, _called(old, registry.all())).id
        home = self.projects.called(new).id
        before = _messages(self.storage, home)
        memories = registry.merge(leaving, home)
        return Moved(memories=memories, messages=max(0, _messages(self.storage, home) - before))


@define
class SplitProject:
    """Takes a merge back."""

    storage: Storage

    def __call__(self, old: str) -> Moved:
        """How much returned to `old`, which is named by id, alias or name.

        Raises:
            UnknownProjectError: it is not known.
            AmbiguousProjectError: several projects that were merged have that name.
            ProjectChangeError: it was not merged into another.
        """
        registry = self.storage.registry
        called = _called(old, registry.all())
        merged = [each for each in called if each.moved_to is not None]
        returning = _only(old, merged or called).id
        home = registry.named(returning).id
        before = _messages(self.storage, home)
        memories = registry.split(returning)
        return Moved(memories=memories, messages=max(0, before - _messages(self.storage, home)))


def _messages(storage: Storage, project: str) -> int:
    """How many messages a project has; none, where the storage keeps no conversations."""
    if Capability.CONVERSATIONS not in storage.capabilities:
        return 0
    return storage.conversations(project).count(since=_EVER)


def _called(asked: str, projects: Sequence[Project]) -> Sequence[Project]:
    """Those of `projects` with this id, alias or name, themselves and not the ones they were merged into."""
    known = [each for each in projects if asked in (each.id, *each.aliases)]
    return known or [each for each in projects if asked == each.name]


def _only(asked: str, found: Sequence[Project]) -> Project:
    if not found:
        raise UnknownProjectError(asked=asked)
    if len(found) > 1:
        raise AmbiguousProjectError(asked=asked, candidates=[each.id for each in found])
    return found[0]
