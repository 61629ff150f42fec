"""Tests of the projects created by the benchmark of teams."""

from bench.team.population import sizes


def test_a_million_memories_are_in_5000_projects_of_few_sizes() -> None:
    one, *others = sizes(1_000_000, 5_000, largest=20_000, one=200_000)
    assert one == 200_000
    assert len(others) == 4_999
    assert others == sorted(others, reverse=True)
    assert 15_000 < others[0] <= 20_000
    assert 950_000 < one + sum(others) < 1_050_000
    assert len(set(others)) < 15


def test_no_project_is_empty_and_none_is_larger_than_allowed() -> None:
    assert set(sizes(10, 100, largest=20, one=0)) == {1}
    assert set(sizes(1_000, 3, largest=20, one=0)) == {20}
