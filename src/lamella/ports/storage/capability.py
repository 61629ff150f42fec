"""Optional abilities of a storage."""

from enum import StrEnum


class Capability(StrEnum):
    """Optional abilities of a storage. Methods of an undeclared one raise."""

    DURABLE = "keeping memories after it is closed"
    ERASE = "erasing for good"
    """Erased text cannot be read through any port."""
    ERASE_BYTES = "erasing every byte"
    """Erased text is in no file either: no log, free page or backup. Needs `ERASE`; no server has it."""
    EXACT_RANKING = "scores to the last bit"
    """Scores equal the in-memory storage's to the last bit, and so does the order of nearly equal ones."""
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
    """Locations come with the alias of their repository, and with keys qualified by the machine."""
    TENANTS = "tenants other than 'default', which need PostgreSQL"
    """Tenants share connections and no memory: the same project of two of them is two."""
