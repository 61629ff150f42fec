"""Storage of the messages of past conversations, and search in them."""

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from lamella.domain.conversations.message import Batch, Message, Session
from lamella.domain.conversations.query import MessageHit, MessageQuery
from lamella.domain.conversations.summary import Summary


class Conversations(Protocol):
    """The messages of one project: a collection of its own beside the observations, which know nothing of it."""

    __slots__ = ()

    @abstractmethod
    def add(self, batch: Batch) -> int:
        """Stores the drafts of `batch`, the names of its sessions and the position of its source; one transaction.

        A draft whose key is `known` is passed over. The others get the next numbers of the project, from 1, in
        their order. A name replaces the one that the session was given before; that of a session which was erased,
        and in which nothing has been said since, is passed over. How many were new.

        A title is the name of the session that its record is in: of a message that is here, or one of the `ends`
        that were added. It replaces an earlier title but no name. One whose record isn't here waits for it, the
        latest 1,000 do; one whose record was erased is passed over. Of `ends` the latest 10,000 are known.
        """

    @abstractmethod
    def known(self, keys: Collection[str]) -> frozenset[str]:
        """Return those of `keys` that a message has, or had before it was erased."""

    @abstractmethod
    def position(self, source: str) -> str:
        """Return the position up to which a source was read; empty if it never was."""

    @abstractmethod
    def messages(self, numbers: Sequence[int]) -> tuple[Message, ...]:
        """Return the messages with these numbers that exist, by number."""

    @abstractmethod
    def numbers(self, session: str) -> tuple[int, ...]:
        """The numbers of all messages of a session, in order."""

    @abstractmethod
    def sessions(self, id: str | None = None) -> tuple[Session, ...]:
        """Every session, or the one with this id: the one with the latest message first; of several, by id."""

    @abstractmethod
    def count(self, *, since: datetime) -> int:
        """Return the number of messages at `since` or later."""

    @abstractmethod
    def find(self, query: MessageQuery) -> tuple[MessageHit, ...]:
        """The best `query.limit` messages that hold any of the words, best first. No text raises.

        Searched are messages of people, assistants, systems and thoughts. The score is BM25 over the columns of
        `lamella.domain.search.indexing.indexed_message`, with statistics of all such messages of the project,
        times `lamella.domain.conversations.query.recency`; equal scores: the higher number first.
        """

    @abstractmethod
    def erase(self, session: str) -> int:
        """Deletes a session for good: its messages, its name, its summaries and what its hooks did.

        How many messages that were. When it returns, no byte of it is left in any file of the storage. Positions
        stay, and its keys stay `known`, as hashes and wherever the project goes: no copy of it, under any session,
        brings it back.

        Raises:
            CapabilityUnsupportedError: `Capability.ERASE` is not declared.
            UnfinishedEraseError: the messages are gone and a file may still hold bytes of them.
        """


class SummaryCache(Protocol):
    """Summaries of parts of the sessions of one project, so that none is made twice. May forget any of them."""

    __slots__ = ()

    @abstractmethod
    def kept(self, session: str, level: int) -> Mapping[str, Summary]:
        """The summaries of a session that are kept at `level`, by the fingerprint of what they were made of."""

    @abstractmethod
    def keep(self, session: str, level: int, summaries: Mapping[str, Summary]) -> None:
        """Keeps `summaries`, by fingerprint; one that begins with the same message replaces the one before.

        Of a session that has no messages nothing is kept.
        """
