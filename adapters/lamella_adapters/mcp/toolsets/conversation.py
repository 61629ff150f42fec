"""The toolset `conversation`: search in messages of past conversations, then zoom into a conversation."""

from attrs import frozen

from lamella.domain.memories.limits import MAX_SHORT_QUERY_CHARACTERS
from lamella.domain.memories.query import Filters
from lamella_adapters.mcp.toolsets.arguments import QUERY, argument
from lamella_adapters.mcp.toolsets.tool import Tool, ToolCall, texts_of

_TEXTS = texts_of("conversation")
INSTRUCTIONS = _TEXTS["instructions"]


@frozen(kw_only=True)
class RecallArguments:
    """Arguments of `recall`."""

    query: str = argument(QUERY, most=MAX_SHORT_QUERY_CHARACTERS, blank="Query cannot be blank")
    session_only: bool = argument("Default: all sessions", default=False)


@frozen(kw_only=True)
class RememberArguments:
    """Arguments of `remember`."""

    message_id: int = argument("Number of the message, from {recall}.")


def recall(call: ToolCall) -> str:
    """Find messages."""
    given: RecallArguments = call.arguments
    filters = Filters(session=call.session if given.session_only else None)
    return call.lamella.recall_messages(call.context, given.query, filters=filters)


def remember(call: ToolCall) -> str:
    """Show a message and the surrounding messages."""
    given: RememberArguments = call.arguments
    return call.lamella.show_message(call.context, given.message_id)


TOOLS = (
    Tool(**_TEXTS["recall"], arguments=RecallArguments, answer=recall, read_only=True),
    Tool(**_TEXTS["remember"], arguments=RememberArguments, answer=remember, read_only=True),
)
"""The tools of the toolset."""
