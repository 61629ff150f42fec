"""When a server syncs a shared folder."""

from collections.abc import Iterator

import pytest
from attrs import define, field

from lamella.ports.shared_folder import SharedFolderError
from lamella_adapters.background import Sharing


@define
class Room:
    """A folder that is synced in two steps; the second writes once. `synced` has its stamp at each sync."""

    uses: int = 0
    stamp: str = ""
    shared: bool = False
    synced: list[str] = field(factory=list)

    def sync(self) -> Iterator[None]:
        self.synced.append(self.stamp)
        yield
        if not self.stamp.endswith("w"):
            self.stamp += "w"
        yield

    @property
    def job(self) -> Sharing:
        return Sharing(lambda: self.uses, lambda: self.shared, lambda: self.stamp, self.sync)


def never_ends(_: float) -> bool:
    return False


def looks(job: Sharing, count: int = 3) -> None:
    for _ in range(count):
        job(never_ends)


def test_where_nothing_is_shared_nothing_is_synced_before_the_first_call() -> None:
    room = Room()
    looks(room.job)
    assert room.synced == []


def test_a_shared_folder_is_synced_at_the_start_and_after_what_that_wrote() -> None:
    room = Room(shared=True)
    looks(room.job)
    assert room.synced == ["", "w"]


def test_a_folder_is_synced_at_the_second_look_after_a_call() -> None:
    room = Room()
    job = room.job
    looks(job)
    room.uses += 1
    looks(job, 1)
    assert room.synced == []
    looks(job)
    assert room.synced == ["", "w"]


def test_a_call_or_a_change_during_a_sync_leads_to_another_one() -> None:
    room = Room(stamp="w", shared=True)
    job = room.job
    looks(job)

    def meanwhile(_: float) -> bool:
        room.uses, room.stamp = 1, "pulled w"
        return False

    room.stamp = "pulled"
    job(meanwhile)
    looks(job)
    assert room.synced == ["w", "pulled", "pulled w"]


def test_a_folder_is_synced_when_others_have_changed_it() -> None:
    room = Room(shared=True)
    job = room.job
    looks(job)
    room.stamp = "pulled"
    looks(job)
    assert room.synced == ["", "w", "pulled", "pulledw"]


def test_a_sync_stops_when_serving_ends() -> None:
    room = Room(shared=True)
    room.job(lambda _: True)
    assert (room.synced, room.stamp) == ([""], "")


def test_what_cannot_be_synced_is_logged_and_tried_again_after_a_call(caplog: pytest.LogCaptureFixture) -> None:
    room = Room(shared=True)
    tried: list[int] = []

    def fail() -> Iterator[None]:
        tried.append(room.uses)
        raise SharedFolderError(reason="It is full.", advice="Make room.")
        yield

    job = Sharing(lambda: room.uses, lambda: True, lambda: "", fail)
    looks(job)
    room.uses += 1
    looks(job)
    assert (tried, caplog.messages) == ([0, 1], ["It is full. Make room."] * 2)
