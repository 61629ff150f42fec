"""When the storage is maintained, and what that is where there is nothing to do."""

from attrs import define, field

from lamella.application.maintenance.look_after import maintained
from lamella.domain.errors import LamellaError
from lamella_adapters.background import Maintaining
from lamella_adapters.memory import InMemoryStorage


def test_a_storage_without_such_work_has_nothing_to_maintain() -> None:
    assert InMemoryStorage().maintain() is False


def test_whoever_adds_much_has_all_of_it_maintained() -> None:
    class Unmaintained(InMemoryStorage):
        steps = 3

        def maintain(self) -> bool:
            self.steps -= 1
            return self.steps > 0

    storage = Unmaintained()
    maintained(storage)
    assert storage.steps == 0


@define
class Room:
    """Something that takes `steps` to maintain after each use."""

    uses: int = 0
    steps: int = 0
    maintained: list[int] = field(factory=list)

    def use(self) -> None:
        self.uses += 1
        self.steps = 3

    def maintain(self) -> bool:
        self.maintained.append(self.uses)
        self.steps -= 1
        return self.steps > 0


def never_ends(_: float) -> bool:
    return False


def test_it_is_maintained_to_the_end_at_the_second_look_after_a_call() -> None:
    room = Room()
    maintaining = Maintaining(lambda: room.uses, room.maintain)
    maintaining(never_ends)
    room.use()
    maintaining(never_ends)
    assert room.maintained == []
    maintaining(never_ends)
    maintaining(never_ends)
    assert room.maintained == [1, 1, 1]


def test_a_call_in_between_has_the_rest_wait() -> None:
    room = Room()
    maintaining = Maintaining(lambda: room.uses, room.maintain)

    def is_used(_: float) -> bool:
        room.use()
        return False

    room.use()
    maintaining(never_ends)
    maintaining(is_used)
    assert room.maintained == [1]
    maintaining(never_ends)
    assert room.maintained == [1, 2, 2, 2]


def test_nothing_is_maintained_any_more_when_serving_ends() -> None:
    room = Room()
    maintaining = Maintaining(lambda: room.uses, room.maintain)
    room.use()
    maintaining(never_ends)
    maintaining(lambda _: True)
    assert room.maintained == [1]


def test_a_storage_out_of_reach_waits_for_the_next_call() -> None:
    tries = list[int]()

    def maintain() -> bool:
        tries.append(room.uses)
        raise LamellaError

    room = Room(uses=1)
    maintaining = Maintaining(lambda: room.uses, maintain)
    for _ in range(3):
        maintaining(never_ends)
    assert tries == [1]
