"""The list of a project's conversations."""

import pytest
from attrs import evolve

from lamella.application.conversations.find import ListSessions
from lamella.domain.errors import UnknownProjectError
from tests.unit.support.doubles import CALL, Desk


def test_the_conversation_with_the_latest_message_is_listed_first() -> None:
    desk = Desk()
    desk.said("Why?", session="one")
    desk.said("How?", "So.", session="two", name="Ways")
    assert [(each.id, each.name, each.messages) for each in ListSessions(desk.projects)(CALL)] == [
        ("two", "Ways", 2),
        ("one", "Why?", 1),
    ]


def test_where_nothing_was_said_none_is_listed_and_an_unknown_project_is_an_error() -> None:
    sessions = ListSessions(Desk().projects)
    assert sessions(CALL) == ()
    with pytest.raises(UnknownProjectError):
        sessions(evolve(CALL, project="nowhere"))
