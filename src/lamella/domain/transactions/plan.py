"""Plans: lists of writes. A storage reads the facts and applies the writes, in order, in one transaction.

If a write is for a capability, the write's docstring names the capability. A storage ignores writes for
capabilities that it doesn't declare. It never receives `Erase` or `EraseSession` without `Capability.ERASE`,
because its `transact` refuses a `Look` with `erasing`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, TypeAlias
from uuid import UUID

from attrs import evolve, frozen

if TYPE_CHECKING:
    # Not imported at run time: most transactions make few of these writes.
    from lamella.domain.access.quota import TenantSize
    from lamella.domain.audit.activity import Activity
    from lamella.domain.audit.entry import AuditEntry
    from lamella.domain.embeddings.vector import EmbeddingModel, Vector
    from lamella.domain.ledger.fingerprints import LineFingerprints
    from lamella.domain.memories.observation import Observation
    from lamella.domain.transactions.conversation_writes import ConversationWrite
    from lamella.domain.transactions.look import Warned


@frozen(kw_only=True)
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


@frozen(kw_only=True)
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


@frozen
class Erase:
    """Delete observations, and their links, vectors, warnings, and ids in audit trails and activity logs.

    This applies to all projects, because copies of the observations may be left in other projects. Needs
    `Capability.ERASE`.
    """

    ids: tuple[UUID, ...]


@frozen
class EraseSession:
    """Delete the messages of a session, its name, last records, summaries and activity.

    Needs `Capability.ERASE`.
    """

    session: str


@frozen(kw_only=True)
class Amend:
    """Replace title, text, keywords, source, changes and `updated_at` of an observation.

    Keep its sequence number, other times, status, request and fingerprint of the draft. Its vector is out of date,
    and must be computed again. With `Capability.LEDGER`, replace the fingerprints of its lines.

    Attributes:
        observation: The observation after the change.
        lines: See `Insert.lines`.
    """

    observation: Observation
    lines: tuple[LineFingerprints, ...] = ()


@frozen(kw_only=True)
class Age:
    """Drop the lines of a captured edit, and mark it as aged. The fingerprints of the lines stay.

    For `Capability.LEDGER`. `lamella.domain.ledger.describe.line_fingerprints` computes missing fingerprints.

    Attributes:
        former: The edit.
        now: The edit without its lines; None if `former` has no lines.
    """

    former: Observation
    now: Observation | None


@frozen
class AddEntry:
    """Add an entry to the audit trail under the next number, unless an entry with its id exists.

    Numbers increase with time, so later entries of the trail may be renumbered (`auditing.is_disordered`).
    For `Capability.AUDIT`.
    """

    entry: AuditEntry


@frozen(kw_only=True)
class NameInEntry:
    """Add memories to an entry of the audit trail.

    For `Capability.AUDIT`. Leave out an id that is already in the same field of the entry. The entry's count grows
    by the number of ids that were added.

    Attributes:
        entry: Id of the entry.
        added: Ids for `AuditEntry.added`.
        purged: Ids for `AuditEntry.purged`.
        restored: Ids for `AuditEntry.restored`.
    """

    entry: UUID
    added: tuple[UUID, ...] = ()
    purged: tuple[UUID, ...] = ()
    restored: tuple[UUID, ...] = ()


@frozen(kw_only=True)
class RememberRequest:
    """Remember a recorded capture permanently. For `Capability.LEDGER`.

    Attributes:
        request: Request id of the capture.
        origin: Id of the project that recorded the request. A split moves the request back there.
    """

    request: str
    origin: str


@frozen
class RememberErased:
    """Remember marks of erased data, to prevent its import from a copy. For `Capability.ERASE`."""

    marks: tuple[bytes, ...]


@frozen
class MarkWarned:
    """Record that a session was warned. Erasing the observation deletes the record. For `Capability.LEDGER`."""

    warned: Warned


@frozen(kw_only=True)
class LogActivity:
    """Add entries to the activity log, except entries with a name that is already stored. Then delete old entries.

    For `Capability.ACTIVITY`.

    Attributes:
        entries: The entries.
        oldest: Time of the oldest entry to keep.
        origin: Id of the project that logged the entries. A split moves the entries back there.
    """

    entries: tuple[Activity, ...]
    oldest: datetime
    origin: str


@frozen
class AdoptModel:
    """Delete all vectors, and make `model` the model of the project. For `Capability.VECTORS`."""

    model: EmbeddingModel


@frozen
class PutVectors:
    """Store vectors of existing observations, replacing earlier vectors.

    None marks an observation without embeddable words. For `Capability.VECTORS`.
    """

    vectors: Mapping[UUID, Vector | None]


MemoryWrite = Insert | SetStatus | Erase | EraseSession | Amend | Age | RememberRequest | RememberErased
RecordWrite = AddEntry | NameInEntry | MarkWarned | LogActivity | AdoptModel | PutVectors
Write: TypeAlias = "MemoryWrite | RecordWrite | ConversationWrite"
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
