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


@cases
def test_a_message_without_key_session_text_or_zone_cannot_be_made(name: str, value: object, why: str) -> None:
    with pytest.raises(ValueError, match=f"^({name}|time) must be {why}"):
        draft(**{name: value})


def test_lone_surrogates_become_replacement_characters() -> None:
    made = draft(key="\ud800k", session="s\ud800", text="\udfff")
    assert (made.key, made.session, made.text) == ("\ufffdk", "s\ufffd", "\ufffd")
    batch = Batch(source="\ud800", position="\ud800", names={"\ud800": "n\ud800"})
    assert (batch.source, batch.position, batch.names) == ("\ufffd", "\ufffd", {"\ufffd": "n\ufffd"})
    query = MessageQuery(text="\ud800", now=DAWN, filters=Filters(session="\ud800"))
    assert (query.text, query.filters.session) == ("\ufffd", "\ufffd")


def test_what_tools_do_is_not_searched() -> None:
    assert [role for role in Role if not role.searched] == [Role.TOOL, Role.TOOL_RESULT]


SAID = ["/lamella:status", "! git log", "Why does it fail?"]


@cases
def test_a_session_is_named_by_its_source_or_its_first_request_or_its_id(
    given: str | None, requests: list[str], name: str
) -> None:
    assert session_name(given, requests, "id") == name


def test_commands_are_no_requests() -> None:
    assert [is_request(text) for text in SAID] == [False, False, True]


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


@cases
def test_a_message_after_a_question_is_indexed_with_it(text: str, before: list[str], hidden: str) -> None:
    assert indexing.indexed_message(text, Role.HUMAN, DAWN, before).hidden_forms == hidden


@cases
def test_what_was_said_is_kept_whole_and_what_tools_did_up_to_a_limit(role: Role, text: str, left: str) -> None:
    assert kept(role, text) == left
