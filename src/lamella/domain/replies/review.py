"""Reply with the worklist of a review."""

from collections.abc import Sequence
from datetime import tzinfo

from lamella.domain.memories.query import Hit
from lamella.domain.replies.budget import TokenBudget
from lamella.domain.search.worklist import ONE_SUBJECT, Task
from lamella.domain.text.printing import cut, printed_line

MOST_TASKS = 20
"""Maximum number of entries of one reply."""

NOTHING_TO_REVIEW = "Nothing to review: no notes contradict or repeat each other, and none is outdated."

_CHARACTERS, _SHORT_CHARACTERS = 240, 120
"""Number of characters to print of a note. The lower number is for notes on one subject."""


def printed(tasks: Sequence[Task], zone: tzinfo, budget: TokenBudget, advice: str) -> str:
    """Return as many tasks as fit, each with its number, reason and memories, then the advice.

    Args:
        tasks: The worklist.
        zone: Time zone of the dates.
        budget: Budget of the reply.
        advice: Instruction for settling a task, worded for the interface in use, such as MCP tools.
    """
    if not tasks:
        return NOTHING_TO_REVIEW
    items = [_item(number, task, zone) for number, task in enumerate(tasks[:MOST_TASKS], 1)]

    def reply(count: int) -> str:
        head = (
            f"{len(tasks)} to review, {count} of them here:" if count < len(tasks) else f"{len(tasks)} to review:"
        )
        return "\n".join([head, *items[:count], "---", advice])

    return reply(budget.most(len(items), reply, least=1))


def _item(number: int, task: Task, zone: tzinfo) -> str:
    most = _CHARACTERS if task.reason != ONE_SUBJECT else _SHORT_CHARACTERS
    return "\n".join([f"[{number}] {printed_line(task.reason)}", *(_line(hit, zone, most) for hit in task.hits)])


def _line(hit: Hit, zone: tzinfo, most: int) -> str:
    said = printed_line(hit.observation.content)
    text = said if len(said) <= most else f"{cut(said, most)}…"
    everywhere = " | everywhere" if hit.everywhere else ""
    return f"    {hit.short_id} | {hit.observation.created_at.astimezone(zone):%Y-%m-%d} | {text}{everywhere}"
