"""Storage of the messages of past conversations, and search in them."""

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Protocol

from lamella.domain.conversations.message import Batch, Message, MessageDraft, Session
from lamella.domain.conversations.query import MessageHit, MessageQuery
from lamella.domain.conversations.summary import Summary
from lamella.domain.text.printing import stored_key
from lamella.domain.transactions.adding import decide_batch, look_for_batch
from lamella.domain.transactions.conversation_writes import KeepSummaries
from lamella.domain.transactions.erasing import decide_session_erase, look_for_session_erase
from lamella.domain.transactions.look import Look
from lamella.ports.storage.transaction import Transactional


class Conversations(Transactional, Protocol):
    """Messages of the conversations in one project. Observations are stored separately."""

    def add(self, batch: Batch) -> int:
        """Store a batch in one transaction: its drafts, names and titles, and the position of its source.

        Drafts with a key of a stored or erased message are ignored. All other drafts get the next numbers of the
        project in order, beginning with 1 and without gaps. A failed batch uses up no numbers. A merge or split
        numbers the moved messages in the same way. Only messages that were erased or moved away leave gaps. A name
        replaces the session's name or title. A name is ignored if its session was erased and has no new messages.

        A title comes with the id of a record, and names the record's session. This is the session of the record's
        stored messages, or else the session in `ends`. All messages of a record should be in one session;
        otherwise, any of their sessions gets the title. A title replaces an earlier title, but not a name. Like a
        name, a title is ignored if its session was erased.

        A title may arrive before its record. The title is then kept until the record is stored; only the latest
        1,000 such titles are kept. The title of an erased record is ignored. The records of `ends` are stored,
        too; only the latest 10,000 are kept. A record that is added again becomes the latest. Names are processed
        before titles. Titles are processed in the order of arrival.

        Returns:
            The number of new messages.
        """
        return self.transact(look_for_batch(batch), partial(decide_batch, batch))

    def known(self, keys: Collection[str]) -> frozenset[str]:
        """Return the subset of `keys` used by stored or erased messages."""
        asked = {key: stored_key(key) for key in keys}
        there = self.look(Look(keys=tuple(asked.values()))).keys
        return frozenset(key for key, stored in asked.items() if stored in there)

    def position(self, source: str) -> str:
        """Return the position up to which a source was read; empty for an unread source."""
        source = stored_key(source)
        return self.look(Look(sources=(source,))).positions.get(source, "")

    def messages(self, numbers: Sequence[int]) -> tuple[Message, ...]:
        """Return the messages with these numbers, sorted by number. Unknown numbers are ignored."""
        return self.look(Look(numbers=tuple(numbers))).said

    def numbers(self, session: str) -> tuple[int, ...]:
        """Return the numbers of all messages of a session, in order."""
        return tuple(self.look(Look(messages_of=stored_key(session))).messages)

    @abstractmethod
    def sessions(self, id: str | None = None) -> tuple[Session, ...]:
        """Return all sessions. With `id`, return only that session.

        Sessions are named by `lamella.domain.conversations.message.session_name`. They are sorted by the time of
        their latest message, newest first, then by id. A session's client is the client of the message with the
        highest number.
        """

    @abstractmethod
    def page(self, *, after: int = 0, limit: int) -> Mapping[int, MessageDraft]:
        """Return messages and their keys for an export. They are keyed by message number, lowest first.

        Args:
            after: Return only messages with higher numbers.
            limit: Maximum number of messages.
        """

    def names(self) -> Mapping[str, str]:
        """Return the session names and titles given by sources, keyed by session id and sorted by id."""
        return self.look(Look(session_names=True)).session_names

    @abstractmethod
    def counts(self, *, since: Sequence[datetime]) -> tuple[int, ...]:
        """For each time, return the number of messages of that time or later."""

    @abstractmethod
    def find(self, query: MessageQuery) -> tuple[MessageHit, ...]:
        """Return the best `query.limit` messages that have a word of the query, best first. Any text is valid.

        Messages of tools are not searched. The score is BM25 over the columns of
        `lamella.domain.search.indexing.indexed_message`, with statistics of all searched messages of the project,
        times `lamella.domain.conversations.query.recency`. Of equal scores, the message with the higher number
        comes first. A message's context comes from the searched messages with lower numbers, regardless of their
        times. Unlike an observation, a message is a hit even if only its context matches.
        """

    def erase(self, session: str) -> int:
        """Delete a session permanently: its messages, name, last records, summaries and activity.

        When this method returns, nothing of the session can be read through any port. With
        `Capability.ERASE_BYTES`, no byte of it remains in any file of the storage. The positions of sources stay.
        Hashes of the message keys stay, and move with merges. They prevent a later import of the messages into any
        session. All titles whose record isn't stored yet are deleted, because any of them may belong to this
        session.

        Returns:
            The number of deleted messages.

        Raises:
            CapabilityUnsupportedError: `Capability.ERASE` is not declared.
            UnfinishedEraseError: The messages are deleted, but their bytes may remain (`Capability.ERASE_BYTES`).
        """
        session = stored_key(session)
        return self.transact(look_for_session_erase(session), partial(decide_session_erase, session))

    def kept(self, session: str, level: int) -> Mapping[str, Summary]:
        """Return the cached summaries of groups of a session's messages.

        Groups of a higher level have more messages. Each summary is keyed by the fingerprint of its messages.

        Any summary may be missing, because the cache may drop summaries.
        """
        return self.look(Look(summaries=(stored_key(session), level))).summaries

    def keep(self, session: str, level: int, summaries: Mapping[str, Summary]) -> None:
        """Cache summaries of parts of a session. Summaries of a session without messages are ignored.

        Args:
            session: Id of the session.
            level: Level of the summarised groups; see `kept`.
            summaries: Summaries, keyed by fingerprint. A summary replaces a cached summary that begins with the
                same message.
        """
        kept = KeepSummaries(session=stored_key(session), level=level, summaries=summaries)
        self.transact(Look(), lambda _: ((kept,), None))
