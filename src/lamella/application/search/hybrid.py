"""Search by words, by meaning, or by both."""

from collections.abc import Sequence

from attrs import define, evolve

from lamella.application.embeddings.query_vector import Meaning, Question
from lamella.application.embeddings.readiness import NotReadyError
from lamella.application.projects.context import ProjectContext
from lamella.domain.embeddings.errors import SemanticSearchUnavailableError
from lamella.domain.memories.query import ByText, Hit, Mode, RecallQuery
from lamella.domain.search.preferences import POOL, Preferences
from lamella.domain.search.ranking import ALIKE, WORDED, Candidates, ranked
from lamella.domain.search.strength import covered_by_topics

_KEYWORD_ONLY = "keyword only: "


@define
class HybridSearch:
    """Search by words, by meaning, or by both, depending on the mode of the query."""

    meaning: Meaning

    def __call__(
        self, here: ProjectContext, selector: ByText, query: RecallQuery, *, explain: bool = False
    ) -> tuple[tuple[Hit, ...], tuple[str, ...]]:
        """Return the hits, best first, and notices.

        If search by meaning isn't possible now, search by words only, and return a notice about that.

        Args:
            here: The project.
            selector: The question and its mode.
            query: Query with the same question, filters and limit.
            explain: True to add features to hits.

        Raises:
            SemanticSearchUnavailableError: Search by meaning alone is requested, and no embedder is configured.
        """
        if selector.mode is Mode.SEMANTIC and self.meaning.embedding is None:
            raise SemanticSearchUnavailableError(by_words=True)
        if selector.mode is Mode.KEYWORD or self.meaning.embedding is None or here.project is None:
            return _by_words(here, selector, query, explain=explain), ()
        try:
            question = self.meaning.question(here, selector.text)
            notices = (question.notice,) if question.notice else ()
            if selector.mode is Mode.SEMANTIC:
                return question.alike(query, explain=explain), notices
            candidates = _candidates(here, question, query, selector)
            return ranked(candidates, query.limit, explain=explain), notices
        except NotReadyError as error:
            return _by_words(here, selector, query, explain=explain), (_KEYWORD_ONLY + error.reason,)


def _by_words(here: ProjectContext, selector: ByText, query: RecallQuery, *, explain: bool) -> tuple[Hit, ...]:
    preferences = Preferences.of(selector.text, selector.words)
    if preferences.answering is None:
        hits = here.search.find(query)
        if not preferences.concern(hit.observation.content for hit in hits) and not explain:
            return hits
    pool = here.search.find(evolve(query, limit=max(query.limit, POOL)))
    words = {hit.observation.id: hit.score or 0.0 for hit in pool}
    return ranked(Candidates(hits=pool, words=words, preferences=preferences), query.limit, explain=explain)


def _candidates(here: ProjectContext, question: Question, query: RecallQuery, selector: ByText) -> Candidates:
    """Return the hits of the searches by words and by meaning. Each hit has the exact scores of both searches."""
    worded = list(here.search.find(evolve(query, limit=max(query.limit, WORDED))))
    wider = evolve(query, limit=max(query.limit, ALIKE))
    nearest = question.nearest(wider, [hit.observation.id for hit in worded])
    near = nearest.hits
    unworded = _without(near, worded)
    if unworded:
        only = evolve(query.filters, ids=frozenset(hit.observation.id for hit in unworded))
        worded += here.search.find(evolve(query, filters=only, limit=len(unworded)))
    return Candidates(
        hits=[*worded, *_without(near, worded)],
        words={hit.observation.id: hit.score or 0.0 for hit in worded},
        meaning={**nearest.similarities, **{hit.observation.id: hit.score or 0.0 for hit in near}},
        calibration=question.calibration,
        preferences=Preferences.of(selector.text, selector.words),
        covered=covered_by_topics(selector, worded),
    )


def _without(hits: Sequence[Hit], others: Sequence[Hit]) -> list[Hit]:
    known = {hit.observation.id for hit in others}
    return [hit for hit in hits if hit.observation.id not in known]
