import re
from pathlib import Path

from tests.unit.support.tables import cases

TESTS = Path(__file__).parents[2]


@cases
def test_a_cell_is_text_or_an_expression(read: str, meant: str) -> None:
    assert [*read] == [chr(int(point, 16)) for point in meant.split()]


@cases
def test_a_cell_of_another_type_is_an_expression(read: object, meant: str) -> None:
    assert repr(read) == meant


def test_every_table_is_that_of_a_test() -> None:
    for folder in ("unit", "contract", "end_to_end"):
        for path in (TESTS / folder).rglob("test_*.txt"):
            code, text = path.with_suffix(".py").read_text("utf-8"), path.read_text("utf-8")
            asked = re.findall(r"^ *@cases\n(?: *@.*\n)* *def (\w+)", code, re.MULTILINE)
            assert (path.name, asked) == (path.name, re.findall(r"^test_\w+$", text, re.MULTILINE))
