"""Faults that come with a database server in conversations, in the ledger and in the log of activity."""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime

from attrs import evolve

from lamella.domain.conversations.message import Batch, Message, MessageDraft, Session
from lamella.domain.conversations.query import MessageHit, MessageQuery
from lamella.domain.conversations.summary import Summary
from lamella.ports.storage.activity import Activity
from lamella.ports.storage.ledger import Capture
from lamella_adapters.memory.activity import InMemoryActivity
from lamella_adapters.memory.conversations import InMemoryConversations
from lamella_adapters.memory.ledger import InMemoryLedger
from lamella_adapters.memory.message_store import Archive, MessageRow
from lamella_contracts.mutants.broken_storage import Mutant
from lamella_contracts.mutants.conversations.messages import Adding
from lamella_contracts.mutants.ledger.recording import Recording


def _milliseconds(at: datetime) -> datetime:
    return at.replace(microsecond=at.microsecond // 1000 * 1000)


class CutsKeys(Adding):
    def told(self, draft: MessageDraft) -> MessageDraft:
        return evolve(draft, key=draft.key[:255], session=draft.session[:255])


class AsksAsGiven(InMemoryConversations):
    """Compares a key as it is given with what is stored."""

    def known(self, keys: Collection[str]) -> frozenset[str]:
        return frozenset(self.archive.known(keys))

    def position(self, source: str) -> str:
        return self.archive.positions.get(source, ("", ""))[0]


class SinceInMilliseconds(InMemoryConversations):
    def find(self, query: MessageQuery) -> tuple[MessageHit, ...]:
        since = query.filters.since
        return super().find(evolve(query, filters=evolve(query.filters, since=since and _milliseconds(since))))


class CountsInMilliseconds(InMemoryConversations):
    def counts(self, *, since: Sequence[datetime]) -> tuple[int, ...]:
        return super().counts(since=[_milliseconds(each) for each in since])


class CountsWithoutZone(InMemoryConversations):
    def counts(self, *, since: Sequence[datetime]) -> tuple[int, ...]:
        return super().counts(since=[each.replace(tzinfo=UTC) for each in since])


class KeysOfSessions(Archive):
    """Has a unique index on session and key."""

    def place(self, row: MessageRow) -> bool:
        return super().place(evolve(row, key=f"{row.message.session} {row.key}"))


class SessionsByLocale(InMemoryConversations):
    def sessions(self, id: str | None = None) -> tuple[Session, ...]:
        by_name = sorted(super().sessions(id), key=lambda each: each.id.lower())
        return tuple(sorted(by_name, key=lambda each: each.ended_at, reverse=True))


class SessionsArePatterns(InMemoryConversations):
    def numbers(self, session: str) -> tuple[int, ...]:
        rows = self.archive.rows.values()
        if session.endswith("%"):
            return tuple(row.message.number for row in rows if row.message.session.startswith(session[:-1]))
        return super().numbers(session)


class NoEmptyNumbers(InMemoryConversations):
    def messages(self, numbers: Sequence[int]) -> tuple[Message, ...]:
        if not numbers:
            raise SyntaxError("IN ()")
        return super().messages(numbers)


class PositionOnlyForward(InMemoryConversations):
    """Keeps the greater of two positions, as text."""

    def add(self, batch: Batch) -> int:
        return super().add(evolve(batch, position=max(batch.position, self.position(batch.source))))


class BatchOfFifty(InMemoryConversations):
    """Inserts as many rows as one statement takes."""

    def add(self, batch: Batch) -> int:
        return super().add(evolve(batch, drafts=batch.drafts[:100]))


class SummariesPileUp(InMemoryConversations):
    def keep(self, session: str, level: int, summaries: Mapping[str, Summary]) -> None:
        begun = {each.first for each in self.kept(session, level).values()}
        super().keep(session, level, {mark: each for mark, each in summaries.items() if each.first not in begun})


class CutsRequests(Recording):
    def told(self, capture: Capture) -> Capture:
        request = capture.draft.request
        return evolve(capture, draft=evolve(capture.draft, request=request and request[:255]))


class TakesNoEmptyList(InMemoryLedger):
    def known(self, requests: Collection[str]) -> frozenset[str]:
        if not requests:
            raise SyntaxError("IN ()")
        return super().known(requests)


class LogByLocale(InMemoryActivity):
    def since(self, moment: datetime) -> tuple[Activity, ...]:
        return tuple(sorted(super().since(moment), key=lambda each: (each.at, each.name.swapcase())))


class CutsNames(InMemoryActivity):
    def add(self, entries: Sequence[Activity]) -> None:
        super().add([evolve(each, name=each.name[:255]) for each in entries])


class SinceWithoutZone(InMemoryActivity):
    def since(self, moment: datetime) -> tuple[Activity, ...]:
        return super().since(moment.replace(tzinfo=UTC))


CONVERSATIONS = (
    Mutant(
        fault="keys of messages are cut", conversations=CutsKeys, trips={"long_keys_of_messages_are_told_apart"}
    ),
    Mutant(
        fault="keys are asked for as they are given",
        conversations=AsksAsGiven,
        trips={"long_keys_of_messages_are_told_apart"},
    ),
    Mutant(
        fault="messages are found by milliseconds",
        conversations=SinceInMilliseconds,
        trips={"times_of_messages_count_microseconds"},
    ),
    Mutant(
        fault="messages are counted by milliseconds",
        conversations=CountsInMilliseconds,
        trips={"times_of_messages_count_microseconds"},
    ),
    Mutant(
        fault="messages are counted in local time",
        conversations=CountsWithoutZone,
        trips={"times_of_messages_count_microseconds"},
    ),
    Mutant(
        fault="keys are those of a session",
        archive=KeysOfSessions,
        trips={
            "pages_of_messages_can_be_added_elsewhere",
            "a_known_key_is_passed_over",
            "a_merge_moves_conversations",
            "a_split_gives_conversations_back",
            "a_title_names_the_session_of_its_record",
            "a_title_replaces_a_title_and_no_name",
            "a_title_waits_for_its_record",
            "an_erased_message_stays_known",
            "known_keys_are_told",
            "long_keys_of_messages_are_told_apart",
            "titles_move_with_their_project",
            "what_waits_is_bounded",
            "what_was_erased_stays_known_where_a_project_goes",
        },
    ),
    Mutant(
        fault="sessions are listed without case",
        conversations=SessionsByLocale,
        trips={"sessions_say_when_they_were"},
    ),
    Mutant(
        fault="sessions are patterns",
        conversations=SessionsArePatterns,
        trips={"numbers_are_those_of_the_session"},
    ),
    Mutant(
        fault="no numbers are an error",
        conversations=NoEmptyNumbers,
        trips={"a_known_key_is_passed_over", "messages_are_answered_by_number"},
    ),
    Mutant(
        fault="a position never goes back",
        conversations=PositionOnlyForward,
        trips={"the_position_goes_with_the_messages"},
    ),
    Mutant(
        fault="a batch has a hundred at most",
        conversations=BatchOfFifty,
        trips={"the_best_of_many_messages_are_found"},
    ),
    Mutant(
        fault="summaries are not replaced",
        conversations=SummariesPileUp,
        trips={"a_new_summary_replaces_the_one_before"},
    ),
)

LEDGER = (
    Mutant(fault="requests of captures are cut", ledger=CutsRequests, trips={"long_requests_are_told_apart"}),
    Mutant(fault="no requests are an error", ledger=TakesNoEmptyList, trips={"no_captures_are_no_error"}),
)

ACTIVITY = (
    Mutant(fault="activity is listed without case", activity=LogByLocale, trips={"activity_is_told_oldest_first"}),
    Mutant(fault="names of activity are cut", activity=CutsNames, trips={"long_names_of_activity_are_told_apart"}),
    Mutant(fault="activity has no zone", activity=SinceWithoutZone, trips={"activity_is_told_oldest_first"}),
)
