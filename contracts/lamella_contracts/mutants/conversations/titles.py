"""Faults in facts about sessions, their records and titles."""

from collections.abc import Callable, Mapping
from typing import Any

from attrs import evolve

from lamella.domain.transactions.look import ConversationFacts
from lamella_adapters.memory.transaction import InMemoryTransaction
from lamella_contracts.mutants.broken_storage import looking, storage_mutants

MUTANTS = storage_mutants()


def of_conversations(fault: Callable[[ConversationFacts], Mapping[str, Any]]) -> type[InMemoryTransaction]:
    """Return a transaction whose facts about conversations have other fields."""
    return looking(
        lambda _, __, facts: {"conversations": evolve(facts.conversations, **fault(facts.conversations))}
    )


MUTANTS.add("pending titles are sorted by record", "what_waits_is_kept_in_order")(
    of_conversations(lambda facts: {"waiting": dict(sorted(facts.waiting.items()))})
)
MUTANTS.add("erased sessions are forgotten", "erased_sessions_and_records_are_told")(
    of_conversations(lambda _: {"silent": frozenset()})
)
