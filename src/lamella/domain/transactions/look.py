"""What a decision asks of a storage, and the facts that it gets."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from attrs import field, frozen

from lamella.domain.memories.observation import Observation


@frozen(kw_only=True)
class Look:
    """Questions of a decision. A storage answers all of them in one round trip.

    Attributes:
        ids: Ids of observations whose status matters.
        fingerprint: Fingerprint of a draft.
        session: Session that the draft belongs to. A storage may read the neighbours of a new observation ahead.
    """

    ids: tuple[UUID, ...] = ()
    fingerprint: bytes | None = None
    session: str | None = None


@frozen
class Status:
    """Status of an observation.

    Attributes:
        purged: True if it is purged.
        replaced_by: Id of the observation that took its place, while it is purged for that.
    """

    purged: bool
    replaced_by: UUID | None = None


@frozen
class Same:
    """Observation with the fingerprint of a draft.

    Attributes:
        observation: The observation.
        request: Request of the call that saved it, if it had one.
    """

    observation: Observation
    request: str | None


@frozen(kw_only=True)
class Facts:
    """State of a project, as far as a `Look` asks for it.

    Attributes:
        project: Id of the project that has the rows, after merges.
        sequence: Highest sequence number that the project ever gave away; 0 if none.
        latest: Latest `occurred_at` of its observations, purged ones included; None if it has none.
        logged: Time of the latest entry of its audit trail; None without entries or audit trail.
        statuses: Status of each observation of `Look.ids` that exists.
        same: Observations with `Look.fingerprint`, purged ones included, in order of sequence.
    """

    project: str
    sequence: int
    latest: datetime | None = None
    logged: datetime | None = None
    statuses: Mapping[UUID, Status] = field(factory=dict)
    same: tuple[Same, ...] = ()
