"""Writes that saves never make, except the audit entry of a save that replaces a memory; see `plan`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from attrs import field, frozen

from lamella.domain.text.printing import stored_key, well_formed

if TYPE_CHECKING:
    from lamella.domain.audit.activity import Activity
    from lamella.domain.audit.entry import AuditEntry
    from lamella.domain.embeddings.vector import EmbeddingModel, Vector
    from lamella.domain.ledger.fingerprints import LineFingerprints
    from lamella.domain.memories.observation import Observation


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
    """Remember marks of erased data, to prevent an import of the data from a copy. For `Capability.ERASE`."""

    marks: tuple[bytes, ...]


@frozen(kw_only=True)
class Warned:
    """Key of a warning that an edit brings back removed lines. A warning is given only once for each key.

    Attributes:
        observation: Id of the observation with the removal.
        session: Id of the session to warn.
        path: Path of the file.
    """

    observation: UUID
    session: str = field(converter=stored_key)
    path: str = field(converter=well_formed)


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


MemoryWrite = Erase | EraseSession | Amend | Age | RememberRequest | RememberErased
OtherWrite = MemoryWrite | AddEntry | NameInEntry | MarkWarned | LogActivity | AdoptModel | PutVectors
