import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest

from lamella_adapters.process.system import SystemClock, Uuid4Source
from tests.unit.support.tables import cases

SetZone = Callable[[str], None]


@pytest.fixture
def machine_in() -> Iterator[SetZone]:
    """Set the machine's time zone within a test."""
    with pytest.MonkeyPatch.context() as patch:

        def move(zone: str) -> None:
            patch.setenv("TZ", zone)
            time.tzset()

        yield move
    time.tzset()


BERLIN = "CET-1CEST,M3.5.0,M10.5.0/3"


def test_now_is_in_utc() -> None:
    before = datetime.now(UTC)
    now = SystemClock().now()
    assert before <= now <= datetime.now(UTC)
    assert now.tzinfo is UTC


@cases
def test_the_zone_knows_summer_and_winter_and_the_two_hours_of_an_autumn_night(
    machine_in: SetZone, moment: datetime, there: str
) -> None:
    machine_in(BERLIN)
    assert moment.astimezone(SystemClock().zone()).isoformat() == there


@pytest.mark.parametrize("zone", ["UTC", BERLIN, "LHST-10:30LHDT-11,M10.1.0,M4.1.0", "NST3:30NDT,M3.2.0,M11.1.0"])
def test_every_moment_of_a_year_comes_back_to_the_microsecond(machine_in: SetZone, zone: str) -> None:
    machine_in(zone)
    local = SystemClock().zone()
    start = datetime(2025, 1, 1, 0, 0, 0, 999_999, tzinfo=UTC)
    moments = [start + timedelta(minutes=30 * step, microseconds=step) for step in range(365 * 48)]
    assert [each.astimezone(local).astimezone(UTC) for each in moments] == moments


def test_a_moment_in_the_zone_has_the_name_of_its_offset(machine_in: SetZone) -> None:
    machine_in(BERLIN)
    zone = SystemClock().zone()
    assert datetime(2025, 7, 15, 12, tzinfo=UTC).astimezone(zone).strftime("%H:%M %Z %z") == "14:00 CEST +0200"
    assert datetime(2025, 7, 15, 12, tzinfo=zone).timetuple().tm_hour == 12
    assert (zone.utcoffset(None), zone.dst(None), zone.tzname(None)) == (None, None, None)


def test_ids_are_random_uuids() -> None:
    source = Uuid4Source()
    ids = {source.new() for _ in range(100)}
    assert len(ids) == 100
    assert {(each.version, each.variant) for each in ids} == {(4, "specified in RFC 4122")}
