"""Events in a tenant's log of access administration."""

from datetime import datetime

from attrs import field, frozen

from lamella.domain.validation import in_utc

TOKEN_MADE = "token made"  # noqa: S105 - an action
TOKEN_REVOKED = "token revoked"  # noqa: S105 - an action
TENANT_DELETED = "tenant deleted"


@frozen(kw_only=True)
class AccessEvent:
    """Event in the log. The storage fills in `by` and `origin`, so callers can't forge them.

    Attributes:
        at: Time of the event.
        action: `TOKEN_MADE`, `TOKEN_REVOKED` or `TENANT_DELETED`. A newer lamella may have logged other actions.
        about: Label of the token for an action on a token, else the name of the tenant.
        by: Database login, or user of the machine.
        origin: IP address of the login, or name of the machine.
    """

    at: datetime = field(converter=in_utc)
    action: str
    about: str
    by: str
    origin: str
