"""The toolset `semantic`: search by meaning only."""

from attrs import frozen

from lamella.domain.memories.query import MAX_LIMIT, MAX_SHORT_QUERY_CHARACTERS, Filters
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


def search_memories(call: ToolCall) -> str:
    """Reply with the nearest memories."""
    given: SearchArguments = call.arguments
    return call.lamella.search_by_meaning(
        call.context, given.query, limit=given.limit, filters=Filters(days_back=given.days_back)
    )


TOOLS = (Tool(**_TEXTS["search_memories"], arguments=SearchArguments, answer=search_memories, read_only=True),)
"""The tools of the toolset."""
