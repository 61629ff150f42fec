"""Lines on a terminal."""

import pytest

from lamella_adapters.cli.output import wrapped

LINE = "[2] f88ade90 | A seat is held for fifteen minutes | 0.41 | - | 2026-11-23"


@pytest.mark.parametrize(
    ("line", "width", "parts"),
    [
        (LINE, 80, [LINE]),
        (LINE, 60, ["[2] f88ade90 | A seat is held for fifteen minutes", "    | 0.41 | - | 2026-11-23"]),
        (
            LINE,
            40,
            ["[2] f88ade90 | A seat is held for", "    fifteen minutes", "    | 0.41 | - | 2026-11-23"],
        ),
        ("one two | three four | five", 12, ["one two", "    | three", "    four", "    | five"]),
        ("  deep and wide", 10, ["  deep and", "      wide"]),
        (f"| {'x' * 50}", 12, ["|", "    " + "x" * 50]),
        ("Save one with: lamella save TEXT", 20, ["Save one with:", "    lamella save TEXT"]),
    ],
)
def test_a_line_is_broken_before_a_column_and_keeps_short_ones_at_its_end_together(
    line: str, width: int, parts: list[str]
) -> None:
    assert list(wrapped(line, width, 4)) == parts
