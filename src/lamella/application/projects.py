"""Which project a call is about: said explicitly, else set for the process, else where it runs."""

from pathlib import Path

from attrs import define, frozen

from lamella.domain.projects import Location, Project
from lamella.ports.clock import Clock
from lamella.ports.search import ObservationSearch
from lamella.ports.storage import ObservationStorage, Storage
from lamella.ports.working_tree import WorkingTree

_NAMED = "name:"


@frozen
class Here:
    """The project of a call, its memories, and the top of the working tree that paths are relative to."""

    project: Project
    root: Path
    observations: ObservationStorage
    search: ObservationSearch


@define
class ProjectResolver:
    """Finds the project of a call; one for the servers, the hooks and the command line.

    `name` is the project that was set for the process: an id, an alias or a name. A name that is not known yet
    makes a project of that name.
    """

    storage: Storage
    working_tree: WorkingTree
    clock: Clock
    directory: Path
    name: str | None = None

    def here(self, explicit: str | None = None) -> Here:
        """The project that `explicit` names, else the one of the process.

        Raises:
            UnknownProjectError: there is none that `explicit` names.
            AmbiguousProjectError: there are several.
            StorageError: storage cannot be used.
        """
        location = self.working_tree.locate(self.directory)
        project = self.storage.registry.named(explicit) if explicit else self._of_process(location)
        return Here(
            project,
            location.root,
            self.storage.observations(project.id),
            self.storage.search(project.id),
        )

    def _of_process(self, location: Location) -> Project:
        registry = self.storage.registry
        if self.name is None:
            return registry.at(location, now=self.clock.now())
        known = [each for each in registry.all() if self.name in (each.id, each.name, *each.aliases)]
        if known:
            return registry.named(self.name)
        named = Location(key=_NAMED + self.name, name=self.name, root=location.root)
        return registry.at(named, now=self.clock.now())


@define
class ListProjects:
    """Every project of the storage."""

    storage: Storage

    def __call__(self) -> tuple[Project, ...]:
        """By name and then id; those that were merged into another are marked so."""
        return self.storage.registry.all()


@define
class MergeProjects:
    """Moves one project's memories into another's."""

    storage: Storage

    def __call__(self, old: str, new: str) -> int:
        """How many moved. Each is named by id, alias or name.

        Raises:
            UnknownProjectError: one of them is not known.
            AmbiguousProjectError: several projects have that name.
            ProjectChangeError: they are the same, or `old` was merged elsewhere.
        """
        registry = self.storage.registry
        return registry.merge(_exactly(self.storage, old).id, registry.named(new).id)


@define
class SplitProject:
    """Takes a merge back."""

    storage: Storage

    def __call__(self, old: str) -> int:
        """How many memories returned to `old`, which is named by id, alias or name.

        Raises:
            UnknownProjectError: it is not known.
            ProjectChangeError: it was not merged into another.
        """
        return self.storage.registry.split(_exactly(self.storage, old).id)


def _exactly(storage: Storage, asked: str) -> Project:
    """The project that is named, itself and not the one it was merged into."""
    for project in storage.registry.all():
        if asked in (project.id, *project.aliases):
            return project
    merged = [each for each in storage.registry.all() if each.name == asked and each.moved_to is not None]
    return merged[0] if len(merged) == 1 else storage.registry.named(asked)
