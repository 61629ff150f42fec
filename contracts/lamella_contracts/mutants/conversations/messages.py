"""Faults in adding messages and reading them again."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from attrs import evolve

from lamella.domain.conversations.message import Message, MessageDraft
from lamella.domain.memories.observation import Kind
from lamella.domain.transactions.plan import AddMessages, NameSession, Plan, SetPosition, Write
from lamella.ports.storage.search import KindCounts, ObservationSearch
from lamella.ports.storage.storage import Capability
from lamella_adapters.memory.conversations import InMemoryConversations
from lamella_adapters.memory.search import InMemorySearch
from lamella_adapters.memory.transaction import InMemoryTransaction
from lamella_contracts.contracts import ConversationsContract
from lamella_contracts.mutants.broken_storage import BrokenStorage, Mutant, Mutants, without, writing
from lamella_contracts.mutants.fault import naming_clauses

MUTANTS = Mutants()


@MUTANTS.add(
    "projects share their conversations",
    trips={
        "sessions_and_records_are_told",
        "a_merge_moves_conversations",
        "a_split_gives_conversations_back",
        "each_project_has_its_own_conversations",
        "known_keys_are_told",
        "positions_go_with_a_merge",
        "titles_move_with_their_project",
        "what_was_erased_stays_known_where_a_project_goes",
    },
)
class SharesProjects(BrokenStorage):
    """One archive for all projects."""

    def _conversations(self, project: str) -> InMemoryConversations:
        scope = super()._conversations(project)
        first = next(iter(self.registry.shelves.values())).archive
        for shelf in self.registry.shelves.values():
            shelf.archive = first
        return scope


@MUTANTS.add("pages of messages overlap", trips={"pages_of_messages_can_be_added_elsewhere"})
class MessagesOverlap(InMemoryConversations):
    def page(self, *, after: int = 0, limit: int) -> Mapping[int, MessageDraft]:
        return super().page(after=after - 1, limit=limit)


class AnswersAsAsked(InMemoryConversations):
    def messages(self, numbers: Sequence[int]) -> tuple[Message, ...]:
        return tuple(each for number in numbers for each in super(AnswersAsAsked, self).messages((number,)))


class MixesSessions(InMemoryConversations):
    def numbers(self, session: str) -> tuple[int, ...]:
        return tuple(number for number in self.archive.rows if super(MixesSessions, self).numbers(session))


@MUTANTS.add("messages count as observations", trips={"messages_are_no_observations"})
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
    "a position needs messages to move",
    trips={"erasing_a_session_leaves_nothing", "positions_go_with_a_merge", "the_position_goes_with_the_messages"},
)
class PositionNeedsMessages(InMemoryTransaction):
    def apply(self, plan: Plan) -> None:
        new = any(isinstance(each, AddMessages) for each in plan)
        super().apply(tuple(each for each in plan if new or not isinstance(each, SetPosition)))


def adding(change: Callable[[MessageDraft], MessageDraft]) -> type[InMemoryTransaction]:
    """Return a transaction that adds other messages."""

    def others(_: InMemoryTransaction, write: AddMessages) -> Iterable[Write]:
        return (evolve(write, drafts=tuple(map(change, write.drafts))),)

    return writing(AddMessages, others)


def _first_names(transaction: InMemoryTransaction, write: NameSession) -> Iterable[Write]:
    return () if write.session in transaction.shelf.archive.names else (write,)


MUTANTS += (
    Mutant(
        fault="microseconds are dropped",
        transaction=adding(lambda draft: evolve(draft, at=draft.at.replace(microsecond=0))),
        trips={
            "every_field_of_a_message_comes_back",
            "message_filters_come_before_the_limit",
            "pages_of_messages_can_be_added_elsewhere",
            "sessions_say_when_they_were",
            "times_of_messages_count_microseconds",
        },
    ),
    Mutant(
        fault="text is trimmed",
        transaction=adding(lambda draft: evolve(draft, text=draft.text.strip())),
        trips={"hostile_messages_come_back_verbatim"},
    ),
    Mutant(
        fault="the first name stays",
        transaction=writing(NameSession, _first_names),
        trips={"sessions_and_records_are_told", "sessions_have_names", "titles_move_with_their_project"},
    ),
    Mutant(
        fault="what is not declared is not refused",
        refuses=True,
        storage=without(Capability.CONVERSATIONS),
        trips=naming_clauses(ConversationsContract),
    ),
    Mutant(
        fault="messages are answered as asked",
        conversations=AnswersAsAsked,
        trips={"messages_are_answered_by_number"},
    ),
    Mutant(
        fault="sessions are mixed",
        conversations=MixesSessions,
        trips={
            "long_keys_of_messages_are_told_apart",
            "a_merge_moves_conversations",
            "hostile_messages_come_back_verbatim",
            "numbers_are_those_of_the_session",
        },
    ),
)
