from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any
from uuid import UUID

import pytest
from attrs import evolve

from lamella.domain.memories.observation import CodeChange, Draft
from lamella_contracts.fixtures.project import ZONES
from tests.unit.support.tables import cases

ID = UUID("0123abcd-4567-4899-8abc-def012345678")
THEN = datetime(2024, 5, 6, tzinfo=UTC)
OBSERVATION = Draft(title="t", content="c").observed(id=ID, project="p", sequence=1, now=THEN)
WEST, EAST = ZONES
NAIVE = THEN.replace(tzinfo=None)
observed = partial(evolve, OBSERVATION)


def test_lone_surrogates_of_a_draft_become_replacement_characters() -> None:
    names = ("content", "title", "source", "actor", "session", "request")
    draft: Any = Draft(**dict.fromkeys(names, "\ud800"))  # type: ignore[arg-type] # each is a text
    assert [getattr(draft, name) for name in names] == ["\ufffd"] * 6


@cases
def test_blank_texts_and_times_that_are_naive_or_missing_are_refused(
    make: Callable[..., object], name: str, value: object, why: str
) -> None:
    with pytest.raises(ValueError, match=f"^({name}|time) must be {why}"):
        make(**{name: value})


@pytest.mark.parametrize("stored", [THEN, datetime.max.replace(tzinfo=UTC)])
def test_times_are_stored_in_utc(stored: datetime) -> None:
    there = stored.astimezone(EAST) if stored == THEN else stored.replace(tzinfo=WEST)
    names = ("created_at", "updated_at", "purged_at", "occurred_at")
    made = observed(**dict.fromkeys(names, there))
    assert {str(getattr(made, name)) for name in names} == {str(stored)}


def test_a_change_is_well_formed_too() -> None:
    assert CodeChange(path="a\ud800", hunks="\udfff") == CodeChange(path="a\ufffd", hunks="\ufffd")
