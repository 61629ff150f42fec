import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.budget import PAGE_TOKENS, SINGLE_TOKENS, TokenBudget


def test_a_reply_has_2000_tokens_and_a_single_memory_4000() -> None:
    assert (PAGE_TOKENS, SINGLE_TOKENS) == (2_000, 4_000)


def test_a_reply_of_exactly_the_limit_is_allowed() -> None:
    budget = TokenBudget(3, len)
    assert (budget.allows("abc"), budget.allows("abcd")) == (True, False)


@pytest.mark.parametrize(("limit", "longest"), [(0, 1), (1, 1), (5, 5), (9, 9), (10, 9)])
def test_the_longest_is_the_largest_that_is_allowed_or_the_least(limit: int, longest: int) -> None:
    assert TokenBudget(limit, len).longest(1, 9, lambda number: "x" * number) == longest


def test_lines_that_fit_stay_whole() -> None:
    assert TokenBudget(5, len).trimmed(["ab", "cd"]) == "ab\ncd"


def test_lines_that_do_not_fit_are_counted() -> None:
    assert TokenBudget(20, len).trimmed(["ab", "cd", "ef", "gh", "ij" * 9]) == "ab\ncd\n... and 3 more"


def test_the_first_line_stays_whatever_it_costs() -> None:
    assert TokenBudget(1, len).trimmed(["ab", "cd"]) == "ab\n... and 1 more"


@given(st.lists(st.text(max_size=20), min_size=1, max_size=30), st.integers(40, 200))
def test_trimmed_lines_never_exceed_the_limit(lines: list[str], limit: int) -> None:
    trimmed = TokenBudget(limit, len).trimmed(lines)
    kept = trimmed.rpartition("\n... and ")[0] if "\n... and " in trimmed else trimmed
    assert (len(trimmed) <= limit, "\n".join(lines).startswith(kept)) == (True, True)
