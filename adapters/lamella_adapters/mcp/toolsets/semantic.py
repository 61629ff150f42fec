"""The toolset `semantic`: search by meaning only."""

from attrs import frozen

from lamella.domain.memories.query import MAX_LIMIT, MAX_SHORT_QUERY_CHARACTERS, Filters
from lamella_adapters.mcp.toolsets.arguments import QUERY, argument
from lamella_adapters.mcp.toolsets.tool import Tool, ToolCall

INSTRUCTIONS = """\
Ask {search_memories} a question, or describe what you look for, before you start on something that may have a
history: it finds memories by what they mean, whatever their words, and says how alike they are in percent."""

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


TOOLS = (
    Tool(
        title="Search Memories",
        description=(
            "Find memories of earlier sessions by their meaning, whatever their words: the nearest first, with"
            " their text and how alike they are in percent (near 0: unrelated, near 100: says the same)."
        ),
        arguments=SearchArguments,
        answer=search_memories,
        read_only=True,
    ),
)
"""The tools of the toolset."""
