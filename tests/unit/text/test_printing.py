import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.text.printing import (
    canonical,  # noqa: F401 - for the table
    counted,
    cut_point,
    defused,  # noqa: F401 - for the table
    one_line,  # noqa: F401 - for the table
    printed_block,
    printed_json,
    printed_line,  # noqa: F401 - for the table
    printed_time,
    shortened,
    trimmed,
    visible,
    well_formed,  # noqa: F401 - for the table
)
from tests.unit.support.tables import cases

any_text = st.text(st.characters(exclude_categories=()))

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
GERMAN_FLAG = "\U0001f1e9\U0001f1ea"


@cases
def test_each_function_prints_text_in_its_way(function: Callable[[str], str], text: object, printed: str) -> None:
    assert function(text) == printed  # type: ignore[arg-type] # JSON takes more than texts


def test_a_count_has_the_plural_of_its_noun() -> None:
    assert [counted(0, "copy"), counted(1, "memory"), counted(1_000, "message")] == [
        "0 copies",
        "1 memory",
        "1,000 messages",
    ]


@cases
def test_hidden_characters_are_shown(hidden: str, shown: str) -> None:
    assert visible(f"a{hidden}b") == f"a{shown}b"


@cases
def test_what_can_be_seen_stays_with_the_joiners_that_emoji_and_scripts_need(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize("joiner", ["\u200c", "\u200d"])
@cases
def test_joiners_elsewhere_are_shown(joiner: str, around: tuple[str, str]) -> None:
    before, after = around
    assert visible(f"{before}{joiner}{after}") == f"{before}\\u{{{ord(joiner):04X}}}{after}"


@cases
def test_joiners_and_selectors_of_variants_are_shown_where_nothing_needs_them(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(any_text)
def test_what_is_printed_can_be_encoded_and_hides_nothing(text: str) -> None:
    printed = visible(text)
    assert printed.encode().decode() == printed
    assert not set(printed) & set(
        "\u202a\u202b\u202d\u202e\u2066\u2069\u200b\u200e\u2060\ufeff\x00\x1b\r\u2028\U000e0041"
    )


@given(any_text)
def test_what_is_printed_is_printed_the_same_again(text: str) -> None:
    assert visible(visible(text)) == visible(text)


@cases
def test_the_first_of_several_lines_keeps_its_indentation(text: str, kept: str) -> None:
    assert trimmed(text) == trimmed(kept) == kept


@given(any_text)
def test_no_printed_line_poses_as_ours(text: str) -> None:
    posing = [line for line in printed_block(text).split("\n") if line.startswith(("---", "\u2500\u2500"))]
    assert posing == []


@cases
def test_a_cut_splits_nothing_that_is_seen_as_one(whole: str) -> None:
    text = f"ab{whole}yz"
    cuts = [cut_point(text, at) for at in range(len(text) + 1)]
    assert cuts == [0, 1, *[2] * len(whole), 2 + len(whole), 3 + len(whole), 4 + len(whole)]


@pytest.mark.parametrize(("most", "shown"), [(9, "save code"), (8, "save cod..."), (5, "save..."), (4, "save...")])
def test_a_shortened_text_ends_with_dots_behind_its_last_word(most: int, shown: str) -> None:
    assert shortened("save code", most) == shown


def test_flags_in_a_row_are_cut_between_two() -> None:
    assert [cut_point(GERMAN_FLAG * 3, at) for at in range(7)] == [0, 0, 2, 2, 4, 4, 6]


def test_a_start_resembling_an_escape_is_cut_after_nine_characters() -> None:
    text = "\\u{" + "x" * 20
    assert [cut_point(text, at) for at in (2, 9, 10, 12)] == [0, 0, 10, 12]


@given(any_text, st.integers(0, 100))
def test_a_cut_is_never_later_than_asked(text: str, at: int) -> None:
    asked = min(at, len(text))
    assert 0 <= cut_point(text, asked) <= asked


def test_times_are_printed_in_utc_to_the_second() -> None:
    there = timezone(timedelta(hours=9))
    assert printed_time(datetime(2024, 5, 6, 7, 8, 9, 999_999, tzinfo=there)) == "2024-05-05T22:08:09Z"
    assert printed_time(datetime(1, 1, 1, tzinfo=UTC)) == "0001-01-01T00:00:00Z"


@given(st.text())
def test_json_reads_back_as_what_it_was(text: str) -> None:
    written = printed_json([text])
    assert json.loads(written) == [text]
    assert visible(written) == written
