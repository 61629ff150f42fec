from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from attrs import evolve

from lamella.domain.memories.observation import CodeChange, Draft

ID = UUID("0123abcd-4567-4899-8abc-def012345678")
THEN = datetime(2024, 5, 6, tzinfo=UTC)
OBSERVATION = Draft(title="t", content="c").observed(id=ID, project="p", sequence=1, now=THEN)


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
    with pytest.raises(ValueError, match=r"^content must be a text that is not blank"):
        Draft(content=blank)


def test_a_blank_path_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^path must be a text that is not blank"):
        CodeChange(path=" ")


@pytest.mark.parametrize("name", ["created_at", "updated_at", "purged_at", "occurred_at"])
def test_naive_times_are_refused(name: str) -> None:
    naive: dict[str, Any] = {name: THEN.replace(tzinfo=None)}
    with pytest.raises(ValueError, match=f"^{name} must be an aware datetime"):
        evolve(OBSERVATION, **naive)


@pytest.mark.parametrize("name", ["created_at", "updated_at", "occurred_at"])
def test_missing_times_are_refused(name: str) -> None:
    missing: dict[str, Any] = {name: None}
    with pytest.raises(ValueError, match=f"^{name} must be an aware datetime, not None"):
        evolve(OBSERVATION, **missing)
