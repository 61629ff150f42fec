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
from lamella.domain.memories.query import ByText, Filters, Mode, RecallQuery, Recent, Search
from lamella.domain.memories.tags import without_limits
from lamella.domain.search.dates import resolved

COUNTED, RANKED = 1_000, 100
"""Largest exact count without a question, and with a question.

If more memories are found, this number is reported as a lower bound.
"""


@frozen
class Count:
    """Number of memories. If `exact` is false, `number` is a lower bound."""

    number: int
    exact: bool

    def __str__(self) -> str:
        return f"{self.number:,}{'' if self.exact else '+'}"


@define
class CountMemories:
    """Count the memories that requests find. Each query to the storage is limited."""

    projects: ProjectResolver
    search: SearchMemories

    def __call__(self, call: Call, selector: Search, requests: Sequence[SearchRequest]) -> tuple[Count, ...]:
        """Return the number of memories found by each request.

        Args:
            call: Context of the call.
            selector: Selector of all requests.
            requests: Requests that differ only in kind, in source and in whether they include purged memories.

        Raises:
            UnknownProjectError: The project doesn't exist.
            PathOutsideProjectError: The path of the filters is outside the project.
        """
        if not requests:
            return ()
        here = self.projects.find(call)
        others = others_of(call, here, self.projects.storage) if requests[0].all_projects else ()
        filters = self.search.completed(here, requests[0].filters)
        plain = self._by_storage(call, selector, filters)
        if plain:
            return tuple(_counted(here, others, each, *plain) for each in requests)
        first = evolve(requests[0].filters, kind=None, source=None, only_purged=False)
        best = self._best(call, evolve(requests[0], filters=first, include_purged=True))
        counts = ((_count(best, each), each) for each in requests)
        # If none of the best memories pass a request's filters, weaker ones may. So search with these filters.
        return tuple(
            count if count.number or count.exact else _count(self._best(call, each), each)
            for count, each in counts
        )

    def _by_storage(self, call: Call, selector: Search, filters: Filters) -> tuple[Search, Filters] | None:
        """Return a selector and filters with which the storage alone finds the memories of a search.

        Return None if the storage alone finds others, because the selector has tags, or also searches by meaning.
        """
        if not isinstance(selector, ByText):
            return selector, filters
        question, filters = resolved(selector, filters, self.search.clock.now().astimezone(call.zone))
        by_words = question.mode is Mode.KEYWORD or self.search.hybrid.meaning.embedding is None
        if without_limits(selector.text)[0] or not by_words:
            return None
        return question if question.words else Recent(), filters

    def _best(self, call: Call, request: SearchRequest) -> Sequence[Observation]:
        request = evolve(request, limit=RANKED + 1, include_messages=False, explain=False)
        return [hit.observation for hit in self.search(call, request).hits]


def _count(found: Sequence[Observation], request: SearchRequest) -> Count:
    """Count the found memories that pass the filters of a request."""
    return Count(sum(_passes(memory, request) for memory in found[:RANKED]), len(found) <= RANKED)


def _counted(
    here: ProjectContext,
    others: Sequence[ProjectContext],
    request: SearchRequest,
    selector: Search,
    common: Filters,
) -> Count:
    """Count the memories of a request. Above a maximum, return a lower bound.

    `common` has the conditions that all requests share, with exact times, and with former names of the path. Only
    the kind, the source and `only_purged` are taken from `request`.
    """
    asked, most = request.filters, RANKED if isinstance(selector, ByText) else COUNTED
    query = RecallQuery(
        selector=selector,
        filters=evolve(common, kind=asked.kind, source=asked.source, only_purged=asked.only_purged),
        limit=most + 1,
        include_purged=request.include_purged,
    )
    everywhere = None if common.path is not None else here.everywhere
    number = sum(each.search.count_found(query) for each in (here, everywhere, *others) if each is not None)
    return Count(min(number, most), number <= most)


def _passes(memory: Observation, request: SearchRequest) -> bool:
    filters = request.filters
    alike = all(
        asked in (None, held) for asked, held in ((filters.kind, memory.kind), (filters.source, memory.source))
    )
    seen = memory.purged if filters.only_purged else request.include_purged or not memory.purged
    return alike and seen
