"""Answers whose best hit holds little of the question say so."""

from lamella.application.search.recall import RecallRequest
from lamella.domain.memories.query import ByText, Mode, Recent
from tests.unit.embeddings.meaning_desks import CARS, patient
from tests.unit.support.doubles import Desk, desk_with, titles

LONG = " ".join(f"word{number}" for number in range(60))
QUESTION = "zebra unicorn centaur griffin dragon phoenix"
WEAK = " | weak match: try other words"


def weak_desk() -> Desk:
    """A desk with five long texts that hold one of the words of the question."""
    return desk_with(*(f"zebra {number} {LONG}" for number in range(5)))


def test_a_weak_answer_says_so_and_is_no_shorter() -> None:
    for mode in (Mode.AUTO, Mode.KEYWORD):
        reply = weak_desk().recall(ByText(QUESTION, mode))
        assert reply.split("\n")[-1].startswith("5 result(s) | ")
        assert reply.endswith(WEAK)


def test_an_answer_is_as_strong_as_its_best_hit() -> None:
    desk = weak_desk()
    desk.save(QUESTION)
    reply = desk.recall(ByText(QUESTION))
    assert reply.split("\n")[-1].startswith("6 result(s) | ")
    assert not reply.endswith(WEAK)


def test_what_was_not_asked_for_by_words_is_not_weak() -> None:
    assert not weak_desk().recall(Recent()).endswith(WEAK)


def test_memories_that_mean_something_else_are_a_weak_answer() -> None:
    desk = patient(*CARS[1:], "a feline wakes", "a feline eats")
    reply = desk.recall(ByText("vehicle", Mode.SEMANTIC))
    assert reply.split("\n")[-1].startswith("4 result(s) | ")
    assert reply.endswith(WEAK)


def test_weak_messages_say_so_and_are_all_shown() -> None:
    desk = Desk()
    for number in range(5):
        desk.said(f"zebra {number} {LONG}", session=f"s{number}")
    asked = RecallRequest(selector=ByText(QUESTION), include_messages=True)
    assert len(titles(desk, asked)) == 5
    assert desk.recalling(desk.call, asked).endswith(WEAK)
    desk.said(QUESTION, session="other")
    assert len(titles(desk, asked)) == 6
    assert not desk.recalling(desk.call, asked).endswith(WEAK)


def test_where_nothing_is_found_nothing_is_weak() -> None:
    desk = weak_desk()
    asked = RecallRequest(selector=ByText("horse"), include_messages=True)
    desk.said("horse")
    assert not desk.recalling(desk.call, asked).endswith(WEAK)
