"""Add entries to the audit trail in plans, in chronological order, and log the activity of hooks."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise

from attrs import evolve

from lamella.domain.audit.activity import Activity
from lamella.domain.audit.entry import AuditEntry
from lamella.domain.transactions.look import Facts
from lamella.domain.transactions.other_writes import AddEntry, LogActivity
from lamella.domain.transactions.plan import Plan

KEPT_FOR = timedelta(days=366)
"""Retention time of entries: a year.

At a hundred entries a day, this is some 37,000 rows, or 5 MB.
"""


def audited(entry: AuditEntry, facts: Facts) -> Plan:
    """Plan to store an entry, with the number of the entry's memories as its count.

    A split moves the entry together with its memories. Return an empty plan for an entry without memories.
    """
    if not entry.memories:
        return ()
    counted = evolve(entry, count=len(entry.memories), origin=entry.origin or facts.origin(entry.memories))
    return (AddEntry(in_order(counted, facts)),)


def in_order(entry: AuditEntry, facts: Facts) -> AuditEntry:
    """Return `entry` with a time not before the trail's latest entry: the clock may have been set back."""
    if facts.logged is None or entry.by.at >= facts.logged:
        return entry
    return evolve(entry, by=evolve(entry.by, at=facts.logged))


def is_disordered(entries: Sequence[AuditEntry], logged: datetime | None) -> bool:
    """Return True if a plan adds an entry older than existing entries, so that entries must be renumbered.

    Args:
        entries: Entries of the plan.
        logged: `Facts.logged` before the plan.
    """
    times = [each.by.at for each in entries]
    return any(later < earlier for earlier, later in pairwise(times if logged is None else [logged, *times]))


def decide_log(entries: Sequence[Activity], facts: Facts) -> tuple[Plan, None]:
    """Plan to store entries, and to delete entries that are `KEPT_FOR` older than the latest entry."""
    oldest = max(each.at for each in entries) - KEPT_FOR
    return (LogActivity(entries=tuple(entries), oldest=oldest, origin=facts.project),), None
