"""Budget of a reply, in tokens of the reading model."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import frozen

from lamella.domain.memories.observation import Observation

PAGE_TOKENS = 2_000
"""Default budget of a reply."""

SINGLE_TOKENS = 4_000
"""Budget of a reply with one memory in full."""

LEAST_TOKENS = 200
"""Minimum budget of a reply: the footer and some lines of a memory."""

REPLY_CHARACTERS = 45_000
"""Maximum length of a reply, besides the budget in tokens. Claude Code moves longer ones to a file."""


@frozen
class Reply:
    """A reply of a tool.

    Attributes:
        blocks: Text of the reply, in one or several blocks.
        data: The reply for programs, as a JSON object; None for text only.
        linked: Memories to link to, for people to open.
    """

    blocks: tuple[str, ...]
    data: Mapping[str, Any] | None = None
    linked: tuple[Observation, ...] = ()

    @property
    def text(self) -> str:
        """The blocks as one text."""
        return "\n".join(self.blocks)


@frozen
class TokenBudget:
    """Hard limit on the size of an entire reply.

    Attributes:
        limit: Maximum number of tokens.
        count: Returns the number of tokens in a text.
    """

    limit: int
    count: Callable[[str], int]

    def allows(self, reply: str) -> bool:
        """Return True if `reply` is within the limit."""
        return self.count(reply) <= self.limit

    def longest(self, low: int, high: int, reply: Callable[[int], str]) -> int:
        """Find the largest number, from `low` to `high`, whose reply is allowed. Use bisection.

        Args:
            low: Smallest number, returned if no reply is allowed.
            high: The largest number.
            reply: Returns the reply for a number. The reply must not get smaller as the number grows.
        """
        while low < high:
            middle = (low + high + 1) // 2
            if self.allows(reply(middle)):
                low = middle
            else:
                high = middle - 1
        return low

    def most(self, items: int, reply: Callable[[int], str], *, least: int = 0) -> int:
        """Return the largest number of items, from `least` on, with an allowed reply.

        Tries all items first, because most replies fit completely.

        Args:
            items: The number of all items.
            reply: Returns the reply with this number of items. The reply must not get smaller as the number grows.
            least: The result if no number of items is allowed.
        """
        return items if self.allows(reply(items)) else self.longest(least, items - 1, reply)

    def first(self, items: int, reply: Callable[[int], Reply]) -> Reply:
        """Return a reply with as many of the first items as the limit allows.

        Args:
            items: The number of all items.
            reply: Returns the reply with this number of items.
        """
        return reply(self.most(items, lambda count: reply(count).text))

    def each(self, items: int, reply: Callable[[Sequence[int]], Reply]) -> Reply:
        """Add items in order, skip each item that doesn't fit, and return the reply with the added items.

        Args:
            items: The number of all items.
            reply: Returns the reply with the items of these indexes.
        """
        kept: list[int] = []
        for number in range(items):
            if self.allows(reply([*kept, number]).text):
                kept.append(number)
        return reply(kept)

    def trimmed(self, lines: list[str]) -> str:
        """Return as many of `lines` as fit, then a line with the number of omitted lines."""

        def kept(count: int) -> str:
            left_out = [f"... and {len(lines) - count} more"] if count < len(lines) else []
            return "\n".join([*lines[:count], *left_out])

        return kept(self.most(len(lines), kept, least=1))
