"""Where it is kept what hooks did: what they gave to a conversation, and what they passed over and why."""

from abc import abstractmethod
from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol

from attrs import field, frozen, validators
from attrs.converters import optional

from lamella.domain.memories.observation import aware
from lamella.domain.text.printing import well_formed

KEPT_FOR = timedelta(days=90)
"""How long an entry is kept: questions are about the last days, and a quarter of a year is enough to compare with.

At a hundred entries a day that is some 9,000 rows.
"""


class ActivityKind(StrEnum):
    """What was done."""

    INJECTED = "injected"
    """A hook gave memories to the conversation."""
    SKIPPED = "skipped"
    """Something was not captured."""


@frozen(kw_only=True)
class Activity:
    """One thing that a hook did.

    `name` names it for ever. `about` is the hook's event, or the reason why something was skipped, in words.
    `tokens` is what was given to the conversation, below 2**31 so that any storage can hold it.
    """

    name: str = field(converter=well_formed)
    at: datetime = field(validator=aware)
    kind: ActivityKind
    session: str | None = field(default=None, converter=optional(well_formed))
    about: str = field(converter=well_formed)
    tokens: int = field(default=0, validator=[validators.ge(0), validators.lt(2**31)])


class ActivityLog(Protocol):
    """What hooks did in one project. It goes where the project's memories go, and is erased with its session."""

    __slots__ = ()

    @abstractmethod
    def add(self, entries: Sequence[Activity]) -> None:
        """Keeps these in one transaction; one whose name is known, or was earlier in `entries`, is passed over.

        What is older than the latest of `entries` by more than `KEPT_FOR` goes.
        """

    @abstractmethod
    def since(self, moment: datetime) -> tuple[Activity, ...]:
        """What was done at `moment` or later, oldest first; what was done at once in order of names."""
