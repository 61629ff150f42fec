"""Purging and restoring memories."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from itertools import groupby
from types import MappingProxyType
from uuid import UUID

from attrs import evolve, frozen

from lamella.domain.audit.entry import Action, AuditEntry, Signature
from lamella.domain.memories.given_ids import CANDIDATES, Resolved, prefixes_of, resolved
from lamella.domain.transactions.auditing import audited, in_order
from lamella.domain.transactions.look import Facts, Look, Status
from lamella.domain.transactions.other_writes import AddEntry, NameInEntry
from lamella.domain.transactions.plan import Plan, SetStatus, Write
from lamella.domain.transactions.reviewing import decide_keep, kept, mark

NO_HEIRS: Mapping[UUID, UUID] = MappingProxyType({})


class StatusChange(StrEnum):
    """Outcome of a purge, restore or erase for one id."""

    DONE = "done"
    NOT_FOUND = "not found"
    ALREADY = "already so"
    LEFT = "left alone"
    """Not changed, because a memory to purge in the same change was already purged."""


def look_for_given(given: Sequence[str]) -> Look:
    """List the facts that `decide_given` needs."""
    prefixes = tuple(dict.fromkeys(filter(None, prefixes_of(given).values())))
    return Look(prefixes=prefixes, each=CANDIDATES, neighbours=True)


def decide_given(
    given: Sequence[str], facts: Facts, *, purge: bool, entry: UUID, by: Signature
) -> tuple[Plan, tuple[Resolved, tuple[StatusChange, ...]]]:
    """Plan to purge or restore the memories with given ids.

    Args:
        given: Full ids, or prefixes of at least four characters.
        facts: Answers to `look_for_given`.
        purge: True to purge the memories, False to restore them.
        entry: Id of the entry of the audit trail.
        by: Author and time of the change.

    Returns:
        The plan, the memories found for the ids, and the outcome for each of them.
    """
    meant = resolved(prefixes_of(given), facts.starting)
    said = [hit.observation for hit in meant.found.values()]
    known = evolve(facts, statuses={each.id: Status.of(each) for each in said})
    asked, none = meant.ids, tuple[UUID, ...]()
    plan, changes = decide_status(
        known, purge=asked if purge else none, restore=none if purge else asked, entry=entry, by=by
    )
    return plan, (meant, changes)


def decide_keep_given(
    given: Sequence[str], facts: Facts, *, entry: UUID, by: Signature
) -> tuple[Plan, tuple[Resolved, tuple[StatusChange, ...]]]:
    """Plan to mark the memories with given ids as confirmed in a review; see `decide_given`.

    Args:
        given: Full ids, or prefixes of at least four characters.
        facts: Answers to `look_for_given` and `reviewing.LOOK`.
        entry: Id of the entry of the audit trail.
        by: Author and time of the change.
    """
    meant = resolved(prefixes_of(given), facts.starting)
    changes = (StatusChange.DONE,) * len(meant.ids)
    if not meant.ids:
        return (), (meant, changes)
    plan, _ = decide_keep(AuditEntry(id=entry, action=Action.KEEP, by=by, restored=meant.ids), facts)
    return plan, (meant, changes)


def decide_status(
    facts: Facts,
    *,
    purge: Sequence[UUID] = (),
    restore: Sequence[UUID] = (),
    heirs: Mapping[UUID, UUID] = NO_HEIRS,
    entry: UUID,
    by: Signature,
) -> tuple[Plan, tuple[StatusChange, ...]]:
    """Plan to purge some memories, and then restore other memories.

    If there are memories to restore, but a memory to purge is already purged, change nothing: the purged memory
    may already have another replacement.

    Args:
        facts: Statuses of all these memories.
        purge: Ids of the memories to purge.
        restore: Ids of the memories to restore.
        heirs: Ids of the replacements, keyed by the ids of the purged memories.
        entry: Id of the entry of the audit trail.
        by: Author and time of the change.

    Returns:
        The plan, and the outcome for each id in order. If an id is repeated, its second outcome is `ALREADY`.
    """
    purged_now = {id: status.purged for id, status in facts.statuses.items()}

    def outcomes(ids: Sequence[UUID], *, purged: bool) -> Iterator[StatusChange]:
        for id in ids:
            if id not in purged_now:
                yield StatusChange.NOT_FOUND
            elif purged_now[id] == purged:
                yield StatusChange.ALREADY
            else:
                purged_now[id] = purged
                yield StatusChange.DONE

    out, back = tuple(outcomes(purge, purged=True)), tuple(outcomes(restore, purged=False))
    if restore and StatusChange.ALREADY in out:
        out, back = (tuple(map(_left, each)) for each in (out, back))
    purged, restored = _done(purge, out), _done(restore, back)
    action = Action.EDIT if purged and restored else Action.PURGE if purged else Action.RESTORE
    writes = (
        *(
            SetStatus(ids=tuple(ids), at=by.at, purged=True, replaced_by=heir)
            for heir, ids in groupby(sorted(purged, key=lambda each: str(heirs.get(each))), heirs.get)
        ),
        SetStatus(ids=restored, at=by.at, purged=False),
    )
    logged = audited(AuditEntry(id=entry, action=action, by=by, purged=purged, restored=restored), facts)
    return (*(each for each in writes if each.ids), *logged), (*out, *back)


@frozen(kw_only=True)
class Swap:
    """Purge and restore of memories as one entry of the audit trail.

    Attributes:
        entry: The entry, with the purged and the restored memories.
        heirs: Ids of the replacements, keyed by the ids of the purged memories.
    """

    entry: AuditEntry
    heirs: Mapping[UUID, UUID] = NO_HEIRS


def decide_swaps(swaps: Sequence[Swap], facts: Facts) -> tuple[Plan, bool]:
    """Plan several swaps in order. If a swap is no longer possible, plan none of them.

    Returns:
        The plan, and True if all swaps are possible.
    """
    plan: Plan = ()
    for swap in swaps:
        entry = swap.entry
        if entry.action is Action.KEEP:
            if {*map(mark, entry.purged)} != {*map(mark, entry.memories)}.intersection(kept(facts)):
                return (), False
            writes, facts = decide_keep(entry, facts)
            plan = (*plan, *writes)
            continue
        writes, changes = decide_status(
            facts, purge=entry.purged, restore=entry.restored, heirs=swap.heirs, entry=entry.id, by=entry.by
        )
        if {*changes} != {StatusChange.DONE}:
            return (), False
        plan = (*plan, *writes)
        now = dict(facts.statuses)
        now |= {id: evolve(now[id], purged=True, replaced_by=swap.heirs.get(id)) for id in entry.purged}
        now |= {id: evolve(now[id], purged=False, replaced_by=None) for id in entry.restored}
        facts = evolve(facts, statuses=now)
    return plan, True


@frozen(kw_only=True)
class StatusThere:
    """Status of a memory in another storage, to apply to the same memory in this storage.

    Attributes:
        id: Id of the memory.
        at: Time of the change in the other storage.
        purged: True for a purged memory.
        replaced_by: Id of the replacement of a purged memory, if any.
    """

    id: UUID
    at: datetime
    purged: bool = True
    replaced_by: UUID | None = None


def decide_followed(there: Sequence[StatusThere], entry: AuditEntry, facts: Facts) -> tuple[Plan, None]:
    """Plan to apply statuses from another storage; see `ObservationStorage.follow`."""
    writes: list[Write] = []
    purged: list[UUID] = []
    restored: list[UUID] = []
    for each in there:
        here = facts.statuses.get(each.id)
        if here is None or not (here.purged or each.purged):
            continue
        if here.purged:
            # Also update memories that are purged in both storages: purge times and replacements may differ.
            writes.append(SetStatus(ids=(each.id,), at=each.at, purged=False))
        if each.purged:
            writes.append(SetStatus(ids=(each.id,), at=each.at, purged=True, replaced_by=each.replaced_by))
        if here.purged != each.purged:
            (purged if each.purged else restored).append(each.id)
    if purged or restored:
        writes += [
            AddEntry(in_order(entry, facts)),
            NameInEntry(entry=entry.id, purged=tuple(purged), restored=tuple(restored)),
        ]
    return tuple(writes), None


def _left(change: StatusChange) -> StatusChange:
    return StatusChange.LEFT if change is StatusChange.DONE else change


def _done(ids: Sequence[UUID], changes: Sequence[StatusChange]) -> tuple[UUID, ...]:
    return tuple(id for id, change in zip(ids, changes, strict=True) if change is StatusChange.DONE)
