"""Log of what hooks gave to conversations, what they passed over and why, and what was recalled."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from attrs import field, frozen, validators
from attrs.converters import optional

from lamella.domain.text.printing import stored_key, well_formed
from lamella.domain.validation import aware


class ActivityKind(StrEnum):
    """Kind of activity."""

    INJECTED = "injected"
    """A hook gave memories to the conversation."""
    SKIPPED = "skipped"
    """Something was not captured."""
    RECALLED = "recalled"
    """Somebody asked for memories. Unlike the others, this is no trace of a hook."""


@frozen(kw_only=True)
class Activity:
    """One thing that a hook did, or what was recalled in some seconds.

    Attributes:
        name: Permanent and unique name.
        at: Time at which it was done.
        kind: Kind of activity.
        session: Session in which it was done, if known.
        about: The hook's event, or in words the reason why something was skipped.
        tokens: Size of the text that was given to the conversation, below 2**31 so that any storage can hold it.
        memories: Ids of the memories that were given, in their order, each as 32 hexadecimal digits. A list of
            entries has thousands, and a `UUID` takes ten times as long to make.
        edit: Edit that a hook warned of: the path of the file, and below it the lines that come back, as hunks. It
            goes with the memory of the removal. Empty for anything but a warning.
    """

    name: str = field(converter=stored_key)
    at: datetime = field(validator=aware)
    kind: ActivityKind
    session: str | None = field(default=None, converter=optional(stored_key))
    about: str = field(converter=well_formed)
    tokens: int = field(default=0, validator=[validators.ge(0), validators.lt(2**31)])
    memories: tuple[str, ...] = ()
    edit: str = field(default="", converter=well_formed)


class ActivityTotals(NamedTuple):
    """Totals of the contexts that hooks gave to conversations.

    Attributes:
        times: Number of entries.
        tokens: Size of the texts.
        warnings: Number of the entries that are warnings before an edit.
    """

    times: int
    tokens: int
    warnings: int


class SessionActivity(NamedTuple):
    """Activity of hooks in one session.

    Attributes:
        session: Id of the session; None stands for all sessions without an id.
        first: Time of its first entry.
        latest: Time of its latest entry.
        entries: Number of entries.
        times: Number of the entries that gave something to it.
        tokens: Size of all that was given to it.
        name: Its name, if it is a known conversation.
    """

    session: str | None
    first: datetime
    latest: datetime
    entries: int
    times: int
    tokens: int
    name: str | None = None


def by_session(entries: Sequence[Activity]) -> tuple[SessionActivity, ...]:
    """Count what hooks did, in order of time, by session, the session of the latest entry first."""
    found: dict[str | None, list[Activity]] = {}
    for each in (each for each in reversed(entries) if each.kind is not ActivityKind.RECALLED):
        found.setdefault(each.session, []).append(each)
    counts = {id: sum(each.kind is ActivityKind.INJECTED for each in own) for id, own in found.items()}
    return tuple(
        SessionActivity(id, own[-1].at, own[0].at, len(own), counts[id], sum(each.tokens for each in own))
        for id, own in found.items()
    )
