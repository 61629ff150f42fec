"""Faults in conversations: messages, moves, erases, summaries, titles and search."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from attrs import evolve

from lamella.domain.conversations.message import Message, MessageDraft, Role
from lamella.domain.conversations.query import MessageHit, MessageQuery
from lamella.domain.conversations.summary import Summary
from lamella.domain.memories.observation import Kind
from lamella.domain.memories.query import Span
from lamella.domain.transactions.adding import ConversationFacts
from lamella.domain.transactions.conversation_writes import AddMessages, NameSession, SetPosition
from lamella.domain.transactions.plan import Plan, Write
from lamella.ports.storage.conversations import Conversations
from lamella.ports.storage.search import KindCounts, ObservationSearch
from lamella_adapters.fts5 import bm25
from lamella_adapters.memory.conversations import InMemoryConversations
from lamella_adapters.memory.message_store import Archive
from lamella_adapters.memory.search import InMemorySearch
from lamella_adapters.memory.transaction import InMemoryTransaction
from lamella_contracts.mutants import broken_storage

MUTANTS = broken_storage.storage_mutants()
_EXPLAIN: Callable[..., bm25.MatchDetails] = bm25.explain


@MUTANTS.add("projects share one archive of messages")
class SharesProjects(broken_storage.BrokenStorage):
    """Storage that stores the messages of all projects in one archive."""

    def conversations(self, project: str) -> Conversations:
        scope = super().conversations(project)
        first = next(iter(self.registry.data_of.values())).archive
        for data in self.registry.data_of.values():
            data.archive = first
        return scope


@MUTANTS.add("pages of messages overlap")
class MessagesOverlap(InMemoryConversations):
    def page(self, *, after: int = 0, limit: int) -> Mapping[int, MessageDraft]:
        return super().page(after=after - 1, limit=limit)


@MUTANTS.add("messages come in the order of the request")
class AnswersAsAsked(InMemoryConversations):
    def messages(self, numbers: Sequence[int]) -> tuple[Message, ...]:
        return tuple(each for number in numbers for each in super(AnswersAsAsked, self).messages((number,)))


@MUTANTS.add("numbers of other sessions are returned")
class MixesSessions(InMemoryConversations):
    def numbers(self, session: str) -> tuple[int, ...]:
        return tuple(number for number in self.archive.rows if super(MixesSessions, self).numbers(session))


@MUTANTS.add("messages are counted as observations")
class SavesMessages(broken_storage.BrokenStorage):
    """Storage that counts messages as observations."""

    def search(self, project: str) -> ObservationSearch:
        archive = self.registry.home(project)[1].archive

        class Counting(InMemorySearch):
            def kinds(self, *, since: Sequence[datetime] = ()) -> KindCounts:
                right = super().kinds(since=since)
                return evolve(right, live=Counter(right.live) + Counter({Kind.NOTE: len(archive.rows)}))

        return Counting(self._scope(project))


@MUTANTS.add("a position is stored only with new messages")
class PositionNeedsMessages(InMemoryTransaction):
    def apply(self, plan: Plan) -> None:
        new = any(isinstance(each, AddMessages) for each in plan)
        super().apply(tuple(each for each in plan if new or not isinstance(each, SetPosition)))


def adding(change: Callable[[MessageDraft], MessageDraft]) -> type[InMemoryTransaction]:
    """Return a transaction class that changes added messages."""

    def others(_: InMemoryTransaction, write: AddMessages) -> Iterable[Write]:
        return (evolve(write, drafts=tuple(map(change, write.drafts))),)

    return broken_storage.writing(AddMessages, others)


def _first_names(transaction: InMemoryTransaction, write: NameSession) -> Iterable[Write]:
    return () if write.session in transaction.data.archive.names else (write,)


MUTANTS.add("timestamps lose their microseconds")(
    adding(lambda draft: evolve(draft, at=draft.at.replace(microsecond=0)))
)
MUTANTS.add("messages are trimmed")(adding(lambda draft: evolve(draft, text=draft.text.strip())))
MUTANTS.add("the first name of a session can't be replaced")(broken_storage.writing(NameSession, _first_names))


def of_conversations(fault: Callable[[ConversationFacts], Mapping[str, Any]]) -> type[InMemoryTransaction]:
    """Return a transaction class with changed facts about conversations."""
    return broken_storage.looking(
        lambda _, __, facts: {"conversations": (there := facts.conversations) and evolve(there, **fault(there))}
    )


MUTANTS.add("pending titles are sorted by record")(
    of_conversations(lambda facts: {"waiting": dict(sorted(facts.waiting.items()))})
)
MUTANTS.add("erased sessions are forgotten")(of_conversations(lambda _: {"silent": frozenset()}))


MUTANTS.add("conversations are kept in memory only")(broken_storage.losing("archive"))


@MUTANTS.add("a merge leaves conversations behind")
class LeavesMessages(Archive):
    def take(self, source: Archive, leaves: Callable[[str], bool]) -> None:
        del source, leaves


@MUTANTS.add("summaries of unknown sessions are kept")
class KeepsSummariesOfNothing(InMemoryConversations):
    def keep(self, session: str, level: int, summaries: Mapping[str, Summary]) -> None:
        self.archive.summaries[session, level] = {each.first: (mark, each) for mark, each in summaries.items()}


@MUTANTS.add("a split keeps summaries of moved messages")
class SplitKeepsSummaries(Archive):
    def take(self, source: Archive, leaves: Callable[[str], bool]) -> None:
        kept = dict(source.summaries)
        super().take(source, leaves)
        source.summaries.update(kept)


class Finding(InMemoryConversations):
    """Search in conversations. Subclasses change its correct hits."""

    def find(self, query: MessageQuery) -> tuple[MessageHit, ...]:
        hits = super().find(evolve(self.asked(query), limit=1_000))
        hits = tuple(sorted(filter(None, (self.told(hit, query) for hit in hits)), key=self.order))
        return hits[: query.limit]

    def asked(self, query: MessageQuery) -> MessageQuery:
        return query

    def told(self, hit: MessageHit, query: MessageQuery) -> MessageHit | None:
        del query
        return hit

    def order(self, hit: MessageHit) -> tuple[Any, ...]:
        return -hit.score, -hit.message.number


@MUTANTS.add("messages must contain every word")
class NeedsAllWords(Finding):
    def told(self, hit: MessageHit, query: MessageQuery) -> MessageHit | None:
        text = hit.message.text.lower()
        return hit if len(text) > 20 or all(word.lower() in text for word in query.text.split()) else None


@MUTANTS.add("spans are off by one")
class ShiftsSpans(Finding):
    def told(self, hit: MessageHit, query: MessageQuery) -> MessageHit:
        del query
        return evolve(hit, spans=tuple(Span(each.start + 1, each.end + 1, each.word) for each in hit.spans))


@MUTANTS.add("output of tools is searched")
class SearchesTools(InMemoryConversations):
    def _hits(self, query: MessageQuery) -> Iterator[MessageHit]:
        rows, said = self.archive.rows, Role.ASSISTANT
        kept = dict(rows)
        for number, row in kept.items():
            if not row.message.role.searched:
                rows[number] = evolve(row, message=evolve(row.message, role=said))
        hits = list(super()._hits(query))
        rows.update(kept)
        return (evolve(hit, message=kept[hit.message.number].message) for hit in hits)


@MUTANTS.add("ties are broken by the earlier message")
class TiesFallEarlier(Finding):
    def order(self, hit: MessageHit) -> tuple[Any, ...]:
        return -hit.score, hit.message.number


@MUTANTS.add("query syntax is interpreted")
class TakesOperators(InMemoryConversations):
    def find(self, query: MessageQuery) -> tuple[MessageHit, ...]:
        if set("'\"([{") & set(query.text):
            raise ValueError(query.text)
        return super().find(query)


@MUTANTS.add("context adds no strength")
class StrongByItself(InMemoryConversations):
    def find(self, query: MessageQuery) -> tuple[MessageHit, ...]:
        with broken_storage.changed(bm25, explain=lambda *asked: _EXPLAIN(*asked[:-1], ())):
            return super().find(query)


@MUTANTS.add("the session filter is applied after the limit")
class FiltersLast(InMemoryConversations):
    def find(self, query: MessageQuery) -> tuple[MessageHit, ...]:
        hits = super().find(evolve(query, filters=evolve(query.filters, session=None)))
        return tuple(hit for hit in hits if query.filters.session in (None, hit.message.session))
