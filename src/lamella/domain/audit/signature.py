"""Signature of a change of memories."""

from datetime import datetime
from uuid import UUID

from attrs import field, frozen
from attrs.converters import optional

from lamella.domain.text.printing import stored_key, well_formed
from lamella.domain.validation import in_utc


@frozen(kw_only=True)
class Signature:
    """Time and author of a change, for its entry in the audit trail.

    Attributes:
        at: Time of the change.
        actor: Kind of author, such as `agent` or `user`.
        author: Name of the person or program, if known.
        session: Id of the session, if any.
        undoes: For an undo, the id of the undone entry.
    """

    at: datetime = field(converter=in_utc)
    actor: str = field(converter=well_formed)
    author: str | None = field(default=None, converter=optional(well_formed))
    session: str | None = field(default=None, converter=optional(stored_key))
    undoes: UUID | None = None
