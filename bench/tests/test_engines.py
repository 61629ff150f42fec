"""Tests of the engines measured by `bench.quality`, and of the queries sent to them."""

from datetime import UTC, datetime
from typing import Any

import pytest
from attrs import evolve

from bench.quality.answers import answers, corpora
from bench.quality.collection import Collection, Edit, Engine, Memory, Question, Results
from bench.quality.engines.baselines import Grep, PlainFts5, RankBm25
from bench.quality.engines.lamella import Lamella
from lamella.domain.conversations.message import Role
from lamella.domain.memories.limits import MAX_QUERY_CHARACTERS

NOON = datetime(2024, 5, 6, 12, tzinfo=UTC)


def memory(key: str, text: str, **fields: Any) -> Memory:
    return Memory(key=key, text=text, **{"project": "p", "session": "s", "created_at": NOON, **fields})


ANIMALS = [
    memory("zebra", "The zebra has stripes."),
    memory("horse", "A horse runs; it has no stripes."),
    memory("zoo", "In the zoo\nis a zebra that runs."),
]


def keys(engine: Engine, *texts: str) -> list[list[str]]:
    return [list(each.keys) for each in engine.found(ANIMALS, texts)]


@pytest.mark.parametrize(
    ("asked", "found"),
    [("the ZEBRA has", [["zebra", "zoo", "horse"]]), ("runs", [["zoo", "horse"]]), ("elephant", [[]])],
)
def test_grep_finds_the_whole_and_then_any_word_newest_first(asked: str, found: list[list[str]]) -> None:
    assert keys(Grep(), asked) == found


def test_plain_fts5_needs_all_words_or_any() -> None:
    asked = ('zebra "runs', "elephant OR")
    assert keys(PlainFts5("AND"), *asked) == [["zoo"], []]
    assert [set(found) for found in keys(PlainFts5("OR"), *asked)] == [{"zoo", "zebra", "horse"}, set()]


@pytest.mark.parametrize(
    "engine", [Grep(), PlainFts5("OR"), RankBm25(), Lamella()], ids=lambda engine: engine.name
)
def test_every_engine_finds_a_memory_by_its_keywords(engine: Engine) -> None:
    others = [memory(f"other {number}", "something else") for number in range(9)]
    (found,) = engine.found(
        [*others, memory("barn", "Hay is fed at six.", keywords="donkey, feeding")], ["donkey"]
    )
    assert list(found.keys) == ["barn"]


def test_plain_fts5_takes_a_long_trace() -> None:
    assert keys(PlainFts5("OR"), " ".join(f"word{number}" for number in range(900)) + " horse") == [["horse"]]


def test_rank_bm25_finds_what_holds_a_word_and_nothing_else() -> None:
    many = [*ANIMALS, *(memory(f"other {number}", "something else") for number in range(9))]
    found = [each.keys for each in RankBm25().found(many, ["HORSE zebra?", "elephant"])]
    assert [sorted(each) for each in found] == [["horse", "zebra", "zoo"], []]
    assert found[0][0] == "horse"


def test_lamella_is_asked_as_a_client_asks_and_read_to_the_last_page() -> None:
    same = [memory(str(number), f"zebra {'stripes ' * 30}", session=str(number)) for number in range(25)]
    found = list(Lamella().found([*same, ANIMALS[1]], ["zebra", "elephant"]))
    assert found == [Results([str(number) for number in range(24, 4, -1)]), Results([], weak=True)]


def test_memories_with_roles_are_imported_and_found_as_messages() -> None:
    spoken = [
        evolve(each, role=role) for each, role in zip(ANIMALS, [Role.HUMAN, Role.ASSISTANT] * 2, strict=False)
    ]
    zebras, horses = Lamella().found(spoken, ["zebra stripes", "horse"])
    assert (zebras.keys[0], horses.keys[0]) == ("zebra", "horse")


def test_of_a_question_that_is_too_long_lamella_is_asked_the_end() -> None:
    long = "elephant " * MAX_QUERY_CHARACTERS + "horse"
    assert [each.keys[0] for each in Lamella().found(ANIMALS, [long])] == ["horse"]


@pytest.mark.parametrize(
    ("found", "strong"), [(Results(["a"]), True), (Results(["a"], weak=True), False), (Results([]), False)]
)
def test_an_answer_is_strong_if_something_is_shown_that_is_not_called_weak(found: Results, strong: bool) -> None:
    assert found.strong is strong


class Counted(Engine):
    """Engine that finds nothing, and counts queries."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    @property
    def name(self) -> str:
        return "counted"

    def found(self, memories: Any, texts: Any) -> Any:  # noqa: ARG002 - required by the interface
        self.asked.append(list(texts))
        return (Results([text]) for text in texts)


def test_collections_over_the_same_memories_are_asked_each_question_once() -> None:
    one = Question(text="one", project="p", relevant=frozenset(["zoo"]))
    first = Collection(name="first", memories=ANIMALS, questions=[one])
    second = Collection(name="second", memories=ANIMALS, questions=[one, evolve(one, text="two")])
    apart = Collection(name="apart", memories=[*ANIMALS], questions=[one])
    assert corpora([first, apart, second]) == [[first, second], [apart]]
    engine = Counted()
    (answered,) = answers([first, second], [engine], ["unrelated"])
    assert engine.asked == [["one", "unrelated", "two"]]
    assert answered.of(one) == Results(["one"])


def test_edits_and_summaries_are_captured_and_found_by_their_lines() -> None:
    edits = [
        Edit(path=f"{name}.py", prompt="Feed the animals.", hunks=f"@@ @@\n+feed({name})")
        for name in ("zebra", "horse")
    ]
    work = [memory(each.path, each.text, edit=each) for each in edits]
    summary = memory("summary", "Asked:\n- Feed the animals.\nChanged:\n- zebra.py: 1 edit", summary=True)
    lines, prompts = Lamella().found([ANIMALS[2], *work, summary], ["horse", "feed the animals"])
    assert lines.keys[0] == "horse.py"
    assert set(prompts.keys) == {"horse.py", "zebra.py", "summary"}
