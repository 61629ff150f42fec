from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from attrs import evolve

from lamella.domain.memories.observation import CodeChange, Draft, Kind

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
    with pytest.raises(ValueError, match=r"^content must be a text with some character"):
        Draft(content=blank)


def test_a_blank_path_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^path must be a text with some character"):
        CodeChange(path=" ")


@pytest.mark.parametrize("name", ["created_at", "updated_at", "purged_at", "occurred_at"])
def test_naive_times_are_refused(name: str) -> None:
    naive: dict[str, Any] = {name: THEN.replace(tzinfo=None)}
    with pytest.raises(ValueError, match=f"^{name} must be an aware datetime"):
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
