"""Which project a call is about: said explicitly, else set for the process, else where it runs."""

from pathlib import Path

from attrs import define, frozen

from lamella.application.projects.empty_project import (
    NoActivity,
    NoConversations,
    NoLedger,
    NoObservations,
    NoSearch,
    NoVectors,
)
from lamella.domain.embeddings.vector import EmbeddingModel
from lamella.domain.errors import UnknownProjectError
from lamella.domain.project import Location, Project
from lamella.domain.project_key import key_of_name
from lamella.ports.storage.activity import ActivityLog
from lamella.ports.storage.conversations import Conversations, SummaryCache
from lamella.ports.storage.ledger import CodeLedger
from lamella.ports.storage.observations import ObservationStorage
from lamella.ports.storage.search import ObservationSearch
from lamella.ports.storage.storage import Storage
from lamella.ports.storage.vectors import VectorIndex
from lamella.ports.system import Clock
from lamella.ports.working_tree import WorkingTree


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
        return Location(key=key_of_name(self.name), name=self.name, root=location.root)
