from datetime import UTC, datetime, timedelta  # noqa: F401 - for the table
from typing import Any
from uuid import UUID

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.errors import StaleCursorError
from lamella.domain.memories.errors import Candidate  # noqa: F401 - for the table
from lamella.domain.memories.observation import Draft
from lamella.domain.memories.query import Hit, Match
from lamella.domain.replies.answer import Answer
from lamella.domain.replies.cursor import Cursor, digest, read, written
from tests.unit.support.tables import cases

THEN = datetime(2024, 5, 6, tzinfo=UTC)
ANSWER = Answer(
    hits=(
        Hit(
            observation=Draft(title="t", content="c").observed(id=UUID(int=1), project="p", sequence=1, now=THEN),
            short_id="00000000",
            match=Match.RECENT,
        ),
    )
)


def changed(**fields: Any) -> Answer:
    """The answer when its observation is another."""
    (hit,) = ANSWER.hits
    return evolve(ANSWER, hits=(evolve(hit, observation=evolve(hit.observation, **fields)),))


@given(st.integers(0, 9999), st.integers(0, 999_999_999), st.binary())
def test_a_cursor_leads_where_it_was_written_for_in_at_most_60_characters(
    item: int, offset: int, said: bytes
) -> None:
    fingerprint = digest(said.hex(), ANSWER)
    cursor = written(Cursor(item, offset), fingerprint)
    assert (read(f" {cursor}\n", fingerprint), len(cursor) <= 31) == (Cursor(item, offset), True)


@cases
def test_another_question_or_answer_has_another(arguments: str, answer: Answer) -> None:
    assert digest(arguments, answer) != digest("q", ANSWER) == digest("q", evolve(ANSWER))


@cases
def test_what_is_no_cursor_of_this_answer_is_out_of_date(cursor: str) -> None:
    fingerprint = digest("q", ANSWER)
    with pytest.raises(StaleCursorError):
        read(cursor.format(fingerprint), fingerprint)


@given(st.text(st.characters(exclude_categories=())))
def test_reading_any_text_says_that_it_is_out_of_date(text: str) -> None:
    with pytest.raises(StaleCursorError):
        read(text, "f" * 16)
