"""Questions that name somebody prefer what that person said."""

import pytest
from attrs import evolve

from lamella.application.search.recall import RecallRequest
from lamella.domain.memories.query import ByText, Mode
from lamella.domain.search.speakers import POOL, names, preference
from tests.unit.embeddings.meaning_desks import patient
from tests.unit.support.doubles import Desk, titles


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("What did Ana say to ben?", {"ana"}),
        ("Ana and Zo\xeb", {"ana", "zo\xeb"}),
        ("Where is getUserById in src/Auth?", set()),
        ("What does it do?", set()),
        ("", set()),
    ],
)
def test_names_are_words_with_a_capital_that_are_no_identifiers(question: str, named: set[str]) -> None:
    assert names(question) == named


@pytest.mark.parametrize("text", ["Ana: hello", " ana: hello", "Ana Maria Lopez: hello", "Lopez Ana:\nhello"])
def test_what_a_named_person_said_is_preferred(text: str) -> None:
    assert preference(text, frozenset({"ana"})) > 1


@pytest.mark.parametrize(
    "text", ["Ben: hello Ana", "Ana:hello", "Anastasia: hello", "one two three ana: hello", "Ana", ""]
)
def test_what_others_said_is_not(text: str) -> None:
    assert preference(text, frozenset({"ana"})) == 1
    assert preference(text, frozenset()) == 1


SAID = ("Ben: I asked Ana for tea", "Ana: I like tea", "Cleo: I like tea", "milk", "water", "juice")


@pytest.mark.parametrize("mode", [Mode.KEYWORD, Mode.AUTO])
def test_an_answer_of_the_one_who_is_named_comes_first(mode: Mode) -> None:
    desk = patient(*SAID)
    for name in ("Ana", "Cleo"):
        (best, *_) = titles(desk, RecallRequest(selector=ByText(f"What does {name} like, tea?", mode)))
        assert best == f"{name}: I like tea"


def test_it_is_found_however_few_are_asked_for_and_however_many_are_better_by_words() -> None:
    desk = Desk()
    for number in range(POOL - 2):
        desk.save(f"Ben: tea {number}")
    desk.save("Ana: tea again")
    first, *others = titles(desk, RecallRequest(selector=ByText("tea for Ana"), limit=3))
    assert (first, len(others)) == ("Ana: tea again", 2)
    asked = RecallRequest(selector=ByText("tea for Ben"), limit=1)
    assert titles(desk, asked) == [f"Ben: tea {POOL - 3}"]


def test_purged_ones_follow_all_live_ones_whoever_said_them() -> None:
    desk = Desk()
    for text in ("Ana: I like tea", "Ben: I like tea", *SAID[3:]):
        desk.save(text)
    desk.purge(desk.call, ["00000001"])
    asked = RecallRequest(selector=ByText("Does Ana like tea?", Mode.KEYWORD), include_purged=True)
    assert titles(desk, asked) == ["Ben: I like tea", "Ana: I like tea"]
    assert titles(desk, evolve(asked, include_purged=False)) == ["Ben: I like tea"]
