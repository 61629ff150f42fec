"""Registry of the projects of a storage."""

# ruff: noqa: ARG002 - a storage that doesn't merge refuses, whatever the projects

from abc import abstractmethod
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Protocol, TypeVar

from lamella.domain.audit.signature import Signature
from lamella.domain.errors import CapabilityUnsupportedError
from lamella.domain.projects.project import Location, Project
from lamella.domain.transactions.catalogue import Catalogue, ProjectLook, look_for
from lamella.domain.transactions.registry import (
    Move,
    RegistryPlan,
    decide_arrival,
    decide_merge,
    decide_place,
    decide_split,
    decide_switch,
    look_for_arrival,
)
from lamella.ports.storage.capability import Capability

T = TypeVar("T")


class ProjectRegistry(Protocol):
    """Projects of one storage, with their names and aliases.

    A storage finds projects, and makes the changes that `lamella.domain.transactions.registry` decides.
    """

    @abstractmethod
    def look(self, look: ProjectLook) -> Catalogue:
        """Return projects, merged or not, and those that they were merged into, in order of name and then id.

        Text that the storage can't hold is no id and no name.
        """

    @abstractmethod
    def transact(self, look: ProjectLook, decide: Callable[[Catalogue], tuple[RegistryPlan, T]]) -> T:
        """Look, decide, and apply the plan, while nobody else changes the registry. Return what was decided.

        It is durable when this returns. If `decide` raises, nothing has changed.
        """

    def move(self, look: ProjectLook, decide: Callable[[Catalogue], Move], *, by: Signature) -> int:
        """Look, decide, and move rows from one project to another; see `merge` and `split`.

        Overridden where `Capability.MERGE` is declared.

        Args:
            look: Questions of the decision.
            decide: Decision. If it raises, nothing has changed.
            by: Who merges or splits them, and the time.

        Returns:
            The number of observations that were moved.
        """
        raise CapabilityUnsupportedError(capability=Capability.MERGE)

    def all(self) -> tuple[Project, ...]:
        """Return every project, by name and then id. Those that were merged into another are included."""
        return tuple(self.look(ProjectLook(every=True)).projects.values())

    def named(self, asked: str) -> Project:
        """Return the project with an id, alias or name, with merges followed.

        Raises:
            UnknownProjectError: There is none.
            AmbiguousProjectError: Several have the name.
        """
        return self.look(look_for(called=(asked,))).named(asked)

    def living_at(self, location: Location) -> Project | None:
        """Return the project that lives at a location, with merges followed; None if there is none.

        It is the one with the alias `location.repository`, else the one with `location.key`, unless that is known
        as another repository. Never creates one.
        """
        return self.look(look_for(location)).living_at(location)

    def at(self, location: Location, *, now: datetime) -> Project:
        """Return the project that lives at a location, with merges followed. Creates it if there is none.

        A new project has `location.alias` as its alias. One that is found by its key alone gets
        `location.repository` as another one, so that it is found from every clone from then on.

        Args:
            location: The location.
            now: The present time, at which a new project is created.
        """
        look = look_for(location)
        settled = self.look(look).settled_at(location)
        if settled is not None:
            return settled
        owner = self.transact(look, partial(decide_place, location, now=now))
        return self._home(owner)

    def take_over(self, project: Project) -> Project:
        """Return the project that is known by the id of `project`, else by one of its aliases. Make it if none is.

        A new one has the id, name and time of `project`; `moved_to` is ignored. Either gets those aliases of
        `project` that lead to no other.

        Args:
            project: A project as it is, or was elsewhere. Its id consists of lower-case letters, digits and
                hyphens, as that of `Location.project_id`.

        Returns:
            The project, with merges followed.
        """
        look = look_for_arrival(project)
        known = self.look(look)
        plan, here = decide_arrival(project, known)
        # What is known already can be read where nothing can be written.
        return self._home(self.transact(look, partial(decide_arrival, project))) if plan else known.home(here)

    def switch(self, project: str, *, on: bool, now: datetime) -> Project:
        """Switch memory on or off in a project. The storage only notes it; use cases and hooks obey.

        `Project.switched` says what becomes of it. A merge leaves the times of both projects as they are.

        Args:
            project: Id of the project. Merges are followed.
            on: True for on, False for off.
            now: The present time.

        Returns:
            The project as it is now.

        Raises:
            UnknownProjectError: It is not known.
        """
        return self.transact(ProjectLook(ids=(project,)), partial(decide_switch, project, on=on, now=now))

    def merge(self, old: str, new: str, *, by: Signature) -> int:
        """Move the memories of a project into another one, to which its aliases lead from now on.

        Everything of `old` moves, purged observations included, in the order of its sequence, and gets the next
        sequence numbers of `new`. Each observation keeps its id, origin, times, request and fingerprint. Contexts
        are made anew, as sessions of both are one now; vectors are pending again.

        Of what both have, `new` keeps its own: a message with a known key, a recorded request, an entry of the
        activity log, the position of a source, the name of a session. But a name of `old` replaces a title of
        `new`, and its waiting titles and ends replace those of `new`. Observations that say the same stay, each as
        it is. Messages and sessions that were erased in `old` are known as erased in `new`.

        A merge that was broken off can be repeated, and a process that has `old` open loses nothing.

        Args:
            old: Id of the project that is merged.
            new: Id of the other one.
            by: Who merges them, and the time.

        Returns:
            The number of observations that were moved.

        Raises:
            CapabilityUnsupportedError: `Capability.MERGE` is not declared.
            UnknownProjectError: One of them is not known.
            ProjectChangeError: They are the same, or `old` is merged into another already.
        """
        return self.move(ProjectLook(ids=(old, new)), partial(decide_merge, old, new), by=by)

    def split(self, old: str, *, by: Signature) -> int:
        """Undo a merge: the observations that were saved in a project return to it, in their present state.

        So do those of projects that had been merged into it before, and the messages, positions, waiting titles,
        ends, recorded requests and activity that were added to any of these. What was saved since the merge stays.
        Contexts are made anew in both, and vectors of what moves are pending again. The name of a session goes
        along with its messages, and stays as well if messages of the session stay.

        Args:
            old: Id of the project that was merged.
            by: Who splits them, and the time.

        Returns:
            The number of observations that were moved.

        Raises:
            CapabilityUnsupportedError: `Capability.MERGE` is not declared.
            UnknownProjectError: It is not known.
            ProjectChangeError: It was not merged.
        """
        return self.move(ProjectLook(ids=(old,), families=True), partial(decide_split, old), by=by)

    def _home(self, project: str) -> Project:
        return self.look(ProjectLook(ids=(project,))).home(project)
