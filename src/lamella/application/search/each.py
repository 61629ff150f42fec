"""Yield every memory found by a request."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from attrs import define, evolve

from lamella.application.search.request import SearchRequest
from lamella.application.search.search import SearchMemories
from lamella.domain.call import Call
from lamella.domain.memories.query import ById, ByIds, ByText, Hit, Mode
from lamella.domain.replies.answer import Answer

RANKED = 1_000
"""Maximum number of ranked hits, as in storages. Further hits are ordered by time."""

FIRST = 50
"""Limit of the first answer, if the search has no limit."""

_LEAST = timedelta(microseconds=1)
_FIRST, _LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


@define
class EachMemory:
    """Yield all hits lazily. At most `RANKED` hits are in memory, unless more hits have the same time."""

    search: SearchMemories

    def begin(self, call: Call, request: SearchRequest, end: int | None) -> tuple[SearchRequest, Answer]:
        """Return the request with a limit, and its first answer.

        The limit is `end`, or `FIRST` if `end` is None, but at most `RANKED`.

        Raises:
            AmbiguousIdError: A short id matches several memories.
            ReplacedError: The requested memory was replaced by another memory.
            SemanticSearchUnavailableError: Search by meaning alone is requested, and no embedder is configured.
            PathOutsideProjectError: The path of the filters is outside the project.
            UnknownProjectError: The project doesn't exist.
        """
        request = evolve(request, limit=min(end or FIRST, RANKED))
        return request, self.search(call, request)

    def __call__(self, call: Call, request: SearchRequest, answer: Answer) -> Iterator[Hit]:
        """Yield all hits of an answer, and then the hits beyond its limit.

        For a search by text, the best `RANKED` hits come first. Further hits contain a word of the question, and
        come in order of time, latest first. Memories saved during the iteration may be missing. No hit comes
        twice.

        Args:
            call: Context of the call.
            request: The question.
            answer: Answer to the question, with a limit of at most `RANKED`.

        Raises:
            StorageError: The storage failed.
        """
        yield from answer.hits
        selector = request.selector
        if isinstance(selector, ById | ByIds) or len(answer.hits) < request.limit:
            return
        seen = {hit.observation.id for hit in answer.hits}
        request = evolve(request, limit=RANKED, include_messages=False)
        if isinstance(selector, ByText):
            ranked = self.search(call, request).hits
            yield from (hit for hit in ranked if hit.observation.id not in seen)
            if len(ranked) < RANKED:
                return
            seen |= {hit.observation.id for hit in ranked}
            if selector.mode is Mode.AUTO:
                request = evolve(request, selector=evolve(selector, mode=Mode.KEYWORD))
        span = request.filters.since or _FIRST, request.filters.until or _LAST
        yield from (hit for hit in self._within(call, request, *span) if hit.observation.id not in seen)

    def _within(self, call: Call, request: SearchRequest, since: datetime, until: datetime) -> Iterator[Hit]:
        """Yield the hits of a time span, latest first.

        If the span has too many hits, split it at their median time.
        """
        filters = evolve(request.filters, since=since, until=until)
        hits = self.search(call, evolve(request, filters=filters)).hits
        latest_first = sorted(hits, key=lambda hit: hit.observation.occurred_at, reverse=True)
        if len(hits) < request.limit:
            yield from latest_first
        elif until - since > _LEAST:
            middle = max(latest_first[len(hits) // 2].observation.occurred_at, since + _LEAST)
            yield from self._within(call, request, middle, until)
            yield from self._within(call, request, since, middle)
        else:  # all hits have the same time, for example because of an import
            yield from self._within(call, evolve(request, limit=2 * request.limit), since, until)
