"""Diagnosis of a storage in memory."""

from lamella.ports.storage.diagnosis import Finding, Severity, StorageDiagnosis


class InMemoryDiagnosis(StorageDiagnosis):
    """Diagnosis with the warning that memories are never saved; repairs are unnecessary."""

    def findings(self) -> tuple[Finding, ...]:
        """See `StorageDiagnosis.findings`."""
        message = "Memories are kept in this process only and end with it."
        return (Finding(subject="storage", severity=Severity.WARNING, message=message),)
