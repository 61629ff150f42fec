from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.memories.observation import (
    CodeChange,
    Draft,
    Kind,
    full_id,
    id_prefix,
    short_id,
)

ID = UUID("0123abcd-4567-4899-8abc-def012345678")
THEN = datetime(2024, 5, 6, tzinfo=UTC)
OBSERVATION = Draft(title="t", content="c").observed(id=ID, project="p", sequence=1, now=THEN)


def test_a_draft_of_content_alone_is_a_note_of_an_agent() -> None:
    assert Draft(content=" c ") == Draft(
        content=" c ",
        title="",
        source="manual",
        kind=Kind.NOTE,
        actor="agent",
        session=None,
        changes=(),
        request=None,
    )


def test_lone_surrogates_of_a_draft_become_replacement_characters() -> None:
    draft = Draft(
        content="\ud800", title="\ud801", source="\ud802", actor="\ud803", session="\ud804", request="\ud805"
    )
    told = (draft.content, draft.title, draft.source, draft.actor, draft.session, draft.request)
    assert told == ("\ufffd",) * 6


def test_a_change_is_well_formed_too() -> None:
    assert CodeChange(path="a\ud800", hunks="\udfff") == CodeChange(path="a\ufffd", hunks="\ufffd")


@pytest.mark.parametrize("blank", ["", " \n", "\u3000"])
def test_blank_content_is_refused(blank: str) -> None:
    with pytest.raises(ValueError, match=r"^content must not be blank$"):
        Draft(content=blank)


def test_a_blank_path_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^path must not be blank$"):
        CodeChange(path=" ")


@pytest.mark.parametrize("name", ["created_at", "updated_at", "purged_at", "moment"])
def test_naive_times_are_refused(name: str) -> None:
    naive: dict[str, Any] = {name: THEN.replace(tzinfo=None)}
    with pytest.raises(ValueError, match=f"^{name} must be an aware datetime$"):
        evolve(OBSERVATION, **naive)


def test_an_observation_is_purged_from_the_moment_that_says_so() -> None:
    assert (OBSERVATION.purged, evolve(OBSERVATION, purged_at=THEN).purged) == (False, True)


def test_drafts_that_say_the_same_share_a_fingerprint() -> None:
    change = CodeChange(path="a.py", additions=1)
    one = Draft(content="c", title="t", changes=(change,), session="s", request="r", actor="x", kind=Kind.CHANGE)
    other = Draft(content="c", title="t", changes=(evolve(change, additions=2, hunks="h"),))
    assert (one.fingerprint == other.fingerprint, len(one.fingerprint)) == (True, 32)


@pytest.mark.parametrize(
    "other",
    [
        Draft(content="d", title="t"),
        Draft(content="c", title="u"),
        Draft(content="c", title="t", source="s"),
        Draft(content="c", title="t", changes=(CodeChange(path="a"),)),
        Draft(content="t", title="c"),
    ],
)
def test_drafts_that_say_something_else_differ(other: Draft) -> None:
    assert Draft(content="c", title="t").fingerprint != other.fingerprint


@pytest.mark.parametrize(
    ("given_id", "digits"),
    [
        (str(ID), ID.hex),
        (ID.hex, ID.hex),
        (ID.hex.upper(), ID.hex),
        (f" {ID}\n", ID.hex),
        ("0123", "0123"),
        ("0123abcd-45", "0123abcd45"),
        ("0123abcd-", "0123abcd"),
        ("0123abc", "0123abc"),
    ],
)
def test_an_id_is_given_whole_without_hyphens_or_by_its_beginning(given_id: str, digits: str) -> None:
    assert id_prefix(given_id) == digits


@pytest.mark.parametrize(
    "given_id",
    [
        "",
        "012",
        "01-2",
        "012g",
        "0123 abcd",
        f"{ID.hex}0",
        f"{ID}-",
        "-" * 40 + "abcd",
        "\uff10\uff11\uff12\uff13",
    ],
)
def test_what_begins_no_id_is_none(given_id: str) -> None:
    assert id_prefix(given_id) is None


@given(st.text(st.characters(exclude_categories=())))
def test_looking_for_an_id_never_raises(text: str) -> None:
    assert id_prefix(text) in (None, text.strip().lower().replace("-", ""))


def test_a_short_id_has_eight_characters() -> None:
    assert short_id(ID, []) == "0123abcd"


def test_a_short_id_is_longer_where_eight_are_not_unique() -> None:
    other = UUID("0123abcd-4568-4899-8abc-def012345678")
    assert (short_id(ID, [ID, other]), short_id(other, [ID, other])) == ("0123abcd4567", "0123abcd4568")


@pytest.mark.parametrize("given_id", [str(ID), f" {str(ID).upper()} ", ID.hex])
def test_a_full_id_may_be_written_with_or_without_hyphens(given_id: str) -> None:
    assert full_id(given_id) == ID


@pytest.mark.parametrize("given_id", ["", "9bbde6e1", ID.hex[:31], f"{ID}0", "g" * 32])
def test_the_beginning_of_an_id_is_not_a_full_one(given_id: str) -> None:
    assert full_id(given_id) is None
