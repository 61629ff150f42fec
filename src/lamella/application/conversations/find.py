"""Find messages of past conversations."""

from attrs import define, evolve

from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.conversations.errors import NOT_SHARED
from lamella.domain.conversations.query import MessageHit, MessageQuery
from lamella.domain.memories.query import NO_FILTERS, Filters
from lamella.domain.replies.budget import PAGE_TOKENS, TokenBudget
from lamella.domain.replies.messages import found_messages
from lamella.domain.search.dates import dated
from lamella.domain.search.preferences import POOL, Preferences
from lamella.domain.search.ranking import ranked_messages
from lamella.domain.search.strength import label
from lamella.ports.storage.conversations import Conversations
from lamella.ports.system import Clock
from lamella.ports.tokenizer import Tokenizer

MAX_HITS = 5
"""Maximum number of messages in the result of a search."""

NO_WORDS = "no searchable words"
"""Notice for a question without searchable words."""


def find_messages(
    conversations: Conversations, query: MessageQuery, *, explain: bool = False
) -> tuple[MessageHit, ...]:
    """Return the best messages.

    If a question asks for the messages of a speaker ("what did I say"), this speaker's messages score higher. If
    it asks for a kind of answer, such as a number, messages that contain such an answer score higher.
    """
    preferences = Preferences.of(query.text, query.words)
    if preferences.answering is None and not preferences.roles:
        hits = conversations.find(query)
        if not preferences.concern(hit.message.text for hit in hits) and not explain:
            return hits
    pool = conversations.find(evolve(query, limit=max(query.limit, POOL)))
    return ranked_messages(pool, preferences, query.limit, explain=explain)


@define
class RecallMessages:
    """Search messages. Reply with the best matches and their message numbers."""

    projects: ProjectResolver
    clock: Clock
    tokenizer: Tokenizer
    keeps_conversations: bool = True

    def __call__(self, call: Call, text: str, *, filters: Filters = NO_FILTERS) -> str:
        """Return the reply as text, within its token budget.

        Args:
            call: Context of the call.
            text: Text to search for.
            filters: Conditions on messages. Only `days_back` and `session` apply.

        Raises:
            CapabilityUnsupportedError: The storage keeps no conversations.
            UnknownProjectError: The project doesn't exist.
        """
        now, budget = self.clock.now(), TokenBudget(PAGE_TOKENS, self.tokenizer.count)
        query = MessageQuery(text=text, now=now, filters=filters.completed(now), limit=MAX_HITS)
        query = evolve(query, text=dated(query.text, now.astimezone(call.zone)))
        hits = find_messages(self.projects.find(call).conversations(), query)
        if not (hits or self.keeps_conversations):
            return found_messages(text, hits, budget, NOT_SHARED)
        if not query.words:
            return found_messages(text, hits, budget, NO_WORDS)
        return found_messages(text, hits, budget, *label(hit.strength for hit in hits))
