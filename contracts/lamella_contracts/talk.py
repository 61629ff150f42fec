"""The conversations of one project of the storage under test, the same in every run."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import count

from attrs import define, field

from lamella.domain.conversation import Batch, Message, MessageDraft, Role
from lamella.domain.query import MessageHit, MessageQuery
from lamella.ports.conversations import Conversations, SummaryCache
from lamella_contracts.notebook import DAWN, MINUTE, Notebook


@define(eq=False)
class Talk:
    """What is said in a notebook's project: each message a minute after the one before, with a key of its own."""

    notebook: Notebook
    _said: Iterator[int] = field(init=False, factory=lambda: count(1))

    @property
    def conversations(self) -> Conversations:
        """The project's conversations."""
        return self.notebook.storage.conversations(self.notebook.project.id)

    @property
    def summaries(self) -> SummaryCache:
        """What is kept of their summaries."""
        return self.notebook.storage.summaries(self.notebook.project.id)

    def draft(
        self,
        text: str,
        *,
        session: str = "s1",
        role: Role = Role.HUMAN,
        at: datetime | None = None,
        key: str | None = None,
    ) -> MessageDraft:
        """What someone says next."""
        number = next(self._said)
        key = key or f"{self.notebook.location.name}-{number}"
        return MessageDraft(key=key, session=session, role=role, text=text, at=at or DAWN + MINUTE * number)

    def add(
        self,
        *drafts: MessageDraft,
        source: str = "transcript",
        position: str = "1",
        names: Mapping[str, str] | None = None,
        titles: Mapping[str, str] | None = None,
        ends: Mapping[str, str] | None = None,
    ) -> int:
        """Adds these in one batch; how many were new."""
        batch = Batch(
            source=source,
            position=position,
            drafts=drafts,
            names=names or {},
            titles=titles or {},
            ends=ends or {},
        )
        return self.conversations.add(batch)

    def say(
        self, text: str, *, session: str = "s1", role: Role = Role.HUMAN, at: datetime | None = None
    ) -> Message:
        """The message that was added when someone said this."""
        self.add(self.draft(text, session=session, role=role, at=at))
        (message,) = self.conversations.messages(self.conversations.numbers(session)[-1:])
        return message

    def of(self, session: str) -> tuple[Message, ...]:
        """Every message of a session."""
        return self.conversations.messages(self.conversations.numbers(session))

    def find(
        self,
        text: str,
        *,
        now: datetime = DAWN,
        session: str | None = None,
        since: datetime | None = None,
        limit: int = 10,
    ) -> tuple[MessageHit, ...]:
        """What is found; to begin with at a time at which everything is fresh."""
        query = MessageQuery(text=text, now=now, session=session, since=since, limit=limit)
        return self.conversations.find(query)

    def texts(
        self, text: str, *, session: str | None = None, since: datetime | None = None, limit: int = 10
    ) -> list[str]:
        """The text of each message that is found."""
        return [hit.message.text for hit in self.find(text, session=session, since=since, limit=limit)]
