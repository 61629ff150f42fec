"""Optional abilities of a storage."""

from enum import StrEnum


class Capability(StrEnum):
    """Optional ability of a storage. Methods that need an undeclared one raise an error."""

    DURABLE = "keeping memories after it is closed"
    ERASE = "erasing for good"
    """Erased text cannot be read through any port."""
    ERASE_BYTES = "erasing every byte"
    """Erased text isn't in any log, free page or backup either. Requires `ERASE`. Servers can't do it."""
    EXACT_RANKING = "scores to the last bit"
    """Scores are equal to those of the in-memory storage to the last bit.

    So nearly equal hits have the same order.
    """
    MERGE = "merging and splitting projects"
    DIAGNOSE = "diagnosis"
    BACKUP = "backups"
    VECTORS = "search by meaning"
    CONVERSATIONS = "keeping conversations"
    LEDGER = "the ledger of code"
    ACTIVITY = "the log of activity"
    AUDIT = "the audit trail"
    ACCESS_TOKENS = "access tokens"
    FEED = "following changes"
    """Copies can follow changes."""
    SHARED = "projects of several machines"
    """Locations have the alias of their repository, and keys qualified by the machine."""
    TENANTS = "tenants other than 'default', which need PostgreSQL"
    """Tenants share connections, but no memories. Equal ids of two tenants are different projects."""
