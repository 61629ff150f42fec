"""Sizes and pending captures in `lamella status`."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from lamella.ports.spool import SpoolState
from lamella.ports.storage.diagnosis import Space
from lamella_adapters.cli.maintenance.status import _spaced, _spooled
from tests.unit.support.tables import cases

NOON = datetime(2026, 5, 28, 12, tzinfo=UTC)


@cases
def test_the_listed_sizes_add_up_to_the_total(space: Mapping[Space, int], told: str) -> None:
    assert _spaced(space) == told


@cases
def test_pending_captures_have_a_size_and_an_age(waited: timedelta, size: int, told: str) -> None:
    assert _spooled(SpoolState(waiting=2, size=size, oldest=NOON - waited), NOON) == told
