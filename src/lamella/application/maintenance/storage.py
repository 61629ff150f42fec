"""Diagnose and tidy the storage."""

from attrs import define

from lamella.ports.storage.diagnosis import Finding
from lamella.ports.storage.storage import Storage


@define
class DiagnoseStorage:
    """Finds faults and mends those that can be mended. Never deletes."""

    storage: Storage

    def __call__(self) -> tuple[Finding, ...]:
        """Everything that was looked at.

        Raises:
            CapabilityUnsupportedError: this storage cannot be diagnosed.
        """
        return self.storage.diagnosis.findings()

    def repair(self, finding: Finding) -> str:
        """Does what `finding.repair` says; what was done, in a sentence.

        Raises:
            StorageError: it could not be done; nothing was lost.
        """
        return self.storage.diagnosis.repair(finding)


@define
class TidyStorage:
    """Has the storage do a step of the work that nobody waits for."""

    storage: Storage

    def __call__(self) -> bool:
        """Whether there may be more of it."""
        return self.storage.tidy()
