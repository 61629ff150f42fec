"""Diagnose and tidy the storage."""

from attrs import define

from lamella.ports.storage.diagnosis import Finding
from lamella.ports.storage.storage import Storage


@define
class DiagnoseStorage:
    """Find faults, and mend those that can be mended. Never deletes."""

    storage: Storage

    def __call__(self) -> tuple[Finding, ...]:
        """Return a finding for everything that was checked.

        Raises:
            CapabilityUnsupportedError: This storage cannot be diagnosed.
        """
        return self.storage.diagnosis.findings()

    def repair(self, finding: Finding) -> str:
        """Do what `finding.repair` says. Return a sentence about what was done.

        Raises:
            StorageError: It could not be done; nothing was lost.
        """
        return self.storage.diagnosis.repair(finding)


@define
class TidyStorage:
    """Run a step of index maintenance."""

    storage: Storage

    def __call__(self) -> bool:
        """Return True if more may be pending."""
        return self.storage.tidy()
