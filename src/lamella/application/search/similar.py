"""Find memories by meaning alone."""

from attrs import define

from lamella.application.embeddings.query_vector import Meaning
from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.errors import SemanticSearchUnavailableError
from lamella.domain.memories.query import NO_FILTERS, Filters, RecallQuery
from lamella.domain.replies.budget import PAGE_TOKENS, TokenBudget
from lamella.domain.replies.similar import NONE_FOUND, RelevantMemories
from lamella.ports.system import Clock
from lamella.ports.tokenizer import Tokenizer


@define
class SearchByMeaning:
    """Reply with the nearest memories, never with a search by words instead."""

    projects: ProjectResolver
    clock: Clock
    tokenizer: Tokenizer
    meaning: Meaning

    def __call__(self, call: Call, text: str, *, limit: int, filters: Filters = NO_FILTERS) -> str:
        """Return the reply with the `limit` nearest memories, which keeps to its token budget.

        Raises:
            SemanticSearchUnavailableError: no embedder is configured.
            NotReadyError: there is one, and it cannot answer now.
            UnknownProjectError: there is no such project.
        """
        if self.meaning.embedding is None:
            raise SemanticSearchUnavailableError
        here = self.projects.find(call)
        if here.project is None:
            return NONE_FOUND
        question = self.meaning.question(here, text)
        hits = question.nearest(RecallQuery(limit=limit, filters=filters.completed(self.clock.now())))
        found = RelevantMemories(
            hits=hits,
            short_ids=here.observations.short_ids([hit.observation.id for hit in hits]),
            calibration=question.calibration,
            zone=call.zone,
            notice=question.notice,
        )
        return found.within(TokenBudget(PAGE_TOKENS, self.tokenizer.count))
