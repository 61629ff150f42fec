"""Find memories."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from attrs import define, evolve

from lamella.application.conversations.find import find_messages
from lamella.application.memories.resolve_ids import resolve_in_places
from lamella.application.memories.timeline import nearest_first
from lamella.application.projects.allowed import others as others_of
from lamella.application.projects.context import ProjectContext
from lamella.application.projects.resolver import ProjectResolver
from lamella.application.search.file_states import branches, file_states
from lamella.application.search.hybrid import HybridSearch
from lamella.application.search.links import links
from lamella.application.search.request import SearchRequest
from lamella.domain.call import Call
from lamella.domain.conversations.errors import NOT_SHARED
from lamella.domain.conversations.query import MessageHit, MessageQuery
from lamella.domain.memories.errors import Candidate, ReplacedError
from lamella.domain.memories.query import (
    ById,
    ByIds,
    ByText,
    ByTitle,
    Filters,
    Hit,
    Mode,
    RecallQuery,
    Recent,
    Search,
)
from lamella.domain.memories.tags import tags_of, without_limits
from lamella.domain.replies.answer import Answer
from lamella.domain.replies.views import folded
from lamella.domain.search import corrections, ranking, strength
from lamella.domain.search.dates import resolved
from lamella.ports.storage.storage import Capability
from lamella.ports.system import Clock
from lamella.ports.working_tree import WorkingTree

NO_WORDS = "no searchable words: the latest"
"""Notice for a question without searchable words."""

FOLDED_FROM = 4
"""Factor by which a search raises its limit if too few hits are left after edits were merged into one hit."""

TAGGED = 1_000
"""Maximum number of candidates in a search for memories with a tag."""


@define
class SearchMemories:
    """Find memories, best first."""

    projects: ProjectResolver
    working_tree: WorkingTree
    clock: Clock
    hybrid: HybridSearch
    keeps_conversations: bool = True

    def __call__(
        self,
        call: Call,
        request: SearchRequest,
        *,
        neighbours: bool = False,
        fold: bool = False,
        commits: bool = False,
    ) -> Answer:
        """Return the answer with the hits, best first.

        Args:
            call: Context of the call.
            request: The question.
            neighbours: True to add the neighbours of a memory requested by its id.
            fold: True to merge edits for one request into one hit, unless memories are requested by id.
            commits: True to follow the links of a single hit, and to count the commits that changed its files.

        Raises:
            AmbiguousIdError: A short id matches several memories.
            ReplacedError: The requested memory was replaced by another memory.
            SemanticSearchUnavailableError: Search by meaning alone is requested, and no embedder is configured.
            PathOutsideProjectError: The path of the filters is outside the project.
            UnknownProjectError: The project doesn't exist.
        """
        here = self.projects.find(call)
        others = others_of(call, here, self.projects.storage) if request.all_projects else ()
        match request.selector:
            case ById(id):
                answer = self._by_ids(request, here, (id,), others, neighbours=neighbours)
            case ByIds(ids):
                answer = self._by_ids(request, here, ids, others)
            case selector:
                answer = self._found(call, request, here, selector, others, fold=fold)
        if request.all_projects:
            named = (hit if hit.everywhere or hit.project else here.marked(hit) for hit in answer.hits)
            answer = evolve(answer, hits=tuple(named))
        if answer.hits:
            answer = self._with_states(call, here, answer, commits=commits)
            if commits and len(answer.hits) == 1:
                answer = evolve(answer, links=links(here, answer.hits[0]))
            return evolve(answer, replacements=self._replacements(here, answer.hits))
        if answer.messages or answer.asked:
            return answer
        nothing_saved = not here.search.find(RecallQuery(limit=1, include_purged=True))
        return evolve(answer, nothing_saved=nothing_saved)

    def _with_states(self, call: Call, here: ProjectContext, answer: Answer, *, commits: bool) -> Answer:
        """Add the states of files and branches to an answer, if the working directory belongs to the project."""
        hits = [hit for hit in answer.hits if hit.project is None or hit.project.id == here.id]
        known = any(hit.observation.changes or hit.observation.branch for hit in hits)
        if not known or (call.project and not self.projects.lives_here(call, here.project)):
            return answer
        tree, root = self.working_tree, here.root
        files = file_states(tree, root, hits, counted=commits)
        return evolve(answer, files=files, branches=branches(tree, root, hits))

    def _replacements(self, here: ProjectContext, hits: Sequence[Hit]) -> Mapping[UUID, Candidate]:
        """Return the replacements of hits. The key of each replacement is its own id, not the id of the hit."""
        links = [hit.observation.replaced_by.hex for hit in hits if hit.observation.replaced_by]
        if not links:
            return {}
        found = resolve_in_places(links, here)
        return {
            hit.observation.id: Candidate(id=hit.short_id, title=hit.observation.title)
            for hit in found.found.values()
        }

    def _by_ids(
        self,
        request: SearchRequest,
        here: ProjectContext,
        ids: tuple[str, ...],
        others: Sequence[ProjectContext],
        *,
        neighbours: bool = False,
    ) -> Answer:
        single = isinstance(request.selector, ById)
        resolved = resolve_in_places(ids, here, others)
        hits, purged = list(resolved.found.values()), list[Hit]()
        if not hits:
            resolved.require_unambiguous()
        if single and not request.include_purged:
            for replacement in self._replacements(here, hits).values():
                raise ReplacedError(id=hits[0].short_id, by=replacement)
            purged = [hit for hit in hits if hit.observation.purged]
            hits = [hit for hit in hits if not hit.observation.purged]
        focused = bool(neighbours and hits)
        if focused:
            elsewhere = (each for each in others if hits[0].project and each.id == hits[0].project.id)
            place = (here.everywhere if hits[0].everywhere else next(elsewhere, None)) or here
            hits += nearest_first(place, hits[0].observation, include_purged=request.include_purged)
        return Answer(
            hits=tuple(hits),
            asked=", ".join(ids),
            purged=tuple(purged),
            missing=tuple(resolved.missing),
            ambiguous=tuple(resolved.ambiguous.items()),
            focused=focused,
        )

    def _found(
        self,
        call: Call,
        request: SearchRequest,
        here: ProjectContext,
        selector: Search,
        others: Sequence[ProjectContext],
        *,
        fold: bool,
    ) -> Answer:
        path = request.filters.path
        now = self.clock.now()
        query = RecallQuery(
            selector=selector,
            filters=self.completed(here, request.filters),
            limit=request.limit,
            include_purged=request.include_purged,
        )
        # Skip global memories, because they have no files.
        places = tuple(filter(None, (here, here.everywhere if path is None else None, *others)))
        match selector:
            case ByText():
                return self._by_text(request, places, query, selector, now.astimezone(call.zone), fold=fold)
            case ByTitle(part):
                return Answer(hits=_plain(places, query, fold=fold), asked=part)
            case _:
                return Answer(hits=_plain(places, query, fold=fold))

    def _by_text(
        self,
        request: SearchRequest,
        places: Sequence[ProjectContext],
        query: RecallQuery,
        selector: ByText,
        now: datetime,
        *,
        fold: bool,
    ) -> Answer:
        """Return the answer to a question. If the question has no search words, return the latest memories."""
        asked = selector.text
        tags, branch, question = without_limits(asked)
        selector, filters = resolved(selector, query.filters, now)
        query = evolve(query, selector=selector, filters=filters)
        if selector.mode is not Mode.SEMANTIC and not selector.words:
            plain = evolve(query, selector=Recent(), limit=TAGGED if tags else query.limit)
            latest = _tagged(_plain(places, plain, fold=fold), tags)[: query.limit]
            return Answer(hits=latest, asked=asked, notices=() if tags or branch else (NO_WORDS,))
        here = places[0]

        def find(wider: RecallQuery) -> tuple[tuple[Hit, ...], tuple[str, ...]]:
            all_of = evolve(wider, limit=max(TAGGED, wider.limit)) if tags else wider
            hits, notices = self.hybrid(here, selector, all_of, explain=request.explain)
            for other in places[1:]:
                more, _ = self.hybrid(other, selector, all_of, explain=request.explain)
                hits = ranking.beside(hits, map(other.marked, more))
            return _tagged(hits, tags)[: wider.limit], notices

        hits, notices = _filled(find, query, fold=fold)
        includes_messages = request.include_messages and not (tags or branch)
        messages = self._messages(request, places, filters, selector.text) if includes_messages else ()
        if includes_messages and not (messages or self.keeps_conversations):
            notices = (*notices, NOT_SHARED)
        hits = corrections.newer_first(hits)
        strengths = *(hit.strength for hit in hits), *(message.strength for message in messages)
        if question:
            notices = (*notices, *strength.label(strengths, strength.covered_by_topics(selector, hits)))
        explained = request.explain and selector.mode is not Mode.SEMANTIC
        words = tuple(word.forms[0] for word in selector.words) if explained else ()
        return Answer(hits=hits, messages=messages, asked=asked, notices=notices, words=words)

    def completed(self, here: ProjectContext, filters: Filters) -> Filters:
        """Return filters for a storage: with a time instead of `days_back`, and with former names of the path."""
        names: tuple[str, ...] = ()
        if filters.path is not None:
            path = self.working_tree.relative(here.root, filters.path)
            recorded = here.ledger().names(path) if here.keeps(Capability.LEDGER) else (path,)
            names = *recorded, *self.working_tree.former_names(here.root, path)
        return filters.completed(self.clock.now(), names)

    def _messages(
        self, request: SearchRequest, places: Sequence[ProjectContext], filters: Filters, text: str
    ) -> tuple[MessageHit, ...]:
        """Return messages of the projects `places` that contain a word of `text` and pass the filters."""
        if filters.memories_only:
            return ()
        here, *others = places
        query = MessageQuery(text=text, now=self.clock.now(), filters=filters, limit=request.limit)
        found = find_messages(here.conversations(), query, explain=request.explain)
        if request.all_projects:
            found = tuple(evolve(hit, project=here.home) for hit in found)
        for other in (each for each in others if each.home):
            more = find_messages(other.conversations(), query, explain=request.explain)
            found = ranking.beside(found, (evolve(hit, project=other.home) for hit in more))
        return found[: query.limit]


_Find = Callable[[RecallQuery], tuple[tuple[Hit, ...], tuple[str, ...]]]
"""Function that returns hits and notices."""


def _filled(find: _Find, query: RecallQuery, *, fold: bool) -> tuple[tuple[Hit, ...], tuple[str, ...]]:
    """Return the hits and notices of `find`.

    If `fold` is true, merge edits for one request into one hit, and search again if too few hits remain.
    """
    hits, notices = find(query)
    if not fold:
        return hits, notices
    lines = folded(hits)
    if len(lines) < len(hits) == query.limit:
        hits, notices = find(evolve(query, limit=FOLDED_FROM * query.limit))
        lines = folded(hits)[: query.limit]
    return lines, notices


def _tagged(hits: tuple[Hit, ...], tags: frozenset[str]) -> tuple[Hit, ...]:
    """Return the hits that have every one of `tags`."""
    return tuple(hit for hit in hits if tags <= tags_of(hit.observation)) if tags else hits


def _plain(places: Sequence[ProjectContext], query: RecallQuery, *, fold: bool) -> tuple[Hit, ...]:
    """Return the hits of a search without a question."""
    hits, _ = _filled(lambda wider: (latest(places, wider), ()), query, fold=fold)
    return hits


def latest(places: Sequence[ProjectContext], query: RecallQuery) -> tuple[Hit, ...]:
    """Return the hits of the projects `places`, latest first."""
    here, *others = places
    hits = here.search.find(query)
    for other in others:
        more = map(other.marked, other.search.find(query))
        hits = tuple(sorted((*hits, *more), key=lambda hit: hit.observation.occurred_at, reverse=True))
    return hits[: query.limit]
