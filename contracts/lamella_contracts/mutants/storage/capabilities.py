"""Faults in declarations, in closing, and in restarts."""

from lamella.ports.storage.storage import Capability
from lamella_contracts.mutants.broken_storage import (
    BrokenStorage,
    DurableStorage,
    declaring,
    storage_mutants,
    without,
)

MUTANTS = storage_mutants()


_UNREFUSED = {
    Capability.ERASE: ("what_is_erased_is_gone",),
    Capability.MERGE: ("a_merge_moves_memories",),
    Capability.DIAGNOSE: ("a_healthy_storage_has_no_fault", "space_is_told_by_kind"),
    Capability.FEED: ("the_feed_brings_what_has_changed",),
    Capability.VECTORS: ("a_vector_is_replaced",),
    Capability.CONVERSATIONS: ("known_keys_are_told",),
    Capability.LEDGER: ("a_history_is_latest_first",),
    Capability.ACTIVITY: ("activity_is_told_oldest_first",),
    Capability.AUDIT: ("the_trail_is_read_in_pages",),
    Capability.ACCESS_TOKENS: ("the_last_use_is_noted",),
}

for _capability, _clauses in _UNREFUSED.items():
    MUTANTS.add(f"{_capability.name} is neither declared nor refused", *_clauses)(without(_capability))


@MUTANTS.add("closing twice fails", "closing_twice_is_harmless")
class ClosesOnce(BrokenStorage):
    closed = False

    def close(self) -> None:
        if self.closed:
            raise RuntimeError("already closed")
        self.closed = True


@MUTANTS.add("tidying never ends", "tidying_ends_and_changes_no_answer")
class NeverTidy(BrokenStorage):
    def tidy(self) -> bool:
        return True


@MUTANTS.add(
    "everything is kept in memory only",
    "facts_survive_a_restart",
    "projects_survive_a_restart",
    "search_survives_a_restart",
)
class LosesAll(DurableStorage):
    def restarted(self) -> None:
        self.registry = self.parts.registry()


MUTANTS.add("DURABLE is not declared", "facts_survive_a_restart")(declaring(frozenset(), DurableStorage))
MUTANTS.add("ERASE_BYTES is declared without ERASE", "capabilities_are_a_frozen_set")(without(Capability.ERASE))
MUTANTS.add(
    "sound durable storage",
    "facts_survive_a_restart",
    "search_survives_a_restart",
    "projects_survive_a_restart",
    "vectors_survive_a_restart",
    sound=True,
)(DurableStorage)
