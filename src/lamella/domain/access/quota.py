"""Quotas of a tenant: limits on stored memories and bytes, on saves in a day, and on calls in a minute."""

from collections.abc import Mapping

from attrs import asdict, field, frozen

from lamella.domain.access.grant import is_tenant
from lamella.domain.errors import QuotaExceededError
from lamella.domain.text.printing import counted, printed_line

_NOUNS = {"memories": "memory", "bytes": "byte", "saves": "save", "calls": "call"}
_PERIODS = {"saves": " a day", "calls": " a minute"}


@frozen
class Quota:
    """Limits of a tenant. None means no limit.

    Attributes:
        memories: Number of memories, including purged memories.
        bytes: Estimated size in the storage, in bytes.
        saves: Number of memories added in a day, in UTC.
        calls: Number of HTTP requests in a minute, counted by each server separately.
    """

    memories: int | None = None
    bytes: int | None = None
    saves: int | None = None
    calls: int | None = None

    @property
    def bounds(self) -> Mapping[str, int]:
        """Limits, keyed by field name. A field without a limit is left out."""
        return asdict(self, filter=lambda _, most: most is not None)

    def named(self, bound: str) -> str:
        """Return a limit in words, such as `5,000 saves a day`."""
        return counted(self.bounds[bound], _NOUNS[bound]) + _PERIODS.get(bound, "")

    def __str__(self) -> str:
        return ", ".join(map(self.named, self.bounds))


@frozen
class TenantSize:
    """Size of a tenant.

    Attributes:
        name: Name of the tenant.
        projects: Number of projects.
        memories: Number of memories, including purged memories.
        bytes: Estimated size in the storage; 0 if unknown.
        tokens: Number of access tokens, including expired and revoked tokens.
        saves: Number of memories added today, in UTC.
        quota: Limits of the tenant.
    """

    name: str = field(validator=is_tenant)
    projects: int = 0
    memories: int = 0
    bytes: int = 0
    tokens: int = 0
    saves: int = 0
    quota: Quota = Quota()

    @property
    def shares(self) -> Mapping[str, float]:
        """Used share of each limit except `calls`, keyed by the limit's name.

        The share is 1 if the limit is reached.
        """
        stored = {bound: most for bound, most in self.quota.bounds.items() if bound != "calls"}
        return {bound: getattr(self, bound) / most if most else 1.0 for bound, most in stored.items()}

    def refusal(self, bound: str) -> str:
        """Return the sentence that tells a caller which limit is reached."""
        return f"The tenant {printed_line(self.name)!r} has used up its quota of {self.quota.named(bound)}."

    def require_room(self, *bounds: str) -> None:
        """Check that none of the limits `bounds` is reached. Call this before storing more.

        Raises:
            QuotaExceededError: A limit is reached.
        """
        for bound, share in self.shares.items():
            if bound in bounds and share >= 1:
                wait = "after midnight UTC" if bound == "saves" else "after memories were erased (lamella erase)"
                advice = f"Try again {wait}, or ask the operator for more."
                raise QuotaExceededError(reason=f"{self.refusal(bound)} Nothing was saved.", advice=advice)
