"""Faults in erasing, moving and summarising conversations."""

from collections.abc import Callable, Mapping

from attrs import evolve

from lamella.domain.conversations.summary import Summary
from lamella_adapters.memory.conversations import InMemoryConversations
from lamella_adapters.memory.message_store import Archive, MessageRow
from lamella_adapters.memory.observations import Home
from lamella_contracts.mutants.broken_storage import DurableStorage, Mutants

MUTANTS = Mutants()


@MUTANTS.add(
    "conversations are in memory only", trips={"conversations_survive_a_restart", "titles_survive_a_restart"}
)
class Forgetful(DurableStorage):
    """Keeps everything when it is closed but conversations."""

    def restarted(self) -> None:
        for shelf in self.registry.shelves.values():
            shelf.archive = Archive()


@MUTANTS.add(
    "an erase leaves the name",
    trips={
        "erasing_a_session_leaves_nothing",
        "the_name_of_an_erased_session_does_not_come_back",
        "titles_of_erased_sessions_do_not_come_back",
    },
)
class ErasesMessagesOnly(InMemoryConversations):
    def erase(self, session: str) -> int:
        name = self.archive.names.get(session)
        erased = super().erase(session)
        if name is not None:
            self.archive.names[session] = name
        return erased


@MUTANTS.add("an erase leaves summaries", trips={"erasing_a_session_leaves_nothing"})
class EraseKeepsSummaries(InMemoryConversations):
    def erase(self, session: str) -> int:
        kept = dict(self.archive.summaries)
        erased = super().erase(session)
        self.archive.summaries.update(kept)
        return erased


@MUTANTS.add("numbers are reused", trips={"numbers_of_erased_messages_are_not_used_again"})
class ReusesNumbers(Archive):
    def place(self, row: MessageRow) -> bool:
        self.last_number = max(self.rows, default=0)
        return super().place(row)


@MUTANTS.add("an erase forgets positions", trips={"positions_outlive_an_erase"})
class EraseForgetsPositions(InMemoryConversations):
    def erase(self, session: str) -> int:
        self.archive.positions.clear()
        return super().erase(session)


@MUTANTS.add(
    "erased keys are forgotten",
    trips={"an_erased_message_stays_known", "what_was_erased_stays_known_where_a_project_goes"},
)
class ForgetsErasedKeys(Archive):
    def erase(self, session: str) -> int:
        before = set(self.erased_keys)
        erased = super().erase(session)
        self.erased_keys = before
        return erased


@MUTANTS.add("a fork brings back what was erased", trips={"an_erased_message_stays_known"})
class ForkBringsBack(Archive):
    """Knows what was erased as what was said in the session that was erased."""

    def place(self, row: MessageRow) -> bool:
        if row.message.session not in self.erased_sessions:
            self.erased_keys.discard(row.key)
        return super().place(row)


@MUTANTS.add(
    "names of erased sessions come back",
    trips={"the_name_of_an_erased_session_does_not_come_back", "what_was_erased_stays_known_where_a_project_goes"},
)
class ErasedNamesReturn(Archive):
    def call(self, session: str, name: str, *, titled: bool = False) -> None:
        self.names[session] = name
        (self.titled.add if titled else self.titled.discard)(session)


@MUTANTS.add("erased sessions stay without a name", trips={"the_name_of_an_erased_session_does_not_come_back"})
class ErasedSessionsStayNameless(Archive):
    def call(self, session: str, name: str, *, titled: bool = False) -> None:
        if session not in self.erased_sessions:
            super().call(session, name, titled=titled)


@MUTANTS.add("a move forgets what was erased", trips={"what_was_erased_stays_known_where_a_project_goes"})
class MoveForgetsErased(Archive):
    def take(self, source: Archive, leaves: Callable[[str], bool]) -> None:
        before = (set(self.erased_keys), set(self.erased_sessions))
        super().take(source, leaves)
        self.erased_keys, self.erased_sessions = before


@MUTANTS.add("a move brings names of erased sessions", trips={"what_was_erased_stays_known_where_a_project_goes"})
class MovedNamesReturn(Archive):
    def take(self, source: Archive, leaves: Callable[[str], bool]) -> None:
        names = dict(source.names)
        super().take(source, leaves)
        self.names = names | self.names


@MUTANTS.add(
    "a merge leaves conversations behind",
    trips={
        "a_name_that_arrives_replaces_a_title",
        "a_merge_moves_conversations",
        "a_split_gives_conversations_back",
        "open_conversations_follow_a_merge",
        "positions_go_with_a_merge",
        "titles_move_with_their_project",
        "what_was_erased_stays_known_where_a_project_goes",
    },
)
class LeavesMessages(Archive):
    def take(self, source: Archive, leaves: Callable[[str], bool]) -> None:
        del source, leaves


@MUTANTS.add(
    "a merge leaves names behind",
    trips={
        "a_name_that_arrives_replaces_a_title",
        "a_merge_moves_conversations",
        "a_split_gives_conversations_back",
        "titles_move_with_their_project",
    },
)
class LeavesNames(Archive):
    def take(self, source: Archive, leaves: Callable[[str], bool]) -> None:
        source.names.clear()
        super().take(source, leaves)


@MUTANTS.add("a merge leaves positions behind", trips={"positions_go_with_a_merge"})
class LeavesPositions(Archive):
    def take(self, source: Archive, leaves: Callable[[str], bool]) -> None:
        positions = dict(source.positions)
        source.positions.clear()
        super().take(source, leaves)
        source.positions.update(positions)


@MUTANTS.add("a merge overwrites positions", trips={"positions_go_with_a_merge"})
class OverwritesPositions(Archive):
    def take(self, source: Archive, leaves: Callable[[str], bool]) -> None:
        self.positions.update(source.positions)
        super().take(source, leaves)


@MUTANTS.add(
    "a split takes all",
    trips={"a_split_gives_conversations_back", "positions_go_with_a_merge", "titles_move_with_their_project"},
)
class TakesAll(Archive):
    def take(self, source: Archive, leaves: Callable[[str], bool]) -> None:
        del leaves
        super().take(source, lambda _: True)


@MUTANTS.add(
    "a merge doubles what both have",
    trips={
        "a_merge_moves_conversations",
        "a_split_gives_conversations_back",
        "what_was_erased_stays_known_where_a_project_goes",
    },
)
class DoublesWhatBothHave(Archive):
    def take(self, source: Archive, leaves: Callable[[str], bool]) -> None:
        for number, row in source.rows.items():
            source.rows[number] = evolve(row, key=f"{row.key} of {row.origin}")
        super().take(source, leaves)


@MUTANTS.add("open conversations do not follow", trips={"open_conversations_follow_a_merge"})
class StaysOpen(InMemoryConversations):
    """Goes on with the archive that it had when it was opened."""

    def __init__(self, project: str, storage: Home) -> None:
        super().__init__(project, storage)
        self.at_first = super().archive

    @property
    def archive(self) -> Archive:
        return self.at_first


@MUTANTS.add("levels of summaries are confused", trips={"summaries_are_kept_by_session_and_level"})
class ConfusesLevels(InMemoryConversations):
    def kept(self, session: str, level: int) -> Mapping[str, Summary]:
        return super().kept(session, min(level, 1))

    def keep(self, session: str, level: int, summaries: Mapping[str, Summary]) -> None:
        super().keep(session, min(level, 1), summaries)


@MUTANTS.add("summaries pile up", trips={"a_new_summary_replaces_the_one_before"})
class PilesSummariesUp(InMemoryConversations):
    def keep(self, session: str, level: int, summaries: Mapping[str, Summary]) -> None:
        before = self.kept(session, level)
        super().keep(session, level, summaries)
        places = self.archive.summaries.get((session, level), {})
        places.update({-n: each for n, each in enumerate(before.items(), start=1)})


@MUTANTS.add(
    "summaries of nothing are kept",
    trips={"long_keys_of_messages_are_told_apart", "no_summary_is_kept_of_nothing"},
)
class KeepsSummariesOfNothing(InMemoryConversations):
    def keep(self, session: str, level: int, summaries: Mapping[str, Summary]) -> None:
        self.archive.summaries[session, level] = {each.first: (mark, each) for mark, each in summaries.items()}


@MUTANTS.add("a split keeps summaries", trips={"summaries_of_what_moved_away_are_dropped"})
class SplitKeepsSummaries(Archive):
    def take(self, source: Archive, leaves: Callable[[str], bool]) -> None:
        kept = dict(source.summaries)
        super().take(source, leaves)
        source.summaries.update(kept)
