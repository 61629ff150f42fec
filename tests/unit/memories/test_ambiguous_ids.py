from uuid import UUID

import pytest

from lamella.application.memories.timeline import TimelineRequest
from lamella.domain.memories.errors import AmbiguousIdError
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import CountingIds


def test_the_beginning_of_several_ids_is_refused_with_what_it_could_be() -> None:
    desk = Desk(ids=CountingIds([UUID(f"abcd1234-0000-4000-8000-00000000000{number}") for number in (1, 2)]))
    for text in ("one", "two"):
        desk.save(text)
    with pytest.raises(AmbiguousIdError, match=r"one.*two"):
        desk.get(desk.call, ["abcd1234"])
    with pytest.raises(AmbiguousIdError, match=r"one.*two"):
        desk.timeline(desk.call, TimelineRequest(anchor="abcd1234"))
