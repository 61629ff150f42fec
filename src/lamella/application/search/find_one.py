"""Find one memory by its id."""

from attrs import define

from lamella.application.search.request import SearchRequest
from lamella.application.search.search import SearchMemories
from lamella.domain.call import Call
from lamella.domain.memories.errors import NothingFoundError
from lamella.domain.memories.ids import too_short
from lamella.domain.memories.limits import MAX_LIMIT
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import ByIds, Filters, Hit, RecallQuery


@define
class FindMemory:
    """Find a memory by its id or a prefix of its id. A purged memory is found, too."""

    search: SearchMemories

    def __call__(self, call: Call, id: str) -> Hit:
        """Return the memory with this id or prefix, from the project or from global memories.

        Raises:
            NothingFoundError: No memory has the id.
            AmbiguousIdError: The id matches several memories.
            UnknownProjectError: The project doesn't exist.
        """
        hits = self.search(call, SearchRequest(selector=ByIds((id,)))).hits
        if not hits:
            raise NothingFoundError(asked=id, by_id=True, advice=too_short(id))
        return hits[0]

    def latest(self, call: Call, hit: Hit) -> Hit:
        """Return the latest version of a memory that still exists. This is a replacement, or the memory itself."""
        seen = {hit.observation.id}
        while (heir := hit.observation.replaced_by) is not None and heir not in seen:
            seen.add(heir)
            hit, *_ = self.search(call, SearchRequest(selector=ByIds((str(heir),)))).hits or (hit,)
        return hit

    def versions(self, call: Call, id: str) -> tuple[Observation, ...]:
        """Return a memory and all of its earlier versions, latest first.

        Raises:
            NothingFoundError: No memory has the id.
            AmbiguousIdError: The id matches several memories.
            UnknownProjectError: The project doesn't exist.
        """
        hit = self(call, id)
        here = self.search.projects.find(call)
        place = (here.everywhere if hit.everywhere else None) or here
        versions = [hit.observation]
        for each in versions:  # the loop below appends to the list that it iterates over
            replaced = RecallQuery(filters=Filters(replaced_by=each.id), include_purged=True, limit=MAX_LIMIT)
            versions += [older.observation for older in place.search.find(replaced)]
        return tuple(versions)
