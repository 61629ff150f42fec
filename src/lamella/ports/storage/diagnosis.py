"""Health of a storage."""

from abc import abstractmethod
from collections.abc import Mapping
from enum import StrEnum
from typing import Protocol

from attrs import frozen


class Severity(StrEnum):
    """Severity of a finding."""

    FINE = "ok"
    WARNING = "warning"
    FAULT = "fault"


@frozen(kw_only=True)
class Finding:
    """Result of one check.

    Attributes:
        subject: Checked part of the storage.
        severity: Severity of the result.
        message: The result in words.
        repair: Description of the possible repair; empty if no repair is possible.
    """

    subject: str
    severity: Severity
    message: str
    repair: str = ""


class Space(StrEnum):
    """Kind of content that takes space."""

    MEMORIES = "memories"
    EDITS = "edits"
    """Captured edits."""
    CONVERSATIONS = "conversations"
    VECTORS = "vectors"
    INDEXES = "indexes"
    FREE = "free"
    """Free space available for reuse."""
    OTHER = "other"
    BACKUPS = "backups"


class StorageDiagnosis(Protocol):
    """Checks of a storage, and repairs of some faults. Never deletes data."""

    @abstractmethod
    def findings(self) -> tuple[Finding, ...]:
        """Return the results of all checks, whether they found a fault or not."""

    def repair(self, finding: Finding) -> str:
        """Repair a finding. Return a sentence about the result.

        A storage without repairs inherits this method.

        Raises:
            StorageError: The repair failed. Nothing was lost.
        """
        return f"There is nothing to repair: {finding.subject}."

    def space(self, project: str) -> Mapping[Space, int]:
        """Return the bytes used by each kind of content of a project.

        A storage without this information inherits this method.

        Raises:
            UnknownProjectError: The project doesn't exist.
        """
        del project
        return {}
