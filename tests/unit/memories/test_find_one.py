"""One memory by its id, and its latest version."""

import pytest

from lamella.application.search.find_one import FindMemory
from lamella.domain.memories.errors import NothingFoundError
from tests.unit.support.doubles import Desk


def test_the_latest_version_is_the_last_replacement_that_exists() -> None:
    desk = Desk()
    find = desk.make(FindMemory, search=desk.searching)
    first = desk.save("Ship on Friday.")
    assert find.latest(desk.call, found := find(desk.call, str(first.id))) is found
    second = desk.save("Ship on Monday.", replaces=(str(first.id),))
    third = desk.save("Ship on Sunday.", replaces=(str(second.id),))
    found = find(desk.call, str(first.id))
    assert find.latest(desk.call, found).observation == third
    desk.erase(desk.call, [str(third.id)])
    assert find.latest(desk.call, found).observation.id == second.id
    with pytest.raises(NothingFoundError, match="No memory has the id"):
        find(desk.call, str(third.id))
