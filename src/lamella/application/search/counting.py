"""Count memories by filter."""

from collections.abc import Sequence

from attrs import define, evolve, frozen

from lamella.application.projects.allowed import others as others_of
from lamella.application.projects.context import ProjectContext
from lamella.application.projects.resolver import ProjectResolver
from lamella.application.search.request import SearchRequest
from lamella.application.search.search import SearchMemories
from lamella.domain.call import Call
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import ByText, Filters, RecallQuery, Recent, Search

COUNTED, RANKED = 1_000, 100
"""Largest exact counts, without a question and with one.

The second is smaller, because a question must rank its results.
"""


@frozen
class Count:
    """Number of memories; a lower bound if not exact."""

    number: int
    exact: bool

    def __str__(self) -> str:
        return f"{self.number:,}{'' if self.exact else '+'}"


@define
class CountMemories:
    """Count the memories of requests, with limits on each query to the storage."""

    projects: ProjectResolver
    search: SearchMemories

    def __call__(self, call: Call, selector: Search, requests: Sequence[SearchRequest]) -> tuple[Count, ...]:
        """Return the number of memories found by each request.

        Args:
            call: Context of the call.
            selector: Selector of all requests.
            requests: Requests differing only in kind, source and purged memories.

        Raises:
            UnknownProjectError: The project doesn't exist.
            PathOutsideProjectError: The path of the filters is outside the project.
        """
        if not requests:
            return ()
        here = self.projects.find(call)
        others = others_of(call, here, self.projects.storage) if requests[0].all_projects else ()
        common = self.search.completed(here, requests[0].filters)
        if not isinstance(selector, ByText):
            return tuple(_counted(here, others, each, common, selector) for each in requests)
        best = self._best(call, requests[0])
        counts = (_count(best, each) for each in requests)
        # If no memory among the best passes the filters, check whether any other memory does.
        return tuple(
            count
            if count.number or count.exact
            else self._beyond(call, each, passing=_counted(here, others, each, common, Recent()).number)
            for each, count in zip(requests, counts, strict=True)
        )

    def _beyond(self, call: Call, request: SearchRequest, *, passing: int) -> Count:
        """Count the memories of a request if none of the best hits passes it. `passing` is 0 if no memory does.

        Purged memories are ranked separately, because they come last.
        """
        if passing and request.filters.only_purged:
            return _count(self._best(call, request, only_purged=True), request)
        return Count(0, exact=not passing)

    def _best(self, call: Call, request: SearchRequest, *, only_purged: bool = False) -> Sequence[Observation]:
        widest = evolve(
            request,
            filters=evolve(request.filters, kind=None, source=None, only_purged=only_purged),
            limit=RANKED + 1,
            include_purged=True,
            include_messages=False,
            explain=False,
        )
        return [hit.observation for hit in self.search(call, widest).hits]


def _count(found: Sequence[Observation], request: SearchRequest) -> Count:
    """Count the memories among the best that pass the filters of a request."""
    return Count(sum(_passes(memory, request) for memory in found[:RANKED]), len(found) <= RANKED)


def _counted(
    here: ProjectContext,
    others: Sequence[ProjectContext],
    request: SearchRequest,
    common: Filters,
    selector: Search,
) -> Count:
    """Count exactly. `common` has the completed filters of another request, to reuse their file and times."""
    asked = request.filters
    query = RecallQuery(
        selector=selector,
        filters=evolve(common, kind=asked.kind, source=asked.source, only_purged=asked.only_purged),
        limit=COUNTED + 1,
        include_purged=request.include_purged,
    )
    everywhere = None if common.path is not None else here.everywhere
    number = sum(each.search.count_found(query) for each in (here, everywhere, *others) if each is not None)
    return Count(min(number, COUNTED), number <= COUNTED)


def _passes(memory: Observation, request: SearchRequest) -> bool:
    filters = request.filters
    alike = all(
        asked in (None, held) for asked, held in ((filters.kind, memory.kind), (filters.source, memory.source))
    )
    seen = memory.purged if filters.only_purged else request.include_purged or not memory.purged
    return alike and seen
