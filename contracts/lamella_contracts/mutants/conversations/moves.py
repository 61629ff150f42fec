"""Faults in erasing, moving and summarising conversations."""

from collections.abc import Callable, Mapping

from lamella.domain.conversations.summary import Summary
from lamella_adapters.memory.conversations import InMemoryConversations
from lamella_adapters.memory.message_store import Archive
from lamella_contracts.mutants.broken_storage import DurableStorage, storage_mutants

MUTANTS = storage_mutants()


@MUTANTS.add("conversations are kept in memory only", "conversations_survive_a_restart")
class Forgetful(DurableStorage):
    """Keeps everything when it is closed but conversations."""

    def restarted(self) -> None:
        for data in self.registry.data_of.values():
            data.archive = Archive()


@MUTANTS.add(
    "a merge leaves conversations behind",
    "a_name_that_arrives_replaces_a_title",
    "open_conversations_follow_a_merge",
    "what_was_erased_stays_known_where_a_project_goes",
)
class LeavesMessages(Archive):
    def take(self, source: Archive, leaves: Callable[[str], bool]) -> None:
        del source, leaves


@MUTANTS.add(
    "summaries of unknown sessions are kept",
    "long_keys_of_messages_are_told_apart",
    "summaries_are_kept_by_session_and_level",
)
class KeepsSummariesOfNothing(InMemoryConversations):
    def keep(self, session: str, level: int, summaries: Mapping[str, Summary]) -> None:
        self.archive.summaries[session, level] = {each.first: (mark, each) for mark, each in summaries.items()}


@MUTANTS.add("a split keeps summaries of moved messages", "summaries_of_what_moved_away_are_dropped")
class SplitKeepsSummaries(Archive):
    def take(self, source: Archive, leaves: Callable[[str], bool]) -> None:
        kept = dict(source.summaries)
        super().take(source, leaves)
        source.summaries.update(kept)
