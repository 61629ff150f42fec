"""Tests of the workload that `bench/speed` measures."""

from bench.speed.population import shares


def test_the_big_project_has_40_percent_and_the_others_share_the_rest() -> None:
    assert shares(10_000) == [4_000, *[123] * 22, *[122] * 27]
    assert (sum(shares(10_000)), len(shares(10_000))) == (10_000, 50)
