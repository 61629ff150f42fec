"""Questions for a time or a number prefer texts that have one."""

import pytest

from lamella.application.search.recall import RecallRequest
from lamella.application.search.request import SearchRequest
from lamella.domain.memories.query import ByText, Mode
from lamella.domain.search.preferences import POOL
from tests.unit.embeddings.meaning_desks import patient
from tests.unit.support.doubles import Desk, desk_with, titles
from tests.unit.support.tables import cases


def prefers(question: str, text: str) -> bool:
    """Tell whether a text gains by the beginning of a question; it is found by the same word without."""
    desk = desk_with(text, "horse", "cow", "dog")
    asked = (SearchRequest(selector=ByText(each, Mode.KEYWORD)) for each in (f"{question} zebra?", "zebra"))
    begun, bare = (desk.searching(desk.call, each).hits[0] for each in asked)
    assert begun.observation.content == bare.observation.content == text
    return (begun.score or 0.0) > (bare.score or 0.0) * 1.01


@pytest.mark.parametrize("text", ["zebra on Monday", "zebra, 2026-05-01", "zebra last week", "zebra at 10:30"])
@cases
def test_a_text_with_a_time_is_preferred(question: str, text: str) -> None:
    assert prefers(question, text)


@pytest.mark.parametrize("text", ["zebra 3", "two zebra", "zebra twice", "thirty zebra"])
@cases
def test_a_text_with_a_number_is_preferred(question: str, text: str) -> None:
    assert prefers(question, text)


@cases
def test_times_and_numbers_of_the_language_of_the_question_are_known(question: str, text: str) -> None:
    assert prefers(question, text)


@cases
def test_no_other_text_is_and_no_other_question_prefers_any(question: str, text: str) -> None:
    assert not prefers(question, text)


@pytest.mark.parametrize("mode", [Mode.KEYWORD, Mode.AUTO])
def test_a_text_that_can_answer_comes_first(mode: Mode) -> None:
    desk = patient("zebra crossing", "zebra for two", "zebra on Monday", "milk", "water")
    for question, answer in (("When was the zebra?", "zebra on Monday"), ("How many zebra?", "zebra for two")):
        (best, *_) = titles(desk, RecallRequest(selector=ByText(question, mode)))
        assert best == answer


def test_it_is_found_however_few_are_asked_for_and_however_many_were_saved_later() -> None:
    desk = Desk()
    desk.save("tea for two")
    for number in range(POOL - 1):
        desk.save(f"tea {'x' * (number + 1)}")
    asked = RecallRequest(selector=ByText("How many tea?"), limit=1)
    assert titles(desk, asked) == ["tea for two"]
