"""Find memories by meaning alone."""

from attrs import define

from lamella.application.embeddings.query_vector import Meaning
from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.embeddings.calibration import TYPICAL
from lamella.domain.memories.query import NO_FILTERS, Filters, RecallQuery
from lamella.domain.replies.budget import PAGE_TOKENS, TokenBudget
from lamella.domain.replies.paging import RecallPage
from lamella.domain.replies.similar import RelevantMemories
from lamella.ports.system import Clock
from lamella.ports.tokenizer import Tokenizer


@define
class SearchByMeaning:
    """Reply with the memories nearest in meaning. There is no fallback to a search by words."""

    projects: ProjectResolver
    clock: Clock
    tokenizer: Tokenizer
    meaning: Meaning

    def __call__(self, call: Call, text: str, *, limit: int, filters: Filters = NO_FILTERS) -> str:
        """Return the text of the page with the nearest memories; see `page`."""
        return self.page(call, text, limit=limit, filters=filters).text

    def page(self, call: Call, text: str, *, limit: int, filters: Filters = NO_FILTERS) -> RecallPage:
        """Return the memories nearest to `text` as one page, within its token budget; see `found`.

        Raises:
            SemanticSearchUnavailableError: No embedder is configured.
            NotReadyError: The embedder can't answer now.
            UnknownProjectError: The project doesn't exist.
        """
        found = self.found(call, text, limit=limit, filters=filters)
        return RecallPage(
            text=found.within(TokenBudget(PAGE_TOKENS, self.tokenizer.count)),
            hits=tuple(found.hits),
            total=len(found.hits),
            notices=(found.notice,) if found.notice else (),
        )

    def found(self, call: Call, text: str, *, limit: int, filters: Filters = NO_FILTERS) -> RelevantMemories:
        """Return the memories nearest to `text`, nearest first.

        Args:
            call: Context of the call.
            text: The question.
            limit: Maximum number of memories.
            filters: Conditions on memories.

        Raises:
            SemanticSearchUnavailableError: No embedder is configured.
            NotReadyError: The embedder can't answer now.
            UnknownProjectError: The project doesn't exist.
        """
        self.meaning.require()
        here = self.projects.find(call)
        if here.project is None:
            return RelevantMemories(hits=(), calibration=TYPICAL, zone=call.zone)
        question = self.meaning.question(here, text)
        hits = question.alike(RecallQuery(limit=limit, filters=filters.completed(self.clock.now())))
        return RelevantMemories(
            hits=hits, calibration=question.calibration, zone=call.zone, notice=question.notice
        )
