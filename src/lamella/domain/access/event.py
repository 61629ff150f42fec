"""Events in the administration of access, as the log of a tenant keeps them."""

from datetime import datetime

from attrs import field, frozen

from lamella.domain.validation import aware

TOKEN_MADE = "token made"  # noqa: S105 - an action
TOKEN_REVOKED = "token revoked"  # noqa: S105 - same
TENANT_DELETED = "tenant deleted"


@frozen(kw_only=True)
class AccessEvent:
    """One event. The storage signs it, so that nobody can act under another name.

    Attributes:
        at: Time of the event.
        action: `TOKEN_MADE`, `TOKEN_REVOKED`, `TENANT_DELETED`, or an action of a newer version.
        about: Label of the token, or name of the tenant.
        by: Login of a database, or user of the machine.
        origin: Address that the login came from, or name of the machine.
    """

    at: datetime = field(validator=aware)
    action: str
    about: str
    by: str
    origin: str
