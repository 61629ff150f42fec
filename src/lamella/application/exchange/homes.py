"""Projects that the projects of an export become here."""

from datetime import UTC, datetime
from pathlib import Path

from attrs import define, evolve, field

from lamella.domain.audit.signature import Signature
from lamella.domain.errors import UnknownProjectError
from lamella.domain.exchange.json_lines import UnreadableExportError
from lamella.domain.projects.identity import is_repository
from lamella.domain.projects.project import Location, Project
from lamella.ports.storage.storage import Capability, Storage
from lamella.ports.working_tree import WorkingTree

_EVER = datetime.min.replace(tzinfo=UTC)


@define
class Homes:
    """The projects of an export, each with the project that its memories go to.

    Attributes:
        working_tree: Tells which repository a project here lives in.
        into: The project that all go into; None to go by the export.
        by: Signature of merges.
        dry_run: True to make no project.
        known: Ids of the projects here that are there already.
    """

    storage: Storage
    working_tree: WorkingTree
    into: Project | None
    by: Signature
    dry_run: bool
    known: set[str] = field(factory=set)
    _homes: dict[str, Project] = field(factory=dict)
    _merged: dict[str, str] = field(factory=dict)
    _clones: dict[str, Project] | None = None

    def __attrs_post_init__(self) -> None:
        self.known = {each.id for each in self.storage.registry.all()}

    def add(self, project: Project) -> None:
        """Make a project of the export known here, unless all go into one."""
        if self.into is not None:
            self._homes[project.id] = self.into
        elif self.dry_run:
            self._homes[project.id] = self._found(project) or self._cloned(project) or project
        else:
            if self._found(project) is None and (clone := self._cloned(project)) is not None:
                self.storage.registry.take_over(evolve(clone, aliases=project.aliases))
            self._homes[project.id] = self.storage.registry.take_over(project)
            self.known.add(self._homes[project.id].id)
            if project.moved_to is not None:
                self._merged[project.id] = project.moved_to

    def of(self, place: str, project: str) -> Project:
        """Return the home of what belongs to a project of the export.

        Raises:
            UnreadableExportError: The export has not described the project.
        """
        if self._merged:
            self.merge()
        home = self.into or self._homes.get(project)
        if home is None:
            raise UnreadableExportError(place=place, reason=f"the project {project} is not described before this")
        return home

    def merge(self) -> None:
        """Merge projects as they were merged elsewhere. One that has anything here stays as it is."""
        for old, new in self._merged.items():
            home, target = self._homes[old], self._homes.get(new)
            empty = home.id == old and target is not None and target.id != old and self._is_empty(old)
            if target is not None and empty and Capability.MERGE in self.storage.capabilities:
                self.storage.registry.merge(old, target.id, by=self.by)
                self._homes[old] = self.storage.registry.named(old)
        self._merged.clear()

    def __len__(self) -> int:
        return len({each.id for each in self._homes.values()})

    def _found(self, project: Project) -> Project | None:
        for name in (project.id, *project.aliases):
            try:
                return self.storage.registry.named(name)
            except UnknownProjectError:
                continue
        return None

    def _cloned(self, project: Project) -> Project | None:
        """Return the project here that lives in a clone of the repository of a project of the export.

        Git is asked only if the export names a repository that nothing here is known by.
        """
        repositories = list(filter(is_repository, project.aliases))
        if not repositories:
            return None
        if self._clones is None:
            living = [each for each in self.storage.registry.all() if each.moved_to is None]
            first = sorted(living, key=lambda each: (each.created_at, each.id), reverse=True)
            found = ((repository_of(each, self.working_tree), each) for each in first)
            self._clones = {alias: each for alias, each in found if alias is not None}
        return next((self._clones[each] for each in repositories if each in self._clones), None)

    def _is_empty(self, project: str) -> bool:
        if self.storage.observations(project).page(limit=1):
            return False
        keeps = Capability.CONVERSATIONS in self.storage.capabilities
        return not keeps or not self.storage.conversations(project).counts(since=[_EVER])[0]


def repository_of(project: Project, working_tree: WorkingTree) -> str | None:
    """Return the alias of the repository in whose clone a project lives; None if it has one, or lives in none."""
    if any(map(is_repository, project.aliases)):
        return None
    for alias in project.aliases:
        kind, _, place = alias.partition(":")
        if kind == "git":
            root = Path(place).parent if place.endswith("/.git") else Path(place)
            found = working_tree.repository_alias(Location(key=alias, name=project.name, root=root))
            if found is not None:
                return found
    return None
