"""Change feed of projects, to keep a copy up to date.

Each change of a project has a higher revision than earlier changes. An observation has the revision of its latest
change. A deletion doesn't appear in the feed. If a copy has more observations than the project, the owner of the
copy must look for deleted observations.
"""

from abc import abstractmethod
from collections.abc import Collection, Mapping
from typing import Protocol

from attrs import frozen

from lamella.domain.exchange.arrival import Arrival


@frozen
class Mark:
    """Position in a project's feed, ordered by revision, then sequence number. The default is the beginning."""

    revision: int = -1
    sequence: int = 0


@frozen(kw_only=True)
class FeedState:
    """Current state of a project in the feed.

    Attributes:
        project: Id of the project, or of the target if the project was merged.
        name: Name of the project.
        revision: Number that changes with each change of the project's observations, and possibly with other
            changes.
        observations: Number of the project's observations, including purged observations.
    """

    project: str
    name: str
    revision: int
    observations: int


@frozen
class Change:
    """Changed observation in its latest state.

    Attributes:
        arrival: The observation in exported form, purged or not.
        mark: Position of the change in the feed.
    """

    arrival: Arrival
    mark: Mark


class Feed(Protocol):
    """Changes of the projects of a storage."""

    @abstractmethod
    def states(self, projects: Collection[str]) -> Mapping[str, FeedState]:
        """Return the current state of each project, keyed by the id in `projects`.

        Args:
            projects: Ids of projects. Unknown ids, and projects with memory switched off, are left out.
        """

    @abstractmethod
    def after(self, project: str, mark: Mark, *, limit: int) -> tuple[Change, ...]:
        """Return the changes after a position in order. An observation appears once, with its latest change.

        Continuing from the last position misses nothing, despite concurrent changes.

        Args:
            project: Id of the project. Merges are followed.
            mark: Position of the last known change.
            limit: Maximum number of changes.

        Raises:
            UnknownProjectError: The project doesn't exist.
        """
