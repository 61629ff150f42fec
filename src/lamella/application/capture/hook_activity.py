"""Entries of the activity log that are made of captures."""

from collections.abc import Sequence

from lamella.application.ledger.record_change import CapturedEdit
from lamella.ports.spool import Captured, ContextShown
from lamella.ports.storage.activity import Activity, ActivityKind


def injected(captures: Sequence[ContextShown]) -> list[Activity]:
    """Return entries about memories that hooks gave to conversations."""
    return [
        Activity(
            name=each.name,
            at=each.at,
            kind=ActivityKind.INJECTED,
            session=each.session,
            about=each.event,
            tokens=each.tokens,
        )
        for each in captures
    ]


def passed_over(captures: Sequence[tuple[Captured | CapturedEdit, str]]) -> list[Activity]:
    """Return entries about captures that were not stored, each with its reason."""
    return [
        Activity(
            name=each.request if isinstance(each, CapturedEdit) else each.name,
            at=each.at,
            kind=ActivityKind.SKIPPED,
            session=each.session,
            about=reason,
        )
        for each, reason in captures
    ]
