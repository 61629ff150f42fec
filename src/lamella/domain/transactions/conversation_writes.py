"""Writes about conversations, for plans; see `plan`. All are for `Capability.CONVERSATIONS`."""

from collections.abc import Mapping

from attrs import frozen

from lamella.domain.conversations.message import MessageDraft
from lamella.domain.conversations.summary import Summary


@frozen(kw_only=True)
class AddMessages:
    """Store messages under consecutive numbers.

    Attributes:
        first: Number of the first message.
        drafts: The messages.
        origin: Id of the project that the messages were imported into.
    """

    first: int
    drafts: tuple[MessageDraft, ...]
    origin: str


@frozen(kw_only=True)
class NameSession:
    """Give a session a name.

    Attributes:
        session: Id of the session.
        name: Name of the session.
        titled: True if the name is a title, which a later name from the source replaces.
    """

    session: str
    name: str
    titled: bool


@frozen(kw_only=True)
class SetPosition:
    """Store the position up to which a source was read.

    Attributes:
        source: Id of the source.
        position: Position of the source.
        origin: Id of the importing project.
    """

    source: str
    position: str
    origin: str


@frozen(kw_only=True)
class KeepEnds:
    """Store last records of sessions. Only last records without a message need this.

    A record that is already stored becomes the latest record.

    Attributes:
        ends: Session ids, keyed by the id of the session's last record, in order.
        most: Maximum number of records to keep. If there are more, delete the oldest records.
        origin: Id of the importing project.
    """

    ends: Mapping[str, str]
    most: int
    origin: str


@frozen(kw_only=True)
class KeepTitles:
    """Store titles of conversations whose last record isn't stored yet.

    A title is applied when the record arrives.

    Attributes:
        titles: Titles, keyed by the id of the conversation's last record, in order.
        origin: Id of the project that the titles were imported into.
    """

    titles: Mapping[str, str]
    origin: str


@frozen
class DropTitles:
    """Remove titles stored by `KeepTitles`: the titles of some records, or all titles if `records` is None."""

    records: tuple[str, ...] | None


@frozen(kw_only=True)
class KeepSummaries:
    """Cache summaries of a session. Do nothing if the session has no messages.

    Attributes:
        session: Id of the session.
        level: Level of the summarised groups; see `lamella.domain.conversations.summary`.
        summaries: Summaries, keyed by fingerprint. A summary replaces a cached summary that begins with the same
            message.
    """

    session: str
    level: int
    summaries: Mapping[str, Summary]


ConversationWrite = AddMessages | NameSession | SetPosition | KeepEnds | KeepTitles | DropTitles | KeepSummaries
"""Write of conversations and of positions in sources."""
