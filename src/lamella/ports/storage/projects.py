"""Registry of the projects of a storage."""

# ruff: noqa: ARG002 - default implementations raise an error without using their arguments

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeVar

from lamella.domain.errors import CapabilityUnsupportedError
from lamella.domain.projects.project import Location, Project
from lamella.domain.transactions import registry
from lamella.domain.transactions.catalogue import Catalogue, ProjectLook, look_for
from lamella.ports.storage.storage import Capability

if TYPE_CHECKING:
    from lamella.domain.audit.entry import Signature
    from lamella.domain.transactions.merging import Move

T = TypeVar("T")


class ProjectRegistry(Protocol):
    """Projects of one storage, with their names and aliases.

    `lamella.domain.transactions.registry` decides on changes. A storage applies them, and looks projects up.
    """

    @abstractmethod
    def look(self, look: ProjectLook) -> Catalogue:
        """Return the projects that match `look`, merged or not, and the targets of their merges.

        Projects are sorted by name, then by id.

        An id or name with characters that the storage can't store matches nothing.
        """

    @abstractmethod
    def transact(self, look: ProjectLook, decide: Callable[[Catalogue], tuple[registry.RegistryPlan, T]]) -> T:
        """Lock the registry, read the facts of `look`, call `decide`, and apply its plan.

        Return the second value of `decide`'s result.

        The change is durable when this method returns. If `decide` raises an error, nothing changes.
        """

    def move(self, look: ProjectLook, decide: Callable[[Catalogue], Move], *, by: Signature) -> int:
        """Read the facts of `look`, call `decide`, and move rows between projects; see `merge` and `split`.

        Overridden by storages with `Capability.MERGE`.

        Args:
            look: Facts that the decision needs.
            decide: Function that decides the move. If `decide` raises an error, nothing changes.
            by: Author and time of the merge or split.

        Returns:
            The number of moved observations.
        """
        raise CapabilityUnsupportedError(capability=Capability.MERGE)

    def all(self) -> tuple[Project, ...]:
        """Return every project, including merged projects, sorted by name, then by id."""
        return tuple(self.look(ProjectLook(every=True)).projects.values())

    def named(self, asked: str) -> Project:
        """Return the project with the id, alias or name `asked`, following merges.

        Raises:
            UnknownProjectError: The project doesn't exist.
            AmbiguousProjectError: Several projects have the name.
        """
        return self.look(look_for(called=(asked,))).named(asked)

    def living_at(self, location: Location) -> Project | None:
        """Return the project at a location, following merges. Return None if the location has no project.

        Look for the alias `location.repository`, then for `location.key`. Skip a project that has the alias of
        another repository. Never create a project.
        """
        return self.look(look_for(location)).living_at(location)

    def at(self, location: Location, *, now: datetime) -> Project:
        """Return the project at a location, following merges. Creates a missing project.

        A new project has `location.alias` as its alias. A project found only by `location.key` also gets the alias
        `location.repository`, so that every clone finds it from then on.

        Args:
            location: The location.
            now: Current time, for creating a project.
        """
        look = look_for(location)
        settled = self.look(look).settled_at(location)
        if settled is not None:
            return settled
        return self._home(self.transact(look, partial(registry.decide_place, location, now=now)))

    def upsert(self, project: Project) -> Project:
        """Return the project with the id of `project`, or else with an alias of `project`.

        A missing project is created, with the id, name and time of `project`; `moved_to` is ignored. A found
        project gets the aliases of `project` that no project has yet.

        Args:
            project: A project, possibly from elsewhere. Its id consists of lower-case letters, digits and hyphens,
                like `Location.project_id`.

        Returns:
            The project, following merges.
        """
        look = registry.look_for_arrival(project)
        known = self.look(look)
        plan, here = registry.decide_arrival(project, known)
        # Look without writing first: a known project can be read even if the storage is read-only.
        return (
            self._home(self.transact(look, partial(registry.decide_arrival, project)))
            if plan
            else known.home(here)
        )

    def switch(self, project: str, *, on: bool, now: datetime) -> Project:
        """Switch memory on or off in a project. The storage only records the switch; use cases and hooks obey it.

        `Project.switched` defines the effect. A merge leaves the off periods of both projects unchanged.

        Args:
            project: Id of the project. Merges are followed.
            on: True for on, False for off.
            now: Current time.

        Returns:
            The project after the switch.

        Raises:
            UnknownProjectError: The project doesn't exist.
        """
        return self.transact(ProjectLook(ids=(project,)), partial(registry.decide_switch, project, on=on, now=now))

    def merge(self, old: str, new: str, *, by: Signature) -> int:
        """Move the memories of a project into another project. The aliases of `old` become aliases of `new`.

        Everything of `old` moves, including purged observations, in the order of its sequence, and gets the next
        sequence numbers of `new`. Each observation keeps its id, origin, times, request and fingerprint. The index
        column `context` is computed again, because each session now has the memories of both projects. Vectors are
        pending again.

        If both projects have the same message key, request, activity entry, source or session, `new` keeps its own
        data. There are two exceptions. A session's name in `old` replaces a generated title in `new`. For titles
        whose record isn't stored yet, and for last records of conversations, data of `old` replaces data of `new`.
        Observations with equal text are all kept. Messages and sessions erased in `old` count as erased in `new`.

        An interrupted merge can be repeated, and a process with `old` open loses nothing.

        Args:
            old: Id of the project to merge.
            new: Id of the target.
            by: Author and time of the merge.

        Returns:
            The number of moved observations.

        Raises:
            CapabilityUnsupportedError: `Capability.MERGE` is not declared.
            UnknownProjectError: A project is unknown.
            ProjectChangeError: Both are the same project, or `old` is already merged into another.
        """
        from lamella.domain.transactions.merging import decide_merge  # noqa: PLC0415 - most programs move no memories

        return self.move(ProjectLook(ids=(old, new)), partial(decide_merge, old, new), by=by)

    def split(self, old: str, *, by: Signature) -> int:
        """Undo a merge: move observations back into the project in which they were saved.

        Observations keep their present state.

        Observations of projects that were merged into `old` earlier move, too. Messages, positions in sources,
        titles whose record isn't stored yet, last records, requests and activity move with them. Replacements
        that were saved since the merge move with the replaced memories, and audit entries with their memories.
        Everything else since the merge stays. The index column `context` is computed again in both projects, and
        moved vectors are pending again. The name of a session moves with its messages, and also stays if messages
        of the session stay.

        Args:
            old: Id of the merged project.
            by: Author and time of the split.

        Returns:
            The number of moved observations.

        Raises:
            CapabilityUnsupportedError: `Capability.MERGE` is not declared.
            UnknownProjectError: The project doesn't exist.
            ProjectChangeError: The project wasn't merged.
        """
        from lamella.domain.transactions.merging import decide_split  # noqa: PLC0415 - see above

        return self.move(ProjectLook(ids=(old,), families=True), partial(decide_split, old), by=by)

    def _home(self, project: str) -> Project:
        return self.look(ProjectLook(ids=(project,))).home(project)
