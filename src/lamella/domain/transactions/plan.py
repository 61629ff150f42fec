"""Plans: lists of writes. A storage reads the facts and applies the writes, in order, in one transaction.

If a write is for a capability, the write's docstring names the capability. A storage ignores writes for
capabilities that it doesn't declare. It never receives `Erase` or `EraseSession` without `Capability.ERASE`,
because its `transact` refuses a `Look` with `erasing`.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, TypeAlias
from uuid import UUID

from attrs import evolve, frozen

if TYPE_CHECKING:
    # Not imported at run time: a save makes none of the other writes.
    from lamella.domain.access.quota import TenantSize
    from lamella.domain.ledger.fingerprints import LineFingerprints
    from lamella.domain.memories.observation import Observation
    from lamella.domain.transactions.conversation_writes import ConversationWrite
    from lamella.domain.transactions.other_writes import OtherWrite


@frozen(kw_only=True, repr=False)
class Insert:
    """Store a new observation.

    Attributes:
        observation: The observation, with its project and sequence number.
        fingerprint: Fingerprint of the draft; see `Draft.fingerprint`.
        request: Request id of the call or capture that made the observation, if any.
        lines: Fingerprints of the lines of the observation's changes. If empty, a storage computes them from the
            hunks, which is slow.
    """

    observation: Observation
    fingerprint: bytes
    request: str | None
    lines: tuple[LineFingerprints, ...] = ()


@frozen(kw_only=True, repr=False)
class SetStatus:
    """Purge or restore observations.

    Attributes:
        ids: Ids of the observations, which exist.
        at: Time of the change, for `updated_at`.
        purged: True to purge the observations at the time `at`, False to restore them.
        replaced_by: Id of the observation that replaces all of them; None if the observations have no common
            replacement.
    """

    ids: tuple[UUID, ...]
    at: datetime
    purged: bool
    replaced_by: UUID | None = None


Write: TypeAlias = "Insert | SetStatus | OtherWrite | ConversationWrite"
"""Primitive write."""

Plan: TypeAlias = "tuple[Write, ...]"
"""Writes in the order of application."""


def admitted(plan: Plan, size: TenantSize) -> TenantSize:
    """Return the size of a tenant after a plan. A plan may exceed a quota if the quota wasn't used up before.

    Raises:
        QuotaExceededError: The plan adds memories or messages, and the quota for these is used up.
    """
    from lamella.domain.transactions.conversation_writes import AddMessages  # noqa: PLC0415 - only storages with tenants need it

    added = sum(isinstance(each, Insert) for each in plan)
    if added:
        size.require_room("memories", "saves")
    if any(isinstance(each, Insert | AddMessages) for each in plan):
        size.require_room("bytes")
    return evolve(size, memories=size.memories + added, saves=size.saves + added)
