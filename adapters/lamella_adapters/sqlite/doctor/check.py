"""Results of the parts of a diagnosis."""

from collections.abc import Callable

from attrs import frozen

from lamella.ports.storage.diagnosis import Finding, Severity


@frozen
class Check:
    """Finding of the diagnosis. A fault that can be repaired has the function `repair`, which repairs it."""

    finding: Finding
    repair: Callable[[], str] | None = None


def fine(subject: str, message: str) -> Check:
    """Return the result of a check without a fault."""
    return Check(Finding(subject=subject, severity=Severity.FINE, message=message))


def warning(subject: str, message: str) -> Check:
    """Return the result of a check that found a fault which can't be repaired."""
    return Check(Finding(subject=subject, severity=Severity.WARNING, message=message))


def fault(subject: str, message: str, advice: str = "", repair: Callable[[], str] | None = None) -> Check:
    """Return the result of a check that found a fault. `advice` describes what `repair` would do."""
    return Check(Finding(subject=subject, severity=Severity.FAULT, message=message, repair=advice), repair)
