"""Desks with memories to change and to undo."""

import pytest

from lamella.domain.audit.errors import NotUndoableError
from tests.unit.support.doubles import Desk

ONE, TWO, THREE = ("00000001", "00000002", "00000003")


def desk_with(count: int) -> Desk:
    desk = Desk()
    for number in range(1, count + 1):
        desk.save(f"memory {number}")
    return desk


def live(desk: Desk) -> list[str]:
    return [each.content for each in desk.everything if not each.purged]


def refused(desk: Desk, number: int | None = None) -> str:
    with pytest.raises(NotUndoableError) as raised:
        desk.undo(desk.call, number)
    return str(raised.value)
