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
        subject: Part of the storage that was checked.
        severity: Severity of the result.
        message: The result in words.
        repair: Description of what `StorageDiagnosis.repair` would do; empty if there is nothing that it can do.
    """

    subject: str
    severity: Severity
    message: str
    repair: str = ""


class Space(StrEnum):
    """Kind of content that takes space."""

    MEMORIES = "memories"
    EDITS = "edits"
    """Captured ones."""
    CONVERSATIONS = "conversations"
    VECTORS = "vectors"
    INDEXES = "indexes"
    FREE = "free"
    """Space that is used again."""
    OTHER = "other"
    BACKUPS = "backups"


class StorageDiagnosis(Protocol):
    """Finds faults, and repairs some of them. Never deletes."""

    @abstractmethod
    def findings(self) -> tuple[Finding, ...]:
        """Return the results of all checks, faults or not."""

    def repair(self, finding: Finding) -> str:
        """Do what `finding.repair` says. Return a sentence about what was done.

        A storage that can repair nothing keeps this method.

        Raises:
            StorageError: It could not be done; nothing was lost.
        """
        return f"There is nothing to repair: {finding.subject}."

    def space(self, project: str) -> Mapping[Space, int]:
        """Return how many bytes each kind of content of a project takes.

        A storage that can't tell keeps this method.

        Raises:
            UnknownProjectError: There is no such project.
        """
        del project
        return {}
