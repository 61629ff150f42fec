"""Limits on the length of a message."""

import pytest

from lamella.domain.conversations.message import MAX_CALL_CHARACTERS, MAX_RESULT_CHARACTERS, Role, kept


@pytest.mark.parametrize("role", sorted(set(Role) - {Role.TOOL, Role.TOOL_RESULT}))
def test_what_was_said_is_kept_whole(role: Role) -> None:
    assert kept(role, "word " * 10_000) == "word " * 10_000


@pytest.mark.parametrize(
    ("role", "limit"), [(Role.TOOL, MAX_CALL_CHARACTERS), (Role.TOOL_RESULT, MAX_RESULT_CHARACTERS)]
)
def test_what_tools_did_is_kept_whole_up_to_a_limit(role: Role, limit: int) -> None:
    assert kept(role, "x" * limit) == "x" * limit
    assert kept(role, "x" * (limit + 1)) != "x" * (limit + 1)


def test_of_a_long_call_the_beginning_is_kept() -> None:
    assert kept(Role.TOOL, "x" * 499 + "e\u0301" + "y" * 9) == "x" * 499 + "…"


def test_of_a_long_result_the_beginning_and_the_end_are_kept() -> None:
    text = "a" * 1_500 + "b" * 3_000 + "c" * 500
    assert kept(Role.TOOL_RESULT, text) == ("a" * 1_500 + "\n[... 3000 characters left out ...]\n" + "c" * 500)
