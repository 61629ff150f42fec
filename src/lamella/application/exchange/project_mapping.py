"""Mapping of the projects of an export to projects of this storage, called their homes."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from attrs import define, evolve, field

from lamella.application.projects.resolver import ProjectResolver
from lamella.application.projects.sizes import messages_of
from lamella.domain.audit.entry import Signature
from lamella.domain.errors import UnknownProjectError
from lamella.domain.exchange.json_lines import UnreadableExportError
from lamella.domain.projects.identity import is_everywhere, is_qualified, is_repository, resettled, under_own_id
from lamella.domain.projects.project import Location, Project
from lamella.ports.storage.storage import Capability, Storage
from lamella.ports.working_tree import WorkingTree

_EVER = datetime.min.replace(tzinfo=UTC)


@define
class ProjectMapping:
    """Projects of an export, each with its home.

    A home is the project of this storage that receives the memories of the exported project.

    Attributes:
        projects: Resolver of projects in this storage.
        into: Home of all projects; None if each project has its own home.
        by: Signature of merges.
        dry_run: True to create no projects.
        placeless: True if the export has no locations of projects.
        known: Ids of projects that exist in this storage.
        described: Projects of the export, keyed by id.
        disputed: Aliases of locations that belong to one project in the export, and to another in this storage.
            Each alias is a key; its value is the id of the project in this storage.
    """

    projects: ProjectResolver
    into: Project | None
    by: Signature
    dry_run: bool
    placeless: bool = field(default=False, kw_only=True)
    known: set[str] = field(factory=set)
    described: dict[str, Project] = field(factory=dict)
    disputed: dict[str, str] = field(factory=dict)
    _leading: dict[str, str] = field(factory=dict)
    _mapped: dict[str, Project] = field(factory=dict)
    _origins: dict[str, str] = field(factory=dict)
    _merging: dict[str, str] = field(factory=dict)
    _clones: dict[str, Project] | None = None
    _used: set[str] = field(factory=set)
    """Ids of the homes that `of` has returned for records."""

    def __attrs_post_init__(self) -> None:
        for each in self.storage.registry.all():
            self._know(each)

    @property
    def storage(self) -> Storage:
        """The target storage."""
        return self.projects.storage

    def add(self, place: str, project: Project) -> None:
        """Find or create the home of `project`. If `into` is set, it is the home of all projects.

        Raises:
            UnreadableExportError: The project is merged into itself, directly or through other projects.
        """
        target = project.moved_to
        while target is not None and target != project.id:
            target = self.described[target].moved_to if target in self.described else None
        if target is not None:
            raise UnreadableExportError(place=place, reason="the project is merged into itself")
        self.described[project.id] = project
        if self.into is not None:
            self._mapped[project.id] = self.into
            return
        settled = self._settled(project)
        here = self._found(settled)
        clone = None if here is not None else self._cloned(settled)
        if self.dry_run:
            home = here or clone or settled
        else:
            if clone is not None:
                self._know(self.storage.registry.upsert(evolve(clone, aliases=settled.aliases)))
            home = self.storage.registry.upsert(settled)
            self._know(home)
        own = self._owner(settled) or home.id
        led = ((alias, self._leading.get(alias, own)) for alias in settled.aliases)
        self.disputed.update({alias: leading for alias, leading in led if leading != own})
        if not self.dry_run and own == home.id:
            home = self._follow(project, home)
        self._mapped[project.id], self._origins[project.id] = home, own
        if project.moved_to is not None:
            self._merging[project.id] = project.moved_to
        elif self._shared and (repository := repository_of(project, self.projects.working_tree)) is not None:
            # The export may have a project for each clone. Merge them into the one with the repository's alias.
            self._merging[project.id] = repository

    def of(self, place: str, project: str, origin: str | None = None) -> Project:
        """Return the home of a record in a project of the export.

        A memory of a merged project goes to the home of the project that it was saved in. That project may be
        separate in this storage.

        Args:
            place: Position of the record in the export, for errors.
            project: Id of the project in the export.
            origin: Id of the project that the memory was saved in; None for other records.

        Raises:
            UnreadableExportError: No record before this one describes the project.
        """
        if self._merging:
            self.merge()
        saved_in = None if origin is None else self.described.get(origin)
        if saved_in is not None and saved_in.moved_to is not None:
            project = saved_in.id
        home = self._mapped.get(project, self.into)
        if home is None:
            raise UnreadableExportError(
                place=place, reason=f"no record before this one describes the project {project}"
            )
        self._used.add(home.id)
        return home

    def origin(self, project: str) -> str:
        """Return the id that a project of the export has in this storage."""
        return self._origins.get(project, project) if self.into is None else self.into.id

    def is_off(self, home: Project) -> bool:
        """Return True if memory in `home` was switched off in this storage, not only in the export."""
        there = [project.off for project, each in self.items() if each.id == home.id]
        return home.off_since is not None and home.off_since not in [each.since for off in there for each in off]

    def merge(self) -> None:
        """Repeat the merges of the export. A project that already has data here stays separate."""
        if Capability.MERGE in self.storage.capabilities:
            for old, new in self._merging.items():
                home, target = self._mapped[old], self._target(new)
                if target is None or not target.id != home.id == self._origins[old] or not self._is_empty(home.id):
                    continue
                if not self.dry_run:
                    self.storage.registry.merge(home.id, target.id, by=self.by)
                self._mapped |= {id: target for id, each in self._mapped.items() if each.id == home.id}
        self._merging.clear()

    def items(self) -> Iterator[tuple[Project, Project]]:
        """Yield each project of the export with its home."""
        for id, project in self.described.items():
            yield project, self._mapped[id]

    @property
    def counted(self) -> tuple[int, bool]:
        """Return the number of homes, not counting global memories, and True if these are a home, too."""
        places = {each.id: is_everywhere(each.aliases) for each in self._mapped.values()}
        return list(places.values()).count(False), any(places.values())

    def _target(self, new: str) -> Project | None:
        """Return the home that is the target of an exported merge."""
        if not is_repository(new):
            return self._mapped.get(new)
        return self._found(Project(id=new, name=new, created_at=_EVER))

    def _found(self, project: Project) -> Project | None:
        for name in (project.id, *project.aliases):
            try:
                return self.storage.registry.named(name)
            except UnknownProjectError:
                continue
        return None

    @property
    def _shared(self) -> bool:
        return Capability.SHARED in self.storage.capabilities

    def _settled(self, project: Project) -> Project:
        """Return a project of the export with the id and aliases that it would have in this storage."""
        if self.placeless:
            return under_own_id(project)
        if not self._shared and not any(map(is_qualified, project.aliases)):
            return project
        return resettled(project, self.projects.machine.id(), shared=self._shared)

    def _know(self, project: Project) -> None:
        self.known.add(project.id)
        self._leading.update(dict.fromkeys(project.aliases, project.id))

    def _owner(self, project: Project) -> str | None:
        """Return the id that an exported project has in this storage. Merges aren't followed."""
        if project.id in self.known:
            return project.id
        return next((self._leading[alias] for alias in project.aliases if alias in self._leading), None)

    def _follow(self, project: Project, home: Project) -> Project:
        """Copy periods with memory off from an exported project to its home.

        Only periods after the last one of the home are copied.
        """
        registry, last = self.storage.registry, home.off[-1] if home.off else None
        if last is not None and last.until is None and last.since not in [each.since for each in project.off]:
            return home
        for period in project.off:
            if last is None or period.since > last.since:
                home = registry.switch(home.id, on=False, now=period.since)
            if period.until is not None and home.off_since == period.since:
                home = registry.switch(home.id, on=True, now=period.until)
        return home

    def _cloned(self, project: Project) -> Project | None:
        """Find the project of this storage that is in another clone of the exported project's repository.

        Call this only if no project here has the repository's alias, because it runs git.
        """
        repositories = list(filter(is_repository, project.aliases))
        if not repositories:
            return None
        if self._clones is None:
            living = [each for each in self.storage.registry.all() if each.moved_to is None]
            first = sorted(living, key=lambda each: (each.created_at, each.id), reverse=True)
            found = ((repository_of(each, self.projects.working_tree), each) for each in first)
            self._clones = {alias: each for alias, each in found if alias is not None}
        return next((self._clones[each] for each in repositories if each in self._clones), None)

    def _is_empty(self, project: str) -> bool:
        if project not in self.known:
            return project not in self._used
        return not (self.storage.observations(project).page(limit=1) or messages_of(self.storage, project))


def repository_of(project: Project, working_tree: WorkingTree) -> str | None:
    """Return the alias of a project's repository.

    Return None if the project has such an alias already, or isn't in a repository.
    """
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
