"""Lines on a terminal."""

from lamella_adapters.cli.output import wrapped
from tests.unit.support.tables import cases

LINE = "[2] f88ade90 | A seat is held for fifteen minutes | 0.41 | - | 2026-11-23"


@cases
def test_a_line_is_broken_before_a_column_and_keeps_short_ones_at_its_end_together(
    line: str, width: int, parts: list[str]
) -> None:
    assert list(wrapped(line, width, 4)) == parts
