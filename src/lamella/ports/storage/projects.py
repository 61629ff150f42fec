"""Registry of the projects of a storage."""

from abc import abstractmethod
from datetime import datetime
from typing import Protocol

from lamella.domain.project import Location, Project


class ProjectRegistry(Protocol):
    """The projects of one storage, their names and aliases."""

    __slots__ = ()

    @abstractmethod
    def all(self) -> tuple[Project, ...]:
        """Every project, those that were merged into another included, by name and then id."""

    @abstractmethod
    def named(self, asked: str) -> Project:
        """The project with this id, alias or name, with merges followed.

        Raises:
            UnknownProjectError: there is none.
            AmbiguousProjectError: several have the name.
        """

    @abstractmethod
    def living_at(self, location: Location) -> Project | None:
        """The project that lives at `location`, with merges followed; None where there is none. Makes nothing."""

    @abstractmethod
    def at(self, location: Location, *, now: datetime) -> Project:
        """The project that lives at `location`, with merges followed; made where there is none yet."""

    @abstractmethod
    def merge(self, old: str, new: str) -> int:
        """Moves the memories of project `old` into `new`, where old's aliases lead from now on; how many moved.

        Marked first and then copied by id, so that it can be broken off and repeated, and a process that has
        `old` open loses nothing. Each observation keeps its origin.

        Raises:
            CapabilityUnsupportedError: `Capability.MERGE` is not declared.
            UnknownProjectError: one of them is not known.
            ProjectChangeError: they are the same, or `old` is merged into another already.
        """

    @abstractmethod
    def split(self, old: str) -> int:
        """Takes a merge back: what was saved in `old` before returns to it, in its present state; how many moved.

        Raises:
            CapabilityUnsupportedError: `Capability.MERGE` is not declared.
            UnknownProjectError: it is not known.
            ProjectChangeError: it was not merged.
        """
