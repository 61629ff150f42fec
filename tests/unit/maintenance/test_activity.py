from datetime import datetime

import pytest
from attrs import evolve

from lamella.ports.storage.activity import Activity, ActivityKind
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import DAWN


def entry(name: str = "one", *, at: datetime = DAWN, session: str | None = "s", tokens: int = 0) -> Activity:
    return Activity(name=name, at=at, kind=ActivityKind.SKIPPED, session=session, about="too large", tokens=tokens)


def test_an_entry_can_be_stored_anywhere() -> None:
    assert entry("\ud800").name == entry("\ufffd").name
    assert (entry(session="\ud800").session, entry(session=None).session) == ("\ufffd", None)
    assert Activity(name="", at=DAWN, kind=ActivityKind.SKIPPED, about="\ud800").about == "\ufffd"


@pytest.mark.parametrize("tokens", [-1, 2**31])
def test_tokens_are_a_count(tokens: int) -> None:
    with pytest.raises(ValueError, match="tokens"):
        entry(tokens=tokens)


def test_a_moment_has_a_zone() -> None:
    with pytest.raises(ValueError, match="aware"):
        entry(at=DAWN.replace(tzinfo=None))


def test_warnings_are_the_entries_with_an_edit_the_latest_first() -> None:
    log = Desk().made_here.activity()
    log.add([entry("skipped"), *(evolve(entry(name), edit=f"{name}.c") for name in "abc")])
    assert [each.name for each in log.warnings(limit=2, skip=1)] == ["b", "a"]
    assert [each.name for each in log.warnings(limit=2, name="c")] == ["c"]
