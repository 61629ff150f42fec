"""Feed of the changes of projects, for a copy to follow.

Each change of a project has a higher revision than earlier ones. An observation is at the revision of its latest
change. A deleted one is at none: a copy with more observations than the project looks for deleted ones.
"""

from abc import abstractmethod
from collections.abc import Collection, Mapping
from typing import Protocol

from attrs import frozen

from lamella.domain.exchange.arrival import Arrival


@frozen
class Mark:
    """Place in the feed of a project, by revision and then sequence number. The first one is before everything."""

    revision: int = -1
    sequence: int = 0


@frozen(kw_only=True)
class FeedState:
    """Present state of a project.

    Attributes:
        project: Id of the project that has the memories, with merges followed.
        name: Its name.
        revision: Another number after each change of its observations, and possibly after others.
        observations: Number of its observations, purged ones included.
    """

    project: str
    name: str
    revision: int
    observations: int


@frozen
class Change:
    """An observation in its latest state.

    Attributes:
        arrival: The observation in its form for export, purged or not.
        mark: Its place in the feed.
    """

    arrival: Arrival
    mark: Mark


class Feed(Protocol):
    """Changes of the projects of a storage."""

    @abstractmethod
    def states(self, projects: Collection[str]) -> Mapping[str, FeedState]:
        """Return the present states of projects, by the given ids.

        Args:
            projects: Ids. Unknown ones, and ones with memory switched off, are left out.
        """

    @abstractmethod
    def after(self, project: str, mark: Mark, *, limit: int) -> tuple[Change, ...]:
        """Return changes after a place in the feed, in order: the latest change of each observation.

        Continuing from the last mark misses nothing, despite concurrent changes.

        Args:
            project: Id of the project. Merges are followed.
            mark: Place of the last known change.
            limit: Most changes.

        Raises:
            UnknownProjectError: There is no such project.
        """
