"""Import of memories and audit entries from other storages."""

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from uuid import UUID

from attrs import evolve

from lamella.domain.audit.entry import AuditEntry
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.memories.observation import Kind
from lamella.domain.text.marks import memory_mark
from lamella.domain.transactions.auditing import in_order
from lamella.domain.transactions.look import Facts, Look
from lamella.domain.transactions.other_writes import AddEntry, Amend, NameInEntry, RememberRequest
from lamella.domain.transactions.plan import Insert, Plan, Write


class ImportResult(StrEnum):
    """Outcome of importing a memory."""

    NEW = "new"
    KNOWN = "known"
    """The project already has the memory, and the memory is live."""
    PURGED = "purged"
    """The project already has the memory, but the memory is purged."""
    ERASED = "erased"
    """The memory was erased in the project."""


def look_for_known(ids: Collection[UUID]) -> Look:
    """Return the look for the facts that `known` needs."""
    return Look(ids=tuple(ids), marks=tuple(map(memory_mark, ids)))


def known(ids: Collection[UUID], facts: Facts) -> Mapping[UUID, ImportResult]:
    """Return the memories that an import must skip, each with the reason, in the order of `ids`."""
    outcomes = {
        id: ImportResult.PURGED if each.purged else ImportResult.KNOWN for id, each in facts.statuses.items()
    }
    outcomes = {id: ImportResult.ERASED for id in ids if memory_mark(id) in facts.erased} | outcomes
    return {id: outcomes[id] for id in ids if id in outcomes}


def look_for_arrivals(arrivals: Sequence[Arrival]) -> Look:
    """List the facts that `decide_arrivals` needs."""
    look = look_for_known([each.observation.id for each in arrivals])
    return evolve(look, incoming=tuple(each.observation for each in arrivals))


def decide_arrivals(
    arrivals: Sequence[Arrival], entry: AuditEntry | None, facts: Facts
) -> tuple[Plan, tuple[ImportResult, ...]]:
    """Plan to import memories; see `ObservationStorage.insert_new`."""
    there = dict(known([each.observation.id for each in arrivals], facts))
    plan: list[Write] = []
    outcomes: list[ImportResult] = []
    new: list[UUID] = []
    for arrival in arrivals:
        said, request = arrival.observation, arrival.request
        outcome = there.setdefault(said.id, ImportResult.NEW)
        outcomes.append(outcome)
        if outcome is not ImportResult.NEW:
            continue
        there[said.id] = ImportResult.PURGED if said.purged else ImportResult.KNOWN
        new.append(said.id)
        placed = evolve(said, project=facts.project, sequence=facts.sequence + len(new))
        lines = arrival.fingerprints if arrival.lines else ()
        plan.append(Insert(observation=placed, fingerprint=said.fingerprint, request=request, lines=lines))
        if request is not None and said.kind is Kind.CHANGE:
            plan.append(RememberRequest(request=request, origin=said.origin))
    if entry is not None and new:
        plan += [AddEntry(in_order(entry, facts)), NameInEntry(entry=entry.id, added=tuple(new))]
    return tuple(plan), tuple(outcomes)


def decide_amendments(arrivals: Sequence[Arrival], facts: Facts) -> tuple[Plan, None]:
    """Plan to update existing captured edits; see `ObservationStorage.amend`."""
    arrived = {each.observation.id: each for each in arrivals}
    plan = tuple(
        Amend(observation=arrived[id].amended(here), lines=arrived[id].fingerprints)
        for id, here in facts.observations.items()
    )
    return plan, None


def decide_entries(entries: Sequence[AuditEntry], facts: Facts) -> tuple[Plan, None]:
    """Plan to import audit entries, without ids of missing memories; see `AuditTrail.add`."""
    plan: list[Write] = []
    for entry in entries:
        added, purged, restored = (
            tuple(id for id in dict.fromkeys(ids) if id in facts.statuses)
            for ids in (entry.added, entry.purged, entry.restored)
        )
        named = len(added) + len(purged) + len(restored)
        # Leave the named memories out of the count: `NameInEntry` adds their number to it.
        plain = evolve(entry, added=(), purged=(), restored=(), count=max(0, entry.count - named), origin=None)
        plan.append(AddEntry(plain))
        if named:
            plan.append(NameInEntry(entry=entry.id, added=added, purged=purged, restored=restored))
    return tuple(plan), None
