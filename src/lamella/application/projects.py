"""Which project a call is about: said explicitly, else set for the process, else where it runs."""

from collections.abc import Sequence
from pathlib import Path

from attrs import define, frozen

from lamella.domain.errors import AmbiguousProjectError, UnknownProjectError
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
        if not self.name:
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
        return registry.merge(_only(old, _called(old, registry.all())).id, registry.named(new).id)


@define
class SplitProject:
    """Takes a merge back."""

    storage: Storage

    def __call__(self, old: str) -> int:
        """How many memories returned to `old`, which is named by id, alias or name.

        Raises:
            UnknownProjectError: it is not known.
            AmbiguousProjectError: several projects that were merged have that name.
            ProjectChangeError: it was not merged into another.
        """
        registry = self.storage.registry
        called = _called(old, registry.all())
        merged = [each for each in called if each.moved_to is not None]
        return registry.split(_only(old, merged or called).id)


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
