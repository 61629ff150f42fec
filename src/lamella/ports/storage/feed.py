"""Feed of the changes of projects, for a copy that follows them.

Each change of a project has a higher revision than those before it. An observation is at the revision of its
latest change; one that is gone is at none, so a copy that has more observations than the project looks for those.
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
    """An observation as it is since its latest change.

    Attributes:
        arrival: The observation as it leaves for elsewhere, purged or not.
        mark: Its place in the feed.
    """

    arrival: Arrival
    mark: Mark


class Feed(Protocol):
    """Changes of the projects of a storage."""

    @abstractmethod
    def states(self, projects: Collection[str]) -> Mapping[str, FeedState]:
        """Return the present states of projects, by the ids that were asked for.

        Args:
            projects: Ids. Those that are not known, and those where memory is switched off, are left out.
        """

    @abstractmethod
    def after(self, project: str, mark: Mark, *, limit: int) -> tuple[Change, ...]:
        """Return changes after a place in the feed, in order: of each observation the latest.

        Whoever goes on from the mark of the last one misses nothing, whatever changes meanwhile.

        Args:
            project: Id of the project. Merges are followed.
            mark: Place of the last change that is known.
            limit: Most changes.

        Raises:
            UnknownProjectError: There is no such project.
        """
