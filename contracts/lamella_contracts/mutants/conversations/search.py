"""Faults in finding messages."""

from collections.abc import Callable, Iterator
from typing import Any

from attrs import evolve

from lamella.domain.conversations.message import Role
from lamella.domain.conversations.query import MessageHit, MessageQuery
from lamella.domain.memories.query import Span
from lamella_adapters.fts5 import bm25
from lamella_adapters.memory.conversations import InMemoryConversations
from lamella_contracts.mutants.broken_storage import changed, storage_mutants

MUTANTS = storage_mutants()


_EXPLAIN: Callable[..., bm25.MatchDetails] = bm25.explain


class Finding(InMemoryConversations):
    """Finds other hits than there are."""

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


@MUTANTS.add("messages must contain every word", "a_split_gives_conversations_back", "any_word_finds_a_message")
class NeedsAllWords(Finding):
    def told(self, hit: MessageHit, query: MessageQuery) -> MessageHit | None:
        text = hit.message.text.lower()
        return hit if len(text) > 20 or all(word.lower() in text for word in query.text.split()) else None


@MUTANTS.add("words held are not told", "a_hit_says_where_and_in_which_session")
class ForgetsWords(Finding):
    def told(self, hit: MessageHit, query: MessageQuery) -> MessageHit:
        del query
        return evolve(hit, held={})


@MUTANTS.add("spans are off by one", "a_hit_says_where_and_in_which_session")
class ShiftsSpans(Finding):
    def told(self, hit: MessageHit, query: MessageQuery) -> MessageHit:
        del query
        return evolve(hit, spans=tuple(Span(each.start + 1, each.end + 1, each.word) for each in hit.spans))


@MUTANTS.add(
    "output of tools is searched",
    "messages_rank_as_in_the_model",
    "times_of_messages_count_microseconds",
    "tools_are_not_searched",
    "what_was_said_before_helps_to_find",
)
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


@MUTANTS.add("ties are broken by the earlier message", "the_best_of_many_messages_are_found")
class TiesFallEarlier(Finding):
    def order(self, hit: MessageHit) -> tuple[Any, ...]:
        return -hit.score, hit.message.number


@MUTANTS.add("query syntax is interpreted", "any_text_can_be_looked_for_in_messages")
class TakesOperators(InMemoryConversations):
    def find(self, query: MessageQuery) -> tuple[MessageHit, ...]:
        if set("'\"([{") & set(query.text):
            raise ValueError(query.text)
        return super().find(query)


@MUTANTS.add("context adds no strength", "messages_have_strength")
class StrongByItself(InMemoryConversations):
    def find(self, query: MessageQuery) -> tuple[MessageHit, ...]:
        with changed(bm25, explain=lambda *asked: _EXPLAIN(*asked[:-1], ())):
            return super().find(query)


@MUTANTS.add("the session filter is applied after the limit", "message_filters_come_before_the_limit")
class FiltersLast(InMemoryConversations):
    def find(self, query: MessageQuery) -> tuple[MessageHit, ...]:
        hits = super().find(evolve(query, filters=evolve(query.filters, session=None)))
        return tuple(hit for hit in hits if query.filters.session in (None, hit.message.session))
