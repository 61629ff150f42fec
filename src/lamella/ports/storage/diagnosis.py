"""Health of a storage."""

from abc import abstractmethod
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
    """One thing that was looked at.

    `repair` says what repairing would do; empty where there is nothing to do or only the user can.
    """

    subject: str
    severity: Severity
    message: str
    repair: str = ""


class StorageDiagnosis(Protocol):
    """Looks for faults, and mends what it says it can. Never deletes."""

    __slots__ = ()

    @abstractmethod
    def findings(self) -> tuple[Finding, ...]:
        """Everything that was looked at, faults or not."""

    @abstractmethod
    def repair(self, finding: Finding) -> str:
        """Does what `finding.repair` says; what was done, in a sentence."""
