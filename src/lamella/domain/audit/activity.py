"""Activity log: texts that hooks gave to conversations, captures that hooks skipped, and recalls."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from attrs import field, frozen, validators
from attrs.converters import optional

from lamella.domain.text.printing import stored_key, well_formed
from lamella.domain.validation import in_utc


class ActivityKind(StrEnum):
    """Kind of activity."""

    INJECTED = "injected"
    """A hook gave memories to the conversation."""
    SKIPPED = "skipped"
    """A hook skipped a capture."""
    RECALLED = "recalled"
    """An agent or a person recalled memories. Entries of all other kinds are made by hooks."""


@frozen(kw_only=True)
class Activity:
    """One action of a hook, or all recalls within a few seconds.

    Attributes:
        name: Permanent and unique name. An entry whose name is already stored isn't added again.
        at: Time of the action.
        kind: Kind of activity.
        session: Session of the action, if known.
        about: The hook's event; for a skipped capture, the reason in words.
        tokens: Size of the text given to the conversation, below 2**31 to fit any storage.
        memories: Ids of the given memories, in the order given, each as 32 hexadecimal digits. They are strings
            because a log has thousands of ids, and creating a `UUID` takes ten times as long.
        edit: For a warning that an edit brings back removed code: the path of the edited file and, on the lines
            below, hunks with this code. If the memory of the removal is erased, this text is erased, too. Empty
            for all other entries.
    """

    name: str = field(converter=stored_key)
    at: datetime = field(converter=in_utc)
    kind: ActivityKind
    session: str | None = field(default=None, converter=optional(stored_key))
    about: str = field(converter=well_formed)
    tokens: int = field(default=0, validator=[validators.ge(0), validators.lt(2**31)])
    memories: tuple[str, ...] = ()
    edit: str = field(default="", converter=well_formed)


class ActivityTotals(NamedTuple):
    """Totals of the texts given to conversations by hooks.

    Attributes:
        times: Number of texts.
        tokens: Total size of the texts, in tokens.
        warnings: Number of warnings before an edit.
    """

    times: int
    tokens: int
    warnings: int


class SessionActivity(NamedTuple):
    """Activity of hooks in one session.

    Attributes:
        session: Id of the session. None for an object that summarises all activity without a session id.
        first: Time of the session's first entry.
        latest: Time of the session's latest entry.
        entries: Number of the session's entries.
        times: Number of texts given to the session by hooks.
        tokens: Total size of these texts, in tokens.
        name: Name of the session, if its conversation is stored.
    """

    session: str | None
    first: datetime
    latest: datetime
    entries: int
    times: int
    tokens: int
    name: str | None = None


def by_session(entries: Sequence[Activity]) -> tuple[SessionActivity, ...]:
    """Summarise the activity of hooks in each session, latest first. `entries` are in chronological order."""
    found: dict[str | None, list[Activity]] = {}
    for each in (each for each in reversed(entries) if each.kind is not ActivityKind.RECALLED):
        found.setdefault(each.session, []).append(each)
    counts = {id: sum(each.kind is ActivityKind.INJECTED for each in own) for id, own in found.items()}
    return tuple(
        SessionActivity(id, own[-1].at, own[0].at, len(own), counts[id], sum(each.tokens for each in own))
        for id, own in found.items()
    )
