"""Quotas: the most that a tenant may store, save in a day, and call in a minute."""

import math
from collections.abc import Mapping

from attrs import asdict, define, field, frozen

from lamella.domain.access.grant import is_tenant
from lamella.domain.errors import QuotaExceededError
from lamella.domain.text.printing import counted, printed_line

_MINUTE = 60
_NOUNS = {"memories": "memory", "bytes": "byte", "saves": "save", "calls": "call"}
_PERIODS = {"saves": " a day", "calls": " a minute"}


@frozen
class Quota:
    """Bounds of a tenant. None is no bound.

    Attributes:
        memories: Memories, purged ones included.
        bytes: Estimated size in the storage.
        saves: Memories added in a day of UTC.
        calls: Requests over HTTP in a minute, to each server.
    """

    memories: int | None = None
    bytes: int | None = None
    saves: int | None = None
    calls: int | None = None

    @property
    def bounds(self) -> Mapping[str, int]:
        """The bounds by their names."""
        return asdict(self, filter=lambda _, most: most is not None)

    @property
    def named(self) -> Mapping[str, str]:
        """The bounds in words, such as `5,000 saves a day`, by their names."""
        return {name: counted(most, _NOUNS[name]) + _PERIODS.get(name, "") for name, most in self.bounds.items()}


@frozen
class TenantSize:
    """A tenant with its numbers.

    Attributes:
        name: Its name.
        projects: Number of projects.
        memories: Number of memories, purged ones included.
        bytes: Estimated size in the storage; 0 if that can't tell.
        tokens: Number of access tokens, refused ones included.
        saves: Number of memories added today, in UTC.
        quota: Its bounds.
    """

    name: str = field(validator=is_tenant)
    projects: int = 0
    memories: int = 0
    bytes: int = 0
    tokens: int = 0
    saves: int = 0
    quota: Quota = Quota()

    @property
    def used(self) -> Mapping[str, int]:
        """The used part of each bound of what is stored."""
        return {"memories": self.memories, "bytes": self.bytes, "saves": self.saves}

    def refusal(self, bound: str) -> str:
        """Return a sentence about a bound that is used up."""
        return f"The tenant {printed_line(self.name)!r} has used up its quota of {self.quota.named[bound]}."

    def require_room(self, *bounds: str) -> None:
        """Refuse to store more if one of these bounds is used up.

        Raises:
            QuotaExceededError: One is.
        """
        for bound, most in self.quota.bounds.items():
            if bound in bounds and self.used[bound] >= most:
                wait = "after midnight UTC" if bound == "saves" else "after memories were erased (lamella erase)"
                advice = f"Try again {wait}, or ask the operator for more (lamella tenant limit)."
                raise QuotaExceededError(reason=f"{self.refusal(bound)} Nothing was saved.", advice=advice)


@define
class Minute:
    """Calls of a tenant in the present minute.

    Attributes:
        calls: Number of calls.
        until: Time at which the minute ends, in seconds of any clock.
    """

    calls: int = 0
    until: float = -math.inf

    def wait(self, quota: Quota, now: float) -> int:
        """Count a call. Return the seconds to wait before the next one, 0 if this one is within the quota."""
        if now >= self.until:
            self.calls, self.until = 0, now + _MINUTE
        if quota.calls is not None and self.calls >= quota.calls:
            return math.ceil(self.until - now)
        self.calls += 1
        return 0
