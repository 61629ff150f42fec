"""What hooks did, as entries of the activity log."""

from collections.abc import Sequence

from lamella.application.ledger.record_change import CapturedEdit
from lamella.ports.spool import Captured
from lamella.ports.storage.activity import Activity, ActivityKind


def injected(captures: Sequence[Captured]) -> list[Activity]:
    """That hooks gave context to a conversation."""
    return [
        Activity(
            name=each.name,
            at=each.at,
            kind=ActivityKind.INJECTED,
            session=each.session,
            about=each.event,
            tokens=each.injected or 0,
        )
        for each in captures
    ]


def passed_over(captures: Sequence[tuple[Captured | CapturedEdit, str]]) -> list[Activity]:
    """That captures were not stored, each with the reason."""
    return [
        Activity(
            name=each.name if isinstance(each, Captured) else each.request,
            at=each.at,
            kind=ActivityKind.SKIPPED,
            session=each.session,
            about=reason,
        )
        for each, reason in captures
    ]
