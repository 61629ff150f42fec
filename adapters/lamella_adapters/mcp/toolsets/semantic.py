"""The toolset `semantic`: search by meaning only."""

from attrs import frozen

from lamella.domain.memories.limits import MAX_LIMIT, MAX_SHORT_QUERY_CHARACTERS
from lamella.domain.memories.query import Filters
from lamella.domain.replies.budget import Reply
from lamella.domain.replies.similar import RelevantReply
from lamella_adapters.mcp.toolsets.arguments import QUERY, argument
from lamella_adapters.mcp.toolsets.tool import Tool, ToolCall, texts_of

_TEXTS = texts_of("semantic")
INSTRUCTIONS = _TEXTS["instructions"]

_DEFAULT_LIMIT = 5


@frozen(kw_only=True)
class SearchArguments:
    """Arguments of `search_memories`."""

    query: str = argument(QUERY, least=1, most=MAX_SHORT_QUERY_CHARACTERS)
    limit: int = argument("Most results.", default=_DEFAULT_LIMIT, least=1, most=MAX_LIMIT)
    days_back: int | None = argument("Only the last N days.", default=None, least=1)


def search_memories(call: ToolCall) -> Reply:
    """Reply with the nearest memories."""
    given: SearchArguments = call.arguments
    found = call.lamella.search_by_meaning.found(
        call.context, given.query, limit=given.limit, filters=Filters(days_back=given.days_back)
    )
    budget = call.lamella.recall.page_budget
    linked = tuple(hit.observation for hit in found.hits)
    return Reply((found.within(budget),), found.data(budget), linked)


TOOLS = (
    Tool(
        **_TEXTS["search_memories"],
        arguments=SearchArguments,
        answer=search_memories,
        read_only=True,
        returns=RelevantReply,
    ),
)
"""The tools of the toolset."""
