"""The messages of one project, in a dictionary."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from attrs import define

from lamella.domain.conversations.message import MessageDraft, Session
from lamella.domain.conversations.query import MessageHit, MessageQuery, recency
from lamella.domain.memories.filtering import is_within
from lamella.domain.search import indexing
from lamella.domain.text.printing import stored_key
from lamella.ports.storage.conversations import Conversations
from lamella_adapters.fts5.scores import Rows
from lamella_adapters.memory.message_store import Archive
from lamella_adapters.memory.observations import Beside


@define(eq=False)
class InMemoryConversations(Beside, Conversations):
    """Conversations of one project. After a merge, these are the conversations of the target project."""

    @property
    def archive(self) -> Archive:
        """Return the present archive of the project."""
        return self.observations.data.archive

    def sessions(self, id: str | None = None) -> tuple[Session, ...]:
        """See `Conversations.sessions`."""
        with self.observations.lock:
            known = {row.message.session for row in self.archive.rows.values()}
            ids = sorted(known if id is None else known & {stored_key(id)})
            return tuple(sorted(map(self._session, ids), key=lambda each: each.ended_at, reverse=True))

    def page(self, *, after: int = 0, limit: int) -> Mapping[int, MessageDraft]:
        """See `Conversations.page`."""
        with self.observations.lock:
            later = [number for number in self.archive.rows if number > after]
            return {number: self.archive.rows[number].draft for number in sorted(later)[:limit]}

    def counts(self, *, since: Sequence[datetime]) -> tuple[int, ...]:
        """See `Conversations.counts`."""
        with self.observations.lock:
            return tuple(sum(row.message.at >= time for row in self.archive.rows.values()) for time in since)

    def find(self, query: MessageQuery) -> tuple[MessageHit, ...]:
        """See `Conversations.find`."""
        with self.observations.lock:
            hits = sorted(self._hits(query), key=lambda hit: (-hit.score, -hit.message.number))
        return tuple(hits[: query.limit])

    def _session(self, id: str) -> Session:
        said = [row.message for row in self.archive.of(id)]
        moments = [each.at for each in said]
        return Session(
            id=id,
            name=self.archive.name_of(id),
            started_at=min(moments),
            ended_at=max(moments),
            messages=len(said),
            client=said[-1].client,
        )

    def _hits(self, query: MessageQuery) -> Iterator[MessageHit]:
        """Yield the hits within the filters, scored by BM25 over all searched messages."""
        messages = [row.message for row in self.archive.rows.values() if row.message.role.searched]
        indexed = {each.number: self.archive.rows[each.number].indexed for each in messages}
        rows = Rows.of({number: text.columns for number, text in indexed.items()})
        plan, scored = rows.ranked(query.words)
        for message in messages:
            in_session = query.filters.session in (None, message.session)
            if message.number in scored and in_session and is_within(message.at, query.filters):
                text = indexed[message.number]
                others = (indexing.message_heading(message.role, message.at), text.hidden_forms)
                score = scored[message.number] * recency(message.at, query.now)
                name = self.archive.name_of(message.session)
                yield plan.message_hit(message, others, session_name=name, score=score)
