"""Plans: primitive writes that a storage applies in order, atomically with the look before them."""

from datetime import datetime
from uuid import UUID

from attrs import evolve, frozen

from lamella.domain.audit.entry import Entry
from lamella.domain.memories.observation import Observation
from lamella.domain.transactions.look import Facts


@frozen(kw_only=True)
class Insert:
    """Store a new observation.

    Attributes:
        observation: The observation, with its project and sequence number.
        fingerprint: Fingerprint of the draft.
        request: Request of the call that saved it, if it had one.
    """

    observation: Observation
    fingerprint: bytes
    request: str | None


@frozen(kw_only=True)
class SetStatus:
    """Purge or restore observations.

    Attributes:
        ids: Ids of the observations, which exist.
        at: Time of the change, for `updated_at`.
        purged: True to purge them at that time, False to restore them.
        replaced_by: Id of the observation that takes their place, if they are purged for that.
    """

    ids: tuple[UUID, ...]
    at: datetime
    purged: bool
    replaced_by: UUID | None = None


@frozen
class AddEntry:
    """Add an entry to the audit trail under its next number. Storages without `Capability.AUDIT` ignore it."""

    entry: Entry


Write = Insert | SetStatus | AddEntry
"""Primitive write."""

Plan = tuple[Write, ...]
"""Writes in the order in which they are applied."""


def audited(entry: Entry, facts: Facts) -> Plan:
    """Return the write of an entry that counts the memories it names, or nothing if it names none.

    Entries are in order of time: a clock that was set back doesn't put one before others.
    """
    if not entry.memories:
        return ()
    by = entry.by if facts.logged is None else evolve(entry.by, at=max(entry.by.at, facts.logged))
    return (AddEntry(evolve(entry, by=by, count=len(entry.memories))),)
