from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.replies.budget import Reply, TokenBudget
from lamella.domain.replies.paging import own_size
from tests.unit.support.tables import cases


def test_a_reply_of_exactly_the_limit_is_allowed() -> None:
    budget = TokenBudget(3, len)
    assert (budget.allows("abc"), budget.allows("abcd")) == (True, False)


@pytest.mark.parametrize(("limit", "longest"), [(0, 1), (1, 1), (5, 5), (9, 9), (10, 9)])
def test_the_longest_is_the_largest_that_is_allowed_or_the_least(limit: int, longest: int) -> None:
    assert TokenBudget(limit, len).longest(1, 9, lambda number: "x" * number) == longest


def test_a_reply_can_tell_its_own_size() -> None:
    for words in (0, 4, 95, 96, 97):
        size = own_size(lambda tokens, words=words: "x" * words + str(tokens), len)  # type: ignore[misc]
        assert size == words + len(str(size))


def test_where_no_number_is_right_the_last_one_tried_is_told() -> None:
    tried: list[int] = []

    def reply(tokens: int) -> str:
        tried.append(tokens)
        return "x" * (tokens + 1)

    assert (own_size(reply, len, 7), tried) == (11, [7, 8, 9, 10, 11])


def listed(count: int) -> Reply:
    """A reply with `count` of four items, in one block, or two where it is cut."""
    return Reply(("x" * count, *(["cut"] if count < 4 else [])))


@cases
def test_items_are_all_there_or_the_first_that_fit_with_every_block(limit: int, reply: tuple[str, ...]) -> None:
    assert TokenBudget(limit, len).first(4, listed).blocks == reply


def test_the_first_items_are_as_many_as_fit() -> None:
    def reply(count: int) -> Reply:
        return Reply(("long" * count, "and more"))

    assert TokenBudget(18, len).first(9, reply) == reply(2)
    assert TokenBudget(0, len).first(0, reply) == reply(0)


def test_each_item_that_fits_is_there_and_a_large_one_stops_none_after_it() -> None:
    items = ["one", "x" * 99, "two", "three", "four"]

    def reply(shown: Sequence[int]) -> Reply:
        return Reply((*(items[number] for number in shown), f"{len(items) - len(shown)} left"))

    assert TokenBudget(14, len).each(5, reply).blocks == ("one", "two", "3 left")
    assert TokenBudget(1, len).each(5, reply).blocks == ("5 left",)


@cases
def test_lines_that_do_not_fit_are_counted_and_the_first_one_stays(
    limit: int, lines: list[str], trimmed: str
) -> None:
    assert TokenBudget(limit, len).trimmed(lines) == trimmed


@given(st.lists(st.text(max_size=20), min_size=1, max_size=30), st.integers(40, 200))
def test_trimmed_lines_never_exceed_the_limit(lines: list[str], limit: int) -> None:
    trimmed = TokenBudget(limit, len).trimmed(lines)
    kept = trimmed.rpartition("\n... and ")[0] if "\n... and " in trimmed else trimmed
    assert (len(trimmed) <= limit, "\n".join(lines).startswith(kept)) == (True, True)
