"""Questions that name somebody prefer what that person said."""

import pytest
from attrs import evolve

from lamella.application.search.recall import RecallRequest
from lamella.application.search.request import SearchRequest
from lamella.domain.memories.query import ByText, Mode
from lamella.domain.search.preferences import POOL
from tests.unit.embeddings.meaning_desks import patient
from tests.unit.support.doubles import Desk, desk_with, titles
from tests.unit.support.tables import cases


def prefers(question: str, text: str) -> bool:
    """Tell whether a text gains by the capitals of a question; its words are the same without."""
    desk = desk_with(text, "horse", "cow", "dog")
    asked = (SearchRequest(selector=ByText(each, Mode.KEYWORD)) for each in (question, question.lower()))
    with_names, without = (desk.searching(desk.call, each).hits[0] for each in asked)
    assert with_names.observation.content == without.observation.content == text
    return (with_names.score or 0.0) > (without.score or 0.0) * 1.01


@pytest.mark.parametrize("text", ["Ana: hello", "Ana Maria Lopez: hello", "Lopez Ana:\nhello"])
@pytest.mark.parametrize("question", ["hello Ana", "Why does Ana say hello to ben?", "Ana and Zo\xeb hello"])
def test_what_a_named_person_said_is_preferred(question: str, text: str) -> None:
    assert prefers(question, text)


@cases
def test_what_others_said_is_not(text: str) -> None:
    assert not prefers("hello Ana", text)


@pytest.mark.parametrize("question", ["hello src/Auth", "Why does it say hello?"])
def test_identifiers_and_stop_words_are_no_names(question: str) -> None:
    assert not prefers(question, "Auth: hello, it")


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
