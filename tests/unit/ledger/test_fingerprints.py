import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.ledger.fingerprints import fingerprints, line_units, packed, statement_units, unpacked
from tests.unit.support.tables import cases

CODE = """\
def fetched(url, attempts=3):
    for attempt in range(attempts):
        answer = session.get(url, timeout=TIMEOUT)
        if answer.ok:
            return answer.json()["items"]
    raise FetchError(f"no answer from {url}")
"""


def line_fingerprints(*lines: str) -> list[int]:
    return [unit.fingerprint for unit in line_units(lines)]


def statement_marks(code: str) -> list[int]:
    return [unit.fingerprint for unit in statement_units(code.split("\n"))]


@cases
def test_a_line_is_the_same_in_another_layout(other: str) -> None:
    assert line_fingerprints(other) == line_fingerprints("total = sum(values)") != []


def test_a_line_is_the_same_with_other_quotes() -> None:
    assert line_fingerprints("name = 'a name'") == line_fingerprints('name = "a name"')


@pytest.mark.parametrize("other", ["total = sum(value)", "total = sum(values) + 1", "Total = sum(values)"])
def test_a_line_with_other_words_is_another(other: str) -> None:
    assert line_fingerprints(other) != line_fingerprints("total = sum(values)")


@cases
def test_what_says_too_little_does_not_count(line: str) -> None:
    assert line_fingerprints(line) == []


@cases
def test_what_only_begins_like_that_counts(line: str) -> None:
    assert len(line_fingerprints(line)) == 1


def test_units_say_where_they_are_and_how_long() -> None:
    lines = ["", "total = sum(values)", "}", "    print(total, end='')"]
    assert [(unit.line, unit.characters) for unit in line_units(lines)] == [(1, 17), (3, 19)]


def test_statements_are_the_same_with_other_variables() -> None:
    renamed = CODE.replace("answer", "reply").replace("attempt", "turn").replace("url", "address")
    assert statement_marks(renamed)[:3] == statement_marks(CODE)[:3]


@cases
def test_statements_that_call_or_say_something_else_are_others(other: str) -> None:
    assert statement_marks(other) != statement_marks(CODE)


@cases
def test_a_statement_is_the_same_on_several_lines(wrapped: str) -> None:
    assert statement_marks(wrapped) == statement_marks("answer = session.get(url, timeout=TIMEOUT)") != []


@cases
def test_statements_that_say_too_little_do_not_count(said: str) -> None:
    assert statement_marks(said) == []


@cases
def test_other_lines_hide_no_statement_behind_them(code: str, place: int) -> None:
    assert statement_marks(code)[place:] == statement_marks("parser.read(document)")


def test_marks_are_those_of_lines_and_of_statements() -> None:
    lines = CODE.split("\n")
    assert fingerprints(lines) == {
        unit.fingerprint for units in (line_units, statement_units) for unit in units(lines)
    }


def test_marks_stay_the_same_for_ever() -> None:
    # They are stored: another hash, or another layout, would make every ledger worthless.
    assert [f"{mark:016x}" for mark in sorted(fingerprints(["total = sum(values)"]))] == [
        "527e76c7aef4dccf",
        "816627576ca3c798",
    ]


@given(st.frozensets(st.integers(0, 2**64 - 1)))
def test_packed_marks_come_back(some: frozenset[int]) -> None:
    assert unpacked(packed(some)) == some


@given(st.lists(st.text()))
def test_any_text_has_marks(lines: list[str]) -> None:
    assert all(0 <= mark < 2**64 for mark in fingerprints(lines))
