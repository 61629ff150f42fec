"""What to look for."""

from datetime import UTC, datetime, timedelta

from attrs import field, frozen
from attrs.validators import ge, optional

from lamella.domain.memories.query import (
    DEFAULT_LIMIT,
    Recent,
    Selector,
)


@frozen(kw_only=True)
class SearchRequest:
    """What to look for.

    `path` is a file or folder of the project. `include_messages` asks for messages of past conversations after the
    others, where words are looked for; up to `limit` of them.
    """

    selector: Selector = field(factory=Recent)
    limit: int = DEFAULT_LIMIT
    include_purged: bool = False
    days_back: int | None = field(default=None, validator=optional(ge(1)))
    session_only: bool = False
    path: str | None = None
    include_messages: bool = False


def since(now: datetime, days_back: int | None) -> datetime | None:
    """The moment `days_back` days before `now`, or the earliest there is."""
    if days_back is None:
        return None
    most = (now - datetime.min.replace(tzinfo=UTC)).days
    return now - timedelta(days=min(days_back, most))
