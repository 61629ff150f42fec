"""What the parts of a diagnosis have found."""

from collections.abc import Callable

from attrs import frozen

from lamella.ports.storage.diagnosis import Finding, Severity


@frozen
class Check:
    """A finding, and what mends it."""

    finding: Finding
    mend: Callable[[], str] | None = None


def fine(subject: str, message: str) -> Check:
    """Nothing is wrong there."""
    return Check(Finding(subject=subject, severity=Severity.FINE, message=message))


def fault(subject: str, message: str, repair: str = "") -> Finding:
    """Something is wrong there, and `repair` would be done about it."""
    return Finding(subject=subject, severity=Severity.FAULT, message=message, repair=repair)
