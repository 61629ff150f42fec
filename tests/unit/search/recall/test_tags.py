"""A question that begins with tags finds exactly the memories that have them."""

import pytest

from lamella.domain.memories.errors import NothingFoundError
from lamella.domain.memories.query import ByText
from lamella.domain.memories.tags import without_limits
from lamella.domain.replies.views import Detail
from lamella.domain.search.strength import WEAK
from tests.unit.support.doubles import Desk
from tests.unit.support.tables import cases


def found(desk: Desk, question: str, **more: bool) -> list[str]:
    reply = desk.recall(ByText(question), Detail.COMPACT, **more)
    assert WEAK not in reply
    return sorted(line.split(" | ")[1] for line in reply.split("\n") if line.startswith("["))


@pytest.fixture(scope="module")
def desk() -> Desk:
    made = Desk()
    made.save("Sign the archive. #release", title="a")
    made.save("Bump the number.", title="b", keywords="#Release #ci/linux")
    made.save("The release of memory is late, see page#release and C#.", title="c")
    made.save("Imported.\n\nTags: release, Long Name", title="d")
    made.save("Say #who decides.", title="e", everywhere=True)
    for number in range(12):
        made.save(f"release release {number}", title=f"x{number}")
    return made


@cases
def test_tags_are_asked_for(desk: Desk, question: str, titles: list[str]) -> None:
    assert found(desk, question) == titles
    assert found(desk, question, include_messages=True) == titles


def test_a_tag_that_no_memory_has_finds_nothing(desk: Desk) -> None:
    with pytest.raises(NothingFoundError, match="'#memory'"):
        desk.recall(ByText("#memory"))


@cases
def test_a_question_may_begin_with_tags_and_a_branch(
    question: str, tags: frozenset[str], branch: str | None, rest: str
) -> None:
    assert without_limits(question) == (tags, branch, rest)
