"""How much a reply may cost the model that reads it."""

from collections.abc import Callable

from attrs import frozen

PAGE_TOKENS = 2_000
"""The budget of a reply."""

SINGLE_TOKENS = 4_000
"""The budget of a reply that shows one memory in full."""


@frozen
class TokenBudget:
    """A hard limit in tokens, over an entire reply, and the way tokens are counted."""

    limit: int
    count: Callable[[str], int]

    def allows(self, reply: str) -> bool:
        """Whether `reply` is within the limit."""
        return self.count(reply) <= self.limit

    def longest(self, low: int, high: int, reply: Callable[[int], str]) -> int:
        """The largest number from `low` to `high` for which `reply` of it is allowed; `low` if none is.

        `reply` must not get cheaper as the number grows.
        """
        while low < high:
            middle = (low + high + 1) // 2
            if self.allows(reply(middle)):
                low = middle
            else:
                high = middle - 1
        return low

    def trimmed(self, lines: list[str]) -> str:
        """As many of `lines` as fit, with a last line that says how many were left out."""

        def kept(count: int) -> str:
            left_out = [f"... and {len(lines) - count} more"] if count < len(lines) else []
            return "\n".join([*lines[:count], *left_out])

        whole = kept(len(lines))
        return whole if self.allows(whole) else kept(self.longest(1, len(lines) - 1, kept))
