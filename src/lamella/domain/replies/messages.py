"""Reply to a search for messages."""

from collections.abc import Sequence

from lamella.domain.conversations.message import printed_name
from lamella.domain.conversations.query import MessageHit
from lamella.domain.memories.limits import MAX_SHORT_QUERY_CHARACTERS
from lamella.domain.replies.budget import TokenBudget
from lamella.domain.replies.snippets import passage
from lamella.domain.text.printing import cut, printed_line

SNIPPET_CHARACTERS = 300
"""Maximum length of a message's snippet."""


def found_messages(query: str, hits: Sequence[MessageHit], budget: TokenBudget, notice: str = "") -> str:
    """Return the reply to a search: as many of the best hits as `budget` allows, with their numbers.

    Args:
        query: The question.
        hits: Hits, best first.
        budget: The budget of the reply.
        notice: Short notice about limits of the search.
    """
    # Truncate after escaping, because escaped hidden characters are long.
    asked = cut(printed_line(query), MAX_SHORT_QUERY_CHARACTERS)
    if not hits:
        note = f" ({notice})" if notice else ""
        return f'No results found for "{asked}".{note}'
    head = [f'Found {len(hits)} result(s) for "{asked}":', ""]
    printed = [(_heading(hit), passage(hit.message.text, hit.spans, SNIPPET_CHARACTERS)) for hit in hits]

    def best(count: int) -> str:
        lines = [f"{heading}\n    ...{snippet}..." for heading, snippet in printed[:count]]
        return "\n".join([*head, *lines, *foot(count)])

    def foot(count: int) -> list[str]:
        more = [f"... and {len(hits) - count} more"] if count < len(hits) else []
        return [*more, *([notice] if notice else [])]

    fitting = budget.most(len(hits), best)
    if fitting:
        return best(fitting)
    heading, snippet = printed[0]

    def with_beginning(length: int) -> str:
        kept = cut(snippet, length)
        marked = f"    ...{kept}[...truncated at ~{budget.count(kept)} tokens]"
        return "\n".join([*head, heading, marked, *foot(1)])

    return with_beginning(budget.longest(0, len(snippet), with_beginning))


def _heading(hit: MessageHit) -> str:
    message = hit.message
    # Programs parse the line from its end to find the name in quotes, so escape quotes in the name.
    name = printed_name(hit.session_name).replace('"', '\\"')
    return f'[message {message.number}, session "{name}", {message.role}]'
