"""Reply with hits, in the requested detail and within the budget."""

from collections import deque
from collections.abc import Sequence
from datetime import UTC
from functools import cache, lru_cache, partial
from uuid import UUID

from attrs import asdict, define, evolve, field, frozen
from attrs.filters import exclude
from attrs.validators import optional

from lamella.application.projects.moved import advice
from lamella.application.search.request import SearchRequest
from lamella.application.search.search import SearchMemories
from lamella.domain.call import USER, Call
from lamella.domain.errors import StaleCursorError
from lamella.domain.memories.errors import NothingFoundError, ObservationPurgedError
from lamella.domain.memories.ids import too_short
from lamella.domain.memories.query import NO_FILTERS, ById, ByIds
from lamella.domain.replies.answer import Answer
from lamella.domain.replies.budget import LEAST_TOKENS, PAGE_TOKENS, SINGLE_TOKENS, TokenBudget
from lamella.domain.replies.cursor import Cursor, digest, read, written
from lamella.domain.replies.hints import NO_HINTS, Hints
from lamella.domain.replies.paging import Pager, RecallPage
from lamella.domain.replies.views import VIEWS, Detail
from lamella.domain.text.printing import counted
from lamella.domain.validation import at_least, instance_of
from lamella.ports.tokenizer import Tokenizer

_NOTHING_SAVED = "No memories saved in this project yet."
_MOST_RECALLS = 1_000
_NOTHING_PASSES = "No memories match these filters."


@frozen(kw_only=True)
class RecallRequest(SearchRequest):
    """Request for a page of hits.

    Attributes:
        detail: Level of detail of each hit.
        cursor: Cursor of the previous page of the same request; None for the first page.
        hints: Hints about the next step, in the words of the interface in use, such as MCP tools.
        budget: Maximum number of tokens of the page. None means 2,000, or 4,000 for a single memory in full.

    Example:
        >>> saved = memory.save("Staging is reset every night.", source="decision")
        >>> filters = lamella.Filters(source="decision", days_back=7)
        >>> request = lamella.RecallRequest(selector=lamella.ByText("staging"), filters=filters)
        >>> memory.recall(request).total
        1
    """

    detail: Detail = field(default=Detail.COMPACT, validator=instance_of(Detail))
    cursor: str | None = field(default=None, validator=optional(instance_of(str)))
    hints: Hints = field(default=NO_HINTS, validator=instance_of(Hints))
    budget: int | None = field(default=None, validator=optional(at_least(LEAST_TOKENS)))

    @property
    def arguments(self) -> str:
        """All fields except cursor and hints, joined to a string. The cursor of a reply depends on this string."""
        return repr(asdict(self, recurse=False, filter=exclude("cursor", "hints")))


@define
class RecallMemories:
    """Search, and reply with a page of hits."""

    search: SearchMemories
    tokenizer: Tokenizer
    recalled: deque[tuple[Call, Sequence[tuple[str | None, UUID]]]] = field(
        init=False, factory=partial(deque, maxlen=_MOST_RECALLS)
    )
    """Latest recalls that aren't logged yet, each with its call and hits.

    A hit is a pair of project and memory id. The project is None if it is the project of the call.
    """

    @property
    def page_budget(self) -> TokenBudget:
        """Return the budget of a reply. A reply with one memory in full has a larger budget."""
        # The tokens of a reply are counted twice, to build the reply and to check its size, so cache the counts.
        return TokenBudget(PAGE_TOKENS, lru_cache(maxsize=16)(self.tokenizer.count))

    def __call__(self, call: Call, request: RecallRequest) -> str:
        """Return the text of the page."""
        return self.page(call, request).text

    def page(self, call: Call, request: RecallRequest) -> RecallPage:
        """Return a page of text within its token budget.

        Raises:
            NothingFoundError: A requested memory does not exist.
            ObservationPurgedError: A memory requested by its id is purged.
            AmbiguousIdError: A short id matches several memories.
            SemanticSearchUnavailableError: Search by meaning alone is requested, and no embedder is configured.
            StaleCursorError: The results have changed since the cursor was created.
            PathOutsideProjectError: The path of the filters is outside the project.
            UnknownProjectError: The project doesn't exist.
        """
        answer = self.search(
            call,
            request,
            neighbours=request.detail is Detail.TIMELINE,
            fold=request.detail is not Detail.FULL,
            commits=request.detail is Detail.FULL and _is_single(request),
        )
        if not (answer.hits or answer.messages):
            if request.cursor is not None:
                raise StaleCursorError
            text = _nothing(call, request, answer, advice(self.search.projects, call))
            return RecallPage(text=text, notices=answer.notices)
        own = [hit for hit in answer.hits if not hit.everywhere]
        self.recalled.append(
            (call, [(hit.project.id if hit.project else None, hit.observation.id) for hit in own])
        )
        return self._disclosed(call, request, answer)

    def _disclosed(self, call: Call, request: RecallRequest, answer: Answer) -> RecallPage:
        single = _is_single(request) and request.detail is Detail.FULL
        limit = request.budget or (SINGLE_TOKENS if single else PAGE_TOKENS)
        budget = evolve(self.page_budget, limit=limit)

        @cache
        def fingerprint() -> str:
            return digest(f"{call.project!r} {request.arguments}", answer)

        def footer(tokens: int, shown: int, following: Cursor | None) -> str:
            results, hints = len(answer.hits) + len(answer.messages), request.hints
            size = [f"~{tokens} tokens"] if hints.tokens else []
            found = f"{results} result(s)" if hints.tokens else counted(results, "result")
            parts = [found, *size, f"detail: {request.detail}"]
            if following is not None:
                cursor = written(following, fingerprint())
                parts += [f"truncated ({hints.full})", f"shown {shown}", hints.next.replace("{cursor}", cursor)]
            return " | ".join([*parts, *answer.notices])

        view = VIEWS[request.detail](answer, call.zone, call.zone if call.actor == USER else UTC)
        pager = Pager(view=view, budget=budget, footer=footer)
        start = Cursor() if request.cursor is None else read(request.cursor, fingerprint())
        page = pager.page(start)
        cursor = None if page.following is None else written(page.following, fingerprint())
        return RecallPage.of(page.text, answer, start=start, following=page.following, cursor=cursor)


def _nothing(call: Call, request: RecallRequest, answer: Answer, elsewhere: str) -> str:
    """Return the text of an empty answer: the reason, and other places to search.

    Raises:
        NothingFoundError: A requested memory does not exist.
    """
    if answer.purged:
        hit = answer.purged[0]
        at = hit.observation.purged_at or hit.observation.updated_at
        raise ObservationPurgedError(
            asked=answer.asked,
            id=hit.short_id,
            day=at.astimezone(call.zone).date(),
            restore=request.hints.restore.replace("{id}", hit.short_id),
        )
    if answer.asked:
        short = too_short(answer.asked) if isinstance(request.selector, ById) else ""
        raise NothingFoundError(asked=answer.asked, degraded="; ".join(answer.notices), advice=short or elsewhere)
    if not answer.nothing_saved:
        return (request.filters == NO_FILTERS and request.hints.purged) or _NOTHING_PASSES
    return " ".join(filter(None, (_NOTHING_SAVED, elsewhere or request.hints.save)))


def _is_single(request: RecallRequest) -> bool:
    """Return True for a request of one memory by its id."""
    chosen = request.selector
    return isinstance(chosen, ById) or (isinstance(chosen, ByIds) and len(dict.fromkeys(chosen.ids)) == 1)
