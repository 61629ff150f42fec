from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.conversations.message import (
    MAX_CALL_CHARACTERS,  # noqa: F401 - for the table
    MAX_RESULT_CHARACTERS,  # noqa: F401 - for the table
    Batch,
    MessageDraft,
    Role,
    is_request,
    kept,
    session_name,
)
from lamella.domain.conversations.query import MessageQuery, recency
from lamella.domain.memories.query import Filters
from lamella.domain.search import indexing
from tests.unit.support.stand_ins import DAWN
from tests.unit.support.tables import cases

YEAR = timedelta(days=365)


def draft(**fields: object) -> MessageDraft:
    given: dict[str, object] = {"key": "k", "session": "s", "role": Role.HUMAN, "text": "said", "at": DAWN}
    return MessageDraft(**(given | fields))  # type: ignore[arg-type] # whatever is wrong is the test


@pytest.mark.parametrize("name", ["key", "session", "text"])
def test_a_message_without_key_session_or_text_cannot_be_made(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} must be a text that is not blank, not blank"):
        draft(**{name: " \n"})


def test_a_message_of_no_zone_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="at must be an aware datetime"):
        draft(at=datetime(2024, 5, 6))  # noqa: DTZ001 - that is the point


def test_lone_surrogates_become_replacement_characters() -> None:
    made = draft(key="\ud800k", session="s\ud800", text="\udfff")
    assert (made.key, made.session, made.text) == ("\ufffdk", "s\ufffd", "\ufffd")
    batch = Batch(source="\ud800", position="\ud800", names={"\ud800": "n\ud800"})
    assert (batch.source, batch.position, batch.names) == ("\ufffd", "\ufffd", {"\ufffd": "n\ufffd"})
    query = MessageQuery(text="\ud800", now=DAWN, filters=Filters(session="\ud800"))
    assert (query.text, query.filters.session) == ("\ufffd", "\ufffd")


def test_what_tools_do_is_not_searched() -> None:
    assert [role for role in Role if not role.searched] == [Role.TOOL, Role.TOOL_RESULT]


def test_a_session_is_named_by_its_source_or_its_first_request_or_its_id() -> None:
    assert session_name("Given", ["Why? Because."], "id") == "Given"
    assert session_name(None, ["Why does it fail? Because.", "And then?"], "id") == "Why does it fail?"
    assert session_name("", [], "id") == "id"


def test_a_session_is_called_after_a_command_only_while_nothing_else_was_asked() -> None:
    said = ["/lamella:status", "! git log", "Why does it fail?"]
    assert session_name(None, said, "id") == "Why does it fail?"
    assert session_name(None, said[:2], "id") == "/lamella:status"
    assert [is_request(text) for text in said] == [False, False, True]


def test_a_year_old_message_weighs_a_1_3th() -> None:
    ages = [timedelta(), YEAR, 2 * YEAR, -YEAR]
    assert [recency(DAWN - age, DAWN) for age in ages] == [1, 1 / 1.3, 1 / 1.6, 1]


@given(st.timedeltas(timedelta(), 40 * YEAR), st.timedeltas(timedelta(), 40 * YEAR))
def test_the_older_a_message_the_less_it_weighs_and_never_nothing(one: timedelta, other: timedelta) -> None:
    younger, older = sorted((one, other))
    assert 0 < recency(DAWN - older, DAWN) <= recency(DAWN - younger, DAWN) <= 1


def test_a_message_is_indexed_with_who_and_when_and_what_was_said_before() -> None:
    at = datetime(2024, 5, 6, 23, 30, tzinfo=UTC)
    indexed = indexing.indexed_message("call getUserById", Role.ASSISTANT, at, ["x" * 301, "second", "third"])
    assert indexed.columns == (
        "",
        "assistant 2024-05-06 6 May 2024\ncall getUserById",
        "get User By Id getuserbyid",
        f"\n{'x' * 300}\n\nsecond",
    )


@pytest.mark.parametrize("mark", ["?", "\uff1f", "\u061f", "? \n"])
def test_a_message_after_a_question_is_indexed_with_it(mark: str) -> None:
    asked = f"which port{mark}"
    indexed = indexing.indexed_message("userName", Role.HUMAN, DAWN, [asked, "said before?"])
    assert indexed.hidden_forms == f"user Name username {asked.strip()}"
    assert indexing.indexed_message("8080", Role.HUMAN, DAWN, [asked]).hidden_forms == asked.strip()


@pytest.mark.parametrize("before", [[], ["no question", "a question?"], ["x" * 301 + "?"]])
def test_a_message_after_anything_else_is_indexed_without(before: list[str]) -> None:
    assert indexing.indexed_message("8080", Role.HUMAN, DAWN, before).hidden_forms == ""


@pytest.mark.parametrize("role", sorted(set(Role) - {Role.TOOL, Role.TOOL_RESULT}))
def test_what_was_said_is_kept_whole(role: Role) -> None:
    assert kept(role, "word " * 10_000) == "word " * 10_000


@cases
def test_what_tools_did_is_kept_whole_up_to_a_limit(role: Role, limit: int) -> None:
    assert kept(role, "x" * limit) == "x" * limit
    assert kept(role, "x" * (limit + 1)) != "x" * (limit + 1)


def test_of_a_long_call_the_beginning_is_kept() -> None:
    assert kept(Role.TOOL, "x" * 499 + "e\u0301" + "y" * 9) == "x" * 499 + "…"


def test_of_a_long_result_the_beginning_and_the_end_are_kept() -> None:
    text = "a" * 1_500 + "b" * 3_000 + "c" * 500
    assert kept(Role.TOOL_RESULT, text) == ("a" * 1_500 + "\n[... 3000 characters left out ...]\n" + "c" * 500)
