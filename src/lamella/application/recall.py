"""Finding memories, and disclosing as much of them as was asked for and as the budget allows."""

from datetime import UTC, datetime, timedelta
from functools import lru_cache

from attrs import define, evolve, field, frozen
from attrs.validators import ge, optional

from lamella.application.ids import resolve
from lamella.application.projects import Here, ProjectResolver
from lamella.domain.budget import PAGE_TOKENS, SINGLE_TOKENS, TokenBudget
from lamella.domain.cursor import Place, digest, read, written
from lamella.domain.disclosure import VIEWS, Detail
from lamella.domain.errors import AmbiguousIdError, NothingFoundError, SemanticSearchUnavailableError
from lamella.domain.observation import Observation
from lamella.domain.paging import Pager
from lamella.domain.query import (
    DEFAULT_LIMIT,
    Answer,
    ById,
    ByIds,
    ByText,
    ByTitle,
    Filters,
    Hit,
    Match,
    Mode,
    RecallQuery,
    Recent,
    Search,
    Selector,
)
from lamella.ports.clock import Clock
from lamella.ports.sessions import SessionIdentity
from lamella.ports.tokenizer import Tokenizer
from lamella.ports.working_tree import WorkingTree

NEIGHBOURS_EACH_SIDE = 5
"""How many observations before and after a single one its timeline shows."""

_NO_EMBEDDER = "keyword only: no embedder"
_SOME_WORDS = "some words only"
_NOTHING_SAVED = "No memories saved in this project yet. Use save_memory to add one."
_NOTHING_PASSES = "No memories match these filters."


@frozen(kw_only=True)
class RecallRequest:
    """What to recall and how much of it to disclose.

    `path` is a file or folder of the project. `include_messages` asks for conversation messages after the
    others. `cursor` goes on where the reply to the same request stopped.
    """

    selector: Selector = field(factory=Recent)
    detail: Detail = Detail.COMPACT
    limit: int = DEFAULT_LIMIT
    include_purged: bool = False
    days_back: int | None = field(default=None, validator=optional(ge(1)))
    session_only: bool = False
    path: str | None = None
    include_messages: bool = False
    cursor: str | None = None
    project: str | None = None

    @property
    def arguments(self) -> str:
        """All that the answer depends on, and so not the cursor."""
        return repr(
            (
                self.selector,
                self.detail,
                self.limit,
                self.include_purged,
                self.days_back,
                self.session_only,
                self.path,
                self.include_messages,
                self.project,
            )
        )


@define
class RecallMemories:
    """Answers with a reply that is ready to be read."""

    projects: ProjectResolver
    working_tree: WorkingTree
    sessions: SessionIdentity
    clock: Clock
    tokenizer: Tokenizer

    @property
    def page_budget(self) -> TokenBudget:
        """The budget of a reply that is not one memory in full."""
        # A reply is counted when it is made, and again when it is judged.
        return TokenBudget(PAGE_TOKENS, lru_cache(maxsize=16)(self.tokenizer.count))

    def __call__(self, request: RecallRequest) -> str:
        """The reply, never more than its budget.

        Raises:
            NothingFoundError: something was asked for and is not there.
            AmbiguousIdError: a short id could mean several.
            SemanticSearchUnavailableError: search by meaning alone was asked for.
            StaleCursorError: the answer has changed since the cursor was made.
            PathOutsideProjectError: `path` is not the project's.
        """
        here = self.projects.here(request.project)
        answer = self._answer(request, here)
        if not answer.hits:
            if answer.asked:
                raise NothingFoundError(asked=answer.asked)
            return _NOTHING_PASSES if here.search.count(include_purged=True) else _NOTHING_SAVED
        return self._disclosed(request, answer)

    def _answer(self, request: RecallRequest, here: Here) -> Answer:
        match request.selector:
            case ById(id):
                return self._by_ids(request, here, (id,))
            case ByIds(ids):
                return self._by_ids(request, here, ids)
            case ByText(_, Mode.SEMANTIC):
                raise SemanticSearchUnavailableError
            case selector:
                return self._found(request, here, selector)

    def _by_ids(self, request: RecallRequest, here: Here, ids: tuple[str, ...]) -> Answer:
        single = isinstance(request.selector, ById)
        resolved = resolve(ids, here.observations)
        found = list(resolved.found.values())
        if not found and resolved.ambiguous:
            prefix, candidates = next(iter(resolved.ambiguous.items()))
            raise AmbiguousIdError(prefix=prefix, candidates=candidates)
        if single and not request.include_purged:
            found = [each for each in found if not each.purged]
        focused = bool(single and found and request.detail is Detail.TIMELINE)
        hits = [Hit(observation=each, match=Match.ID) for each in found]
        if focused:
            hits += _nearest_first(here, found[0], include_purged=request.include_purged)
        return self._with_short_ids(
            here,
            Answer(
                hits=tuple(hits),
                asked=", ".join(ids),
                missing=tuple(resolved.missing),
                ambiguous=tuple(resolved.ambiguous.items()),
                focused=focused,
            ),
        )

    def _found(self, request: RecallRequest, here: Here, selector: Search) -> Answer:
        query = RecallQuery(
            selector=selector,
            filters=Filters(
                since=self._since(request.days_back),
                session=self.sessions.current() if request.session_only else None,
                path=None if request.path is None else self.working_tree.relative(here.root, request.path),
            ),
            limit=request.limit,
            include_purged=request.include_purged,
        )
        hits = here.search.find(query)
        asked, notices = "", []
        match selector:
            case ByText(text, mode):
                asked = text
                if mode is Mode.AUTO:
                    notices.append(_NO_EMBEDDER)
                if all(hit.match is not Match.ALL_WORDS for hit in hits):
                    notices.append(_SOME_WORDS)
            case ByTitle(part):
                asked = part
        return self._with_short_ids(here, Answer(hits=hits, asked=asked, notices=tuple(notices)))

    def _with_short_ids(self, here: Here, answer: Answer) -> Answer:
        ids = [hit.observation.id for hit in answer.hits]
        return evolve(answer, short_ids=here.observations.short_ids(ids))

    def _since(self, days_back: int | None) -> datetime | None:
        """The moment `days_back` days ago, or the earliest there is."""
        if days_back is None:
            return None
        now = self.clock.now()
        most = (now - datetime.min.replace(tzinfo=UTC)).days
        return now - timedelta(days=min(days_back, most))

    def _disclosed(self, request: RecallRequest, answer: Answer) -> str:
        detail = request.detail
        single = isinstance(request.selector, ById) or (
            isinstance(request.selector, ByIds) and len(dict.fromkeys(request.selector.ids)) == 1
        )
        budget = self.page_budget
        if single and detail is Detail.FULL:
            budget = evolve(budget, limit=SINGLE_TOKENS)
        fingerprint = digest(request.arguments, answer)

        def footer(tokens: int, following: Place | None) -> str:
            parts = [f"{len(answer.hits)} result(s)", f"~{tokens} tokens", f"detail: {detail}"]
            if following is not None:
                parts += ["truncated (use id for full view)", f"next: {written(following, fingerprint)}"]
            return " | ".join([*parts, *answer.notices])

        pager = Pager(
            view=VIEWS[detail](answer, self.clock.zone()),
            budget=budget,
            footer=footer,
        )
        return pager.page(Place() if request.cursor is None else read(request.cursor, fingerprint))


def _nearest_first(here: Here, centre: Observation, *, include_purged: bool) -> list[Hit]:
    """The neighbours of an observation without itself: the one before, the one after, the one before that."""
    around = here.search.neighbourhood(centre.id, each_side=NEIGHBOURS_EACH_SIDE, include_purged=include_purged)
    place = [each.id for each in around].index(centre.id)
    by_distance = sorted(enumerate(around), key=lambda numbered: abs(numbered[0] - place))
    return [Hit(observation=each, match=Match.NEIGHBOUR) for _, each in by_distance if each.id != centre.id]
