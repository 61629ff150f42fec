"""Projects of a storage: find and choose projects, and check merges, splits and new projects."""

from collections.abc import Iterable, Mapping
from functools import cached_property

from attrs import define, evolve, frozen

from lamella.domain.errors import AmbiguousProjectError, ProjectChangeError, StorageGoneError, UnknownProjectError
from lamella.domain.projects.identity import is_another_repository, is_everywhere
from lamella.domain.projects.project import Location, Project
from lamella.domain.text.printing import stored_key


@frozen(kw_only=True, repr=False)
class ProjectLook:
    """Criteria for finding projects.

    A storage returns all projects that match one of the criteria, and the targets of their merges. It may return
    further projects.

    Attributes:
        ids: Ids of projects.
        aliases: Aliases of projects, normalised by `stored_key`.
        names: Names of projects.
        families: True to include all projects that were merged into the same project as a found project.
        every: True to get all projects.
    """

    ids: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    families: bool = False
    every: bool = False


def look_for(*places: Location | None, called: Iterable[str | None] = ()) -> ProjectLook:
    """List the facts for finding projects by location, id, alias or name."""
    names = tuple(name for name in called if name)
    aliases = [alias for place in places if place is not None for alias in place.stored_aliases]
    return ProjectLook(ids=names, aliases=(*map(stored_key, names), *aliases), names=names)


@define(eq=False, repr=False, slots=False)
class Catalogue:
    """Projects found for a `ProjectLook`, sorted by name, then by id.

    Attributes:
        projects: Projects, keyed by id.
        successors: Id of the project that has a project's memories after merges, keyed by the project's id.
            Without a merge, both ids are the same.
    """

    projects: Mapping[str, Project]
    successors: Mapping[str, str]

    @classmethod
    def of(cls, projects: Iterable[Project]) -> "Catalogue":
        """Return the catalogue of all projects of a storage."""
        known = {each.id: each for each in sorted(projects, key=lambda each: (each.name, each.id))}
        successors = {}
        for id in known:
            home = id
            while home in known and (moved_to := known[home].moved_to) is not None:
                home = moved_to
            successors[id] = home
        return cls(known, successors)

    @cached_property
    def by_alias(self) -> Mapping[str, Project]:
        """Projects, keyed by alias."""
        return {alias: project for project in self.projects.values() for alias in project.aliases}

    def known(self, id: str) -> Project:
        """Return the project with an id, merged or not.

        Raises:
            UnknownProjectError: No project has the id.
        """
        if id not in self.projects:
            raise UnknownProjectError(asked=id)
        return self.projects[id]

    def home(self, id: str) -> Project:
        """Return the project that has the memories of project `id`.

        After a merge, this is the target of the merge. Without a merge, it is the project `id`.

        Raises:
            StorageGoneError: The project with the memories is missing.
        """
        home = self.successors[id]
        if home not in self.projects:
            raise StorageGoneError(
                reason=f"The memory file of project {home} is missing.",
                advice="If you moved it, move it back. Otherwise run: lamella doctor",
            )
        return self.projects[home]

    def named(self, asked: str) -> Project:
        """See `ProjectRegistry.named`."""
        one = self.projects.get(asked) or self.by_alias.get(stored_key(asked))
        found = [one] if one else [each for each in self.projects.values() if each.name == asked]
        # Projects that were merged into the same project count as one match.
        ids = sorted({self.home(each.id).id for each in found})
        if not ids:
            raise UnknownProjectError(asked=asked)
        if len(ids) > 1:
            raise AmbiguousProjectError(asked=asked, candidates=ids)
        return self.projects[ids[0]]

    def owner(self, location: Location) -> Project | None:
        """Return the project at a location, merged or not; None for an unknown location."""
        found = next((self.by_alias[each] for each in location.stored_aliases if each in self.by_alias), None)
        if found and location.repository and is_another_repository(found.aliases, location.repository):
            return None
        return found

    def living_at(self, location: Location) -> Project | None:
        """See `ProjectRegistry.living_at`."""
        owner = self.owner(location)
        return None if owner is None else self.home(owner.id)

    def settled_at(self, location: Location) -> Project | None:
        """Return the project that has `location.alias`, following merges; None if no project has it."""
        owner = self.owner(location)
        if owner is None or (location.repository and location.stored_aliases[0] not in owner.aliases):
            return None
        return self.home(owner.id)

    def leading_to(self, id: str) -> frozenset[str]:
        """Return the ids of all projects merged into project `id`, directly or transitively."""
        found = {id}
        while more := {each.id for each in self.projects.values() if each.moved_to in found} - found:
            found |= more
        return frozenset(found - {id})

    def arriving(self, project: Project) -> tuple[Project, bool]:
        """Find or create the project for an imported project; see `ProjectRegistry.upsert`.

        Returns:
            The project with the aliases to add to it, and True if it must be created.
        """
        aliases = tuple(map(stored_key, project.aliases))
        free = tuple(alias for alias in aliases if alias not in self.by_alias)
        here = self.projects.get(project.id) or next(
            (self.by_alias[alias] for alias in aliases if alias in self.by_alias), None
        )
        if here is None:
            return evolve(project, aliases=free, moved_to=None), True
        return evolve(here, aliases=free), False

    def merge_target(self, old: str, new: str) -> Project:
        """Check that `old` can be merged into `new`. Return the target of the merge.

        A merge that was begun before can be repeated.

        Raises:
            UnknownProjectError: A project is unknown.
            ProjectChangeError: Both are the same project, `old` is already merged into another project, or one of
                them has the global memories.
        """
        source, target = self.known(old), self.home(self.known(new).id)
        if source.moved_to not in (None, target.id):
            raise ProjectChangeError(reason=f"{old} is merged into {source.moved_to} already.")
        if source.id == target.id:
            raise ProjectChangeError(reason="A project can't be merged into itself.")
        if is_everywhere(source.aliases) != is_everywhere(target.aliases):
            raise ProjectChangeError(reason="Global memories can't be merged with a project.")
        return target

    def merged_into(self, old: str) -> Project:
        """Return the project that has the memories of the merged project `old`.

        Raises:
            UnknownProjectError: The project doesn't exist.
            ProjectChangeError: The project wasn't merged.
        """
        if self.known(old).moved_to is None:
            raise ProjectChangeError(reason=f"{old} was not merged into another project.")
        return self.home(old)
