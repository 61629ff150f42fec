"""Change feed, ordered by the revisions that triggers write into rows."""

from collections.abc import Collection, Mapping

from attrs import define

from lamella.ports.storage.feed import Change, Feed, FeedState, Mark
from lamella_adapters.postgresql.database.columns import storable
from lamella_adapters.postgresql.database.database import Database
from lamella_adapters.postgresql.memories.observations import arrivals
from lamella_adapters.statements import statements

SQL = statements(__file__)

_LATER = "(o.revision, o.seq) > (%(revision)s, %(sequence)s) ORDER BY o.revision, o.seq LIMIT %(limit)s"


@define(eq=False)
class PostgresFeed(Feed):
    """Change feed of a tenant's projects."""

    database: Database

    def states(self, projects: Collection[str]) -> Mapping[str, FeedState]:
        """See `Feed.states`."""
        with self.database.reading() as tx:
            rows = tx.rows(SQL["states"], ids=list(filter(storable, projects)), last=True)
        return {
            asked: FeedState(project=home, name=name, revision=revision, observations=observations)
            for asked, home, name, revision, observations in rows
        }

    def after(self, project: str, mark: Mark, *, limit: int) -> tuple[Change, ...]:
        """See `Feed.after`."""
        asked = {"revision": mark.revision, "sequence": mark.sequence, "limit": limit}
        with self.database.reading(project) as tx:
            found = arrivals(tx, _LATER, asked)
        return tuple(Change(each, Mark(revision, each.observation.sequence)) for each, revision in found)
