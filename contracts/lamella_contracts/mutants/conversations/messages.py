"""Faults in adding messages and reading them again, and in facts about sessions, records and titles."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from attrs import evolve

from lamella.domain.conversations.message import Message, MessageDraft
from lamella.domain.memories.observation import Kind
from lamella.domain.transactions.conversation_writes import AddMessages, NameSession, SetPosition
from lamella.domain.transactions.look import ConversationFacts
from lamella.domain.transactions.plan import Plan, Write
from lamella.ports.storage.search import KindCounts, ObservationSearch
from lamella_adapters.memory.conversations import InMemoryConversations
from lamella_adapters.memory.search import InMemorySearch
from lamella_adapters.memory.transaction import InMemoryTransaction
from lamella_contracts.mutants.broken_storage import BrokenStorage, looking, storage_mutants, writing

MUTANTS = storage_mutants()


@MUTANTS.add(
    "projects share one archive of messages", "each_project_has_its_own_conversations", "known_keys_are_told"
)
class SharesProjects(BrokenStorage):
    """One archive for all projects."""

    def _conversations(self, project: str) -> InMemoryConversations:
        scope = super()._conversations(project)
        first = next(iter(self.registry.data_of.values())).archive
        for data in self.registry.data_of.values():
            data.archive = first
        return scope


@MUTANTS.add("pages of messages overlap", "pages_of_messages_can_be_added_elsewhere")
class MessagesOverlap(InMemoryConversations):
    def page(self, *, after: int = 0, limit: int) -> Mapping[int, MessageDraft]:
        return super().page(after=after - 1, limit=limit)


@MUTANTS.add("messages come in the order of the request", "messages_are_answered_by_number")
class AnswersAsAsked(InMemoryConversations):
    def messages(self, numbers: Sequence[int]) -> tuple[Message, ...]:
        return tuple(each for number in numbers for each in super(AnswersAsAsked, self).messages((number,)))


@MUTANTS.add(
    "numbers of other sessions are returned", "a_merge_moves_conversations", "numbers_are_those_of_the_session"
)
class MixesSessions(InMemoryConversations):
    def numbers(self, session: str) -> tuple[int, ...]:
        return tuple(number for number in self.archive.rows if super(MixesSessions, self).numbers(session))


@MUTANTS.add("messages are counted as observations", "messages_are_no_observations")
class SavesMessages(BrokenStorage):
    """Counts messages among the observations."""

    def search(self, project: str) -> ObservationSearch:
        archive = self.registry.home(project)[1].archive

        class Counting(InMemorySearch):
            def kinds(self, *, since: Sequence[datetime] = ()) -> KindCounts:
                right = super().kinds(since=since)
                return evolve(right, live=Counter(right.live) + Counter({Kind.NOTE: len(archive.rows)}))

        return Counting(self._scope(project))


@MUTANTS.add(
    "a position is stored only with new messages",
    "erasing_a_session_leaves_nothing",
    "positions_go_with_a_merge",
    "the_position_goes_with_the_messages",
)
class PositionNeedsMessages(InMemoryTransaction):
    def apply(self, plan: Plan) -> None:
        new = any(isinstance(each, AddMessages) for each in plan)
        super().apply(tuple(each for each in plan if new or not isinstance(each, SetPosition)))


def adding(change: Callable[[MessageDraft], MessageDraft]) -> type[InMemoryTransaction]:
    """Return a transaction that changes added messages."""

    def others(_: InMemoryTransaction, write: AddMessages) -> Iterable[Write]:
        return (evolve(write, drafts=tuple(map(change, write.drafts))),)

    return writing(AddMessages, others)


def _first_names(transaction: InMemoryTransaction, write: NameSession) -> Iterable[Write]:
    return () if write.session in transaction.data.archive.names else (write,)


MUTANTS.add(
    "timestamps lose their microseconds", "every_field_of_a_message_comes_back", "sessions_say_when_they_were"
)(adding(lambda draft: evolve(draft, at=draft.at.replace(microsecond=0))))
MUTANTS.add("messages are trimmed", "hostile_messages_come_back_verbatim")(
    adding(lambda draft: evolve(draft, text=draft.text.strip()))
)
MUTANTS.add(
    "the first name of a session can't be replaced",
    "sessions_and_records_are_told",
    "sessions_have_names",
    "titles_move_with_their_project",
)(writing(NameSession, _first_names))


def of_conversations(fault: Callable[[ConversationFacts], Mapping[str, Any]]) -> type[InMemoryTransaction]:
    """Return a transaction with changed facts about conversations."""
    return looking(
        lambda _, __, facts: {"conversations": evolve(facts.conversations, **fault(facts.conversations))}
    )


MUTANTS.add("pending titles are sorted by record", "what_waits_is_kept_in_order")(
    of_conversations(lambda facts: {"waiting": dict(sorted(facts.waiting.items()))})
)
MUTANTS.add("erased sessions are forgotten", "erased_sessions_and_records_are_told")(
    of_conversations(lambda _: {"silent": frozenset()})
)
