import pytest
from attrs import evolve

from lamella.domain.conversations.errors import AmbiguousSessionError, MessageNotFoundError, UnknownSessionError
from lamella.domain.errors import UnknownProjectError
from lamella.domain.memories.errors import Candidate
from tests.unit.support.doubles import CALL, Desk
from tests.unit.support.tables import cases


def desk_with_three() -> Desk:
    """A desk with three conversations: `a1` called Retry, `a2` called Retry again, `b1` called a1."""
    desk = Desk()
    desk.said("Why does it retry?", "It waits.", session="a1", name="Retry")
    desk.said("Why does it still retry?", session="a2", name="Retry\nagain")
    desk.said("What is in the first one?", session="b1", name="a1")
    return desk


@cases
def test_a_conversation_is_named_by_its_id_or_name_or_how_one_begins(asked: str, meant: str) -> None:
    assert desk_with_three().read_conversation.find(CALL, asked).id == meant


@pytest.mark.parametrize("asked", ["", " \n", "c", "retry", "try"])
def test_what_names_none_is_said(asked: str) -> None:
    with pytest.raises(UnknownSessionError) as refused:
        desk_with_three().read_conversation.find(CALL, asked)
    assert refused.value.asked == asked


def test_what_names_several_is_not_guessed() -> None:
    desk = desk_with_three()
    with pytest.raises(AmbiguousSessionError) as refused:
        desk.read_conversation.find(desk.call, "a")
    assert refused.value.candidates == [
        Candidate(id="b1", title="a1"),
        Candidate(id="a2", title="Retry\nagain"),
        Candidate(id="a1", title="Retry"),
    ]


def test_a_conversation_is_read_whole_and_in_order() -> None:
    desk = desk_with_three()
    desk.said("It waits for ever.", session="a1")
    said = [each.text for each in desk.read_conversation(desk.call, "a1")]
    assert said == ["Why does it retry?", "It waits.", "It waits for ever."]
    assert list(desk.read_conversation(desk.call, "c")) == []


def test_an_erased_conversation_is_gone_and_the_others_are_not() -> None:
    desk = desk_with_three()
    assert desk.erase_conversation(desk.call, "a1") == 2
    with pytest.raises(MessageNotFoundError):
        desk.show_message(desk.call, 1)
    assert desk.recall_messages(desk.call, "retry").startswith('Found 1 result(s) for "retry":\n\n[message 3, ')
    assert desk.erase_conversation(desk.call, "a1") == 0


def test_it_is_one_of_the_project_that_is_named() -> None:
    desk = desk_with_three()
    with pytest.raises(UnknownProjectError):
        desk.read_conversation.find(evolve(desk.call, project="nowhere"), "a1")
    with pytest.raises(UnknownProjectError):
        desk.erase_conversation(evolve(desk.call, project="nowhere"), "a1")
    assert Desk().erase_conversation(CALL, "a1") == 0
