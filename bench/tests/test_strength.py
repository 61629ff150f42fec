"""Tests of counting strong and weak replies, and of bars and comparisons."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bench.quality.answers import Answered
from bench.quality.bars import KEYWORDS, bars
from bench.quality.collection import Collection, Engine, Memory, Question, Results
from bench.quality.collections.unrelated import texts, unrelated
from bench.quality.comparison import figures, store, stored, what_got_worse
from bench.quality.metrics import Estimate
from bench.quality.report import FIGURES, Result, summaries
from bench.quality.small import SIZES, small_projects
from bench.quality.strength import Strength, strength

NOON = datetime(2024, 5, 6, 12, tzinfo=UTC)


def collection(name: str = "c", size: int = 4, **fields: object) -> Collection:
    """Return memories `0`, `1` … of project p, each with the question `ask 0`, `ask 1` …"""
    memories = [
        Memory(key=str(number), text=f"{name[:1]} {number}", project="p", session="s", created_at=NOON)
        for number in range(size)
    ]
    questions = [
        Question(text=f"ask {each.key}", project="p", relevant=frozenset([each.key])) for each in memories
    ]
    return Collection(name=name, memories=memories, questions=questions, **fields)  # type: ignore[arg-type]


class Knowing(Engine):
    """Engine that finds the memory for `ask N`. For other questions, it calls the first memory a weak match."""

    @property
    def name(self) -> str:
        return "knowing"

    def found(self, memories: Sequence[Memory], texts: Sequence[str]) -> Iterator[Results]:
        for text in texts:
            asked = text.removeprefix("ask ")
            known = asked in {memory.key for memory in memories}
            yield Results([asked if known else memories[0].key], weak=not known)


def test_right_answers_that_are_called_weak_are_counted_and_wrong_ones_are_not() -> None:
    found = {
        ("p", "ask 0"): Results(["0"]),
        ("p", "ask 1"): Results(["x", "y", "1"], weak=True),
        ("p", "ask 2"): Results(["x", "y", "z", "2"], weak=True),
        ("p", "ask 3"): Results([], weak=True),
        ("p", "other"): Results(["1", "2"]),
        ("p", "another"): Results(["1"], weak=True),
    }
    counted = strength(collection(), Answered(engine="e", found=found), ["other", "another"])
    assert counted == Strength(right=2, weak=1, unrelated=2, strong=1, shown=3)
    assert (counted.called_weak, counted.called_strong) == (50, 50)
    assert counted + counted == Strength(right=4, weak=2, unrelated=4, strong=2, shown=6)
    assert (Strength().called_weak, Strength().called_strong) == (0, 0)


def test_a_collection_is_asked_questions_of_others_except_of_its_texts_or_languages() -> None:
    mine, again, other = collection("a"), collection("a, single facts"), collection("b", 2)
    paths, korean = collection("paths", sentences=False), collection("k", unrelated=["날씨?"])
    asked = unrelated(mine, [mine, again, other, paths, korean])
    assert sorted(asked["questions of others"]) == ["ask 0", "ask 1"]
    assert (len(asked["everyday questions"]) >= 20, len(asked["made-up words"])) == (True, 20)
    assert "questions of others" not in unrelated(mine, [mine, again])
    assert texts(unrelated(korean, [mine])) == ["날씨?"]
    assert unrelated(mine, [mine, other]) == unrelated(mine, [mine, other])


def test_small_projects_hold_the_answer_and_are_smaller_than_the_collection() -> None:
    counted = list(small_projects(collection(size=25), [Knowing()], ["other"]))
    assert [(size, engine) for size, engine, _ in counted] == [(3, "knowing"), (10, "knowing")]
    for size, _, each in counted:
        assert each.right >= SIZES[size]
        assert (each.weak, each.strong, each.unrelated) == (0, 0, SIZES[size])


def result(engine: str, value: float, name: str = "c", counted: Strength | None = None) -> Result:
    return Result(
        collection=collection(name),
        engine=engine,
        figures=dict.fromkeys(FIGURES, Estimate(value, value, value)),
        strength=counted or Strength(),
    )


def test_what_got_worse_is_below_the_best_baseline_or_below_the_last_run(tmp_path: Path) -> None:
    one = collection()
    results = [result("grep", 0.2), result("FTS5, OR", 0.5), result(KEYWORDS, 0.4)]
    now = {"c": {each.engine: figures([each])["c"][each.engine] for each in results}}
    path = tmp_path / "quality.json"
    assert stored(path) == {}
    store(path, {}, {one.name: {KEYWORDS: {"R@3": 40.0, "R@10": 41.5, "nDCG@10": 30.0}}})
    assert what_got_worse(now, stored(path)).rows == [
        ["c", KEYWORDS, "R@3", "40.0", "FTS5, OR", "50.0", "10.0"],
        ["c", KEYWORDS, "R@10", "40.0", "FTS5, OR", "50.0", "10.0"],
        ["c", KEYWORDS, "R@10", "40.0", "the last run", "41.5", "1.5"],
        ["c", KEYWORDS, "nDCG@10", "40.0", "FTS5, OR", "50.0", "10.0"],
    ]


def test_figures_of_a_run_replace_the_same_ones_and_no_others(tmp_path: Path) -> None:
    path = tmp_path / "quality.json"
    last = {"a": {"x": {"R@3": 1.0}, "y": {"R@3": 2.0}}, "b": {"x": {"R@3": 3.0}}}
    store(path, last, {"a": {"x": {"R@3": 4.0}}, "c": {"x": {"R@3": 5.0}}})
    assert stored(path) == {
        "a": {"x": {"R@3": 4.0}, "y": {"R@3": 2.0}},
        "b": {"x": {"R@3": 3.0}},
        "c": {"x": {"R@3": 5.0}},
    }


@pytest.mark.parametrize(("value", "reached"), [(0.9, "yes"), (0.89, "**no**")])
def test_a_bar_is_reached_by_as_much_as_it_asks_for(value: float, reached: str) -> None:
    measured = {"Korean": figures([result(KEYWORDS, value, "Korean")])["Korean"]}
    assert bars(measured, [], {}).rows == [["Korean", KEYWORDS, "R@3", f"{100 * value:.1f}", "≥ 90", reached]]


def test_single_facts_are_to_be_as_good_as_fts5_with_or() -> None:
    name = "x, single facts"
    measured = {name: {"FTS5, OR": {"R@10": 50.0, "nDCG@10": 40.0}, KEYWORDS: {"R@10": 50.0, "nDCG@10": 39.0}}}
    assert bars(measured, [], {}).rows == [
        [name, KEYWORDS, "R@10", "50.0", "≥ 50", "yes"],
        [name, KEYWORDS, "nDCG@10", "39.0", "≥ 40", "**no**"],
    ]


def test_shares_of_weak_and_strong_have_bars_in_large_projects_and_small_ones() -> None:
    counted = Strength(right=100, weak=8, unrelated=100, strong=11)
    rows = bars({}, [result(KEYWORDS, 1, counted=counted)], {3: {KEYWORDS: Strength(right=10)}}).rows
    assert rows == [
        ["unrelated, shown as strong: all", KEYWORDS, "", "11.0", "≤ 10", "**no**"],
        ["right, called weak: all", KEYWORDS, "", "8.0", "≤ 8", "yes"],
        ["right, called weak: 3 memories", KEYWORDS, "", "0.0", "≤ 8", "yes"],
    ]


def test_a_summary_names_every_engine_and_is_one_table_for_each_set_of_figures() -> None:
    tables = summaries([result("grep", 0.5)])
    assert [(each.title, each.head, each.rows) for each in tables] == [
        ("R@10 / nDCG@10", ["collection", "questions", "grep"], [["c", "4", "50.0 / 50.0"]])
    ]
