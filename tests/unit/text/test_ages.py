from datetime import datetime

from lamella.domain.text.ages import age
from tests.unit.support.tables import cases

NOW = datetime.fromisoformat("2026-11-28T01:30:00+01:00")


@cases
def test_a_time_is_relative_for_a_week_and_then_a_date(at: str, said: str) -> None:
    assert age(datetime.fromisoformat(f"{at}+01:00"), NOW) == said
