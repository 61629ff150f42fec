"""Tests of the figures of `bench/quality`, with examples computed by hand."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.quality.metrics import Estimate, estimate, judged, ndcg_at, recall_at, reciprocal_rank
from bench.support.timing import percentile

RANKING = ["a", "x", "b", "y", "c"]


@pytest.mark.parametrize(("k", "recall"), [(1, 1 / 4), (2, 1 / 4), (3, 2 / 4), (5, 3 / 4), (20, 3 / 4)])
def test_recall_is_the_share_of_the_relevant_among_the_first(k: int, recall: float) -> None:
    assert recall_at(k, RANKING, {"a", "b", "c", "d"}) == recall


@pytest.mark.parametrize(("relevant", "rank"), [({"a", "b"}, 1), ({"b", "c"}, 1 / 3), ({"z"}, 0)])
def test_the_reciprocal_rank_is_that_of_the_first_relevant_one(relevant: set[str], rank: float) -> None:
    assert reciprocal_rank(RANKING, relevant) == rank


def test_gain_is_discounted_by_the_logarithm_of_the_place() -> None:
    # Found at ranks 1 and 3; the best possible ranks are 1, 2 and 3: (1 + 1/2) / (1 + 1/log2(3) + 1/2).
    assert ndcg_at(4, RANKING, {"a", "b", "c"}) == pytest.approx(1.5 / (1.5 + 1 / math.log2(3)), abs=1e-12)
    assert ndcg_at(4, RANKING, {"a", "b", "c"}) == pytest.approx(0.7039180890341347, abs=1e-12)


def test_the_best_there_could_be_is_limited_by_the_depth() -> None:
    assert ndcg_at(1, ["a", "x"], {"a", "b", "c"}) == 1


def test_nothing_found_is_nothing_gained() -> None:
    nothing = dict.fromkeys(("R@1", "R@3", "R@5", "R@10", "R@20", "MRR", "nDCG@10"), 0)
    assert judged([], {"a"}) == nothing


def test_every_figure_of_one_ranking() -> None:
    assert judged(["x", "a"], {"a"}) == {
        "R@1": 0,
        "R@3": 1,
        "R@5": 1,
        "R@10": 1,
        "R@20": 1,
        "MRR": 1 / 2,
        "nDCG@10": 1 / math.log2(3),
    }


def test_what_never_varies_is_certain() -> None:
    assert estimate([0.25] * 7) == Estimate(0.25, 0.25, 0.25)


def test_the_interval_of_many_coin_throws_is_that_of_the_normal_distribution() -> None:
    # 400 throws have a standard error of 0.5 / 20. The interval has 1.96 of them on each side.
    found = estimate([0, 1] * 200)
    assert (found.mean, found.low, found.high) == pytest.approx((0.5, 0.451, 0.549), abs=0.004)


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_an_interval_holds_no_value_that_was_not_seen_and_is_the_same_again(values: list[float]) -> None:
    found = estimate(values)
    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9
    assert estimate(values) == found


@pytest.mark.parametrize(("percent", "value"), [(50, 2), (75, 3), (76, 4), (99, 4), (100, 4), (1, 1)])
def test_a_percentile_is_the_value_that_so_many_do_not_exceed(percent: float, value: float) -> None:
    assert percentile([4, 2, 1, 3], percent) == value
