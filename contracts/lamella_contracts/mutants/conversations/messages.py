"""Faults in adding messages and reading them again."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from attrs import evolve

from lamella.domain.conversations.message import Batch, Message, MessageDraft, Session
from lamella.ports.storage.search import ObservationSearch
from lamella.ports.storage.storage import Capability
from lamella_adapters.memory.conversations import InMemoryConversations
from lamella_adapters.memory.message_store import Archive, MessageRow
from lamella_adapters.memory.search import InMemorySearch
from lamella_contracts.contracts import ConversationsContract
from lamella_contracts.mutants.broken_storage import BrokenStorage, Mutant, Mutants, without
from lamella_contracts.mutants.fault import naming_clauses
from lamella_contracts.mutants.threads import Meeting, racing

MUTANTS = Mutants()


@MUTANTS.add(
    "projects share their conversations",
    trips={
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


class Adding(InMemoryConversations):
    """Adds another batch than it is given."""

    def add(self, batch: Batch) -> int:
        return super().add(evolve(batch, drafts=tuple(map(self.told, batch.drafts))))

    def told(self, draft: MessageDraft) -> MessageDraft:
        return draft


@MUTANTS.add(
    "microseconds are dropped",
    trips={
        "times_of_messages_count_microseconds",
        "every_field_of_a_message_comes_back",
        "message_filters_come_before_the_limit",
        "messages_are_counted_by_their_time",
        "sessions_say_when_they_were",
    },
)
class DropsMicroseconds(Adding):
    def told(self, draft: MessageDraft) -> MessageDraft:
        return evolve(draft, at=draft.at.replace(microsecond=0))


@MUTANTS.add("what was said is trimmed", trips={"hostile_messages_come_back_verbatim"})
class Trims(Adding):
    def told(self, draft: MessageDraft) -> MessageDraft:
        return evolve(draft, text=draft.text.strip())


@MUTANTS.add(
    "keys are not looked at",
    trips={
        "long_keys_of_messages_are_told_apart",
        "a_known_key_is_passed_over",
        "a_merge_moves_conversations",
        "a_split_gives_conversations_back",
        "an_erased_message_stays_known",
        "known_keys_are_told",
        "pages_of_messages_can_be_added_elsewhere",
        "racing_imports_double_nothing",
        "what_was_erased_stays_known_where_a_project_goes",
    },
)
class Doubles(Archive):
    def place(self, row: MessageRow) -> bool:
        return super().place(evolve(row, key=f"{row.key} {self.last_number}"))


@MUTANTS.add("a known key replaces", trips={"a_known_key_is_passed_over", "a_split_gives_conversations_back"})
class Replaces(Archive):
    def place(self, row: MessageRow) -> bool:
        for number, each in self.rows.items():
            if each.key == row.key:
                self.rows[number] = evolve(row, message=evolve(row.message, number=number))
        return super().place(row)


@MUTANTS.add("keys of tools are not known", trips={"known_keys_are_told"})
class ForgetsWhatToolsDid(InMemoryConversations):
    def known(self, keys: Collection[str]) -> frozenset[str]:
        tools = {row.key for row in self.archive.rows.values() if not row.message.role.searched}
        return super().known(keys) - tools


@MUTANTS.add(
    "a position needs messages to move", trips={"positions_go_with_a_merge", "the_position_goes_with_the_messages"}
)
class PositionNeedsMessages(InMemoryConversations):
    def add(self, batch: Batch) -> int:
        before = self.position(batch.source)
        return super().add(batch if batch.drafts else evolve(batch, position=before))


class AnswersAsAsked(InMemoryConversations):
    def messages(self, numbers: Sequence[int]) -> tuple[Message, ...]:
        return tuple(each for number in numbers for each in super(AnswersAsAsked, self).messages((number,)))


class MixesSessions(InMemoryConversations):
    def numbers(self, session: str) -> tuple[int, ...]:
        return tuple(number for number in self.archive.rows if super(MixesSessions, self).numbers(session))


@MUTANTS.add("sessions are listed by their beginning", trips={"sessions_say_when_they_were"})
class OldestFirst(InMemoryConversations):
    def sessions(self, id: str | None = None) -> tuple[Session, ...]:
        return tuple(sorted(super().sessions(id), key=lambda each: each.started_at))


@MUTANTS.add(
    "names are ignored",
    trips={
        "a_name_that_arrives_replaces_a_title",
        "a_hit_says_where_and_in_which_session",
        "a_merge_moves_conversations",
        "a_record_without_words_is_known_by_its_title",
        "a_split_gives_conversations_back",
        "a_title_names_the_session_of_its_record",
        "a_title_replaces_a_title_and_no_name",
        "a_title_waits_for_its_record",
        "sessions_have_names",
        "the_name_of_an_erased_session_does_not_come_back",
        "titles_move_with_their_project",
        "what_waits_is_bounded",
    },
)
class IgnoresNames(Archive):
    def name_of(self, session: str) -> str:
        self.names.clear()
        return super().name_of(session)


@MUTANTS.add("the first name stays", trips={"a_title_replaces_a_title_and_no_name", "sessions_have_names"})
class KeepsTheFirstName(InMemoryConversations):
    def add(self, batch: Batch) -> int:
        known = self.archive.names
        return super().add(evolve(batch, names={id: known.get(id, name) for id, name in batch.names.items()}))


@MUTANTS.add(
    "what was said then is not counted",
    trips={"times_of_messages_count_microseconds", "messages_are_counted_by_their_time"},
)
class CountsLater(InMemoryConversations):
    def counts(self, *, since: Sequence[datetime]) -> tuple[int, ...]:
        return super().counts(since=[time + timedelta(microseconds=1) for time in since])


@MUTANTS.add("tools are not counted", trips={"messages_are_counted_by_their_time"})
class CountsWhatIsSearched(InMemoryConversations):
    def counts(self, *, since: Sequence[datetime]) -> tuple[int, ...]:
        said = [row.message for row in self.archive.rows.values()]
        return tuple(sum(each.role.searched and each.at >= time for each in said) for time in since)


@MUTANTS.add("messages count as observations", trips={"messages_are_no_observations"})
class SavesMessages(BrokenStorage):
    """Counts messages among the observations."""

    def search(self, project: str) -> ObservationSearch:
        archive = self.registry.home(project)[1].archive

        class Counting(InMemorySearch):
            def count(self, *, include_purged: bool = False) -> int:
                return super().count(include_purged=include_purged) + len(archive.rows)

        return Counting(self._scope(project))


class MeetingArchive(Archive):
    """Archive in which threads that add messages wait for each other."""

    def __init__(self) -> None:
        super().__init__()
        self.meeting = Meeting()


class RacesAhead(InMemoryConversations):
    """Asks for known keys before anybody stores."""

    def add(self, batch: Batch) -> int:
        archive = self.archive
        assert isinstance(archive, MeetingArchive)
        if not racing():
            return super().add(batch)
        known = self.known([each.key for each in batch.drafts])
        thread = archive.meeting.wait()
        drafts = (each if each.key in known else evolve(each, key=f"{each.key} {thread}") for each in batch.drafts)
        return super().add(evolve(batch, drafts=tuple(drafts)))


MUTANTS += (
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
    Mutant(
        fault="keys are asked for before the transaction",
        conversations=RacesAhead,
        archive=MeetingArchive,
        trips={"racing_imports_double_nothing"},
    ),
)
