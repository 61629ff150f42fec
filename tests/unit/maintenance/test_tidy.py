"""When the storage is tidied, and what that is where there is nothing to do."""

from attrs import define, field

from lamella.application.maintenance.look_after import tidied
from lamella_adapters.background import Tidying
from lamella_adapters.memory import InMemoryStorage


def test_a_storage_without_such_work_is_always_tidy() -> None:
    assert InMemoryStorage().tidy() is False


def test_whoever_adds_much_has_all_of_it_tidied() -> None:
    class Untidy(InMemoryStorage):
        steps = 3

        def tidy(self) -> bool:
            self.steps -= 1
            return self.steps > 0

    storage = Untidy()
    tidied(storage)
    assert storage.steps == 0


@define
class Room:
    """Something that takes `steps` to tidy after each use."""

    uses: int = 0
    steps: int = 0
    tidied: list[int] = field(factory=list)

    def use(self) -> None:
        self.uses += 1
        self.steps = 3

    def tidy(self) -> bool:
        self.tidied.append(self.uses)
        self.steps -= 1
        return self.steps > 0


def never_ends(_: float) -> bool:
    return False


def test_it_is_tidied_to_the_end_at_the_second_look_after_a_call() -> None:
    room = Room()
    tidying = Tidying(lambda: room.uses, room.tidy)
    tidying(never_ends)
    room.use()
    tidying(never_ends)
    assert room.tidied == []
    tidying(never_ends)
    tidying(never_ends)
    assert room.tidied == [1, 1, 1]


def test_a_call_in_between_has_the_rest_wait() -> None:
    room = Room()
    tidying = Tidying(lambda: room.uses, room.tidy)

    def is_used(_: float) -> bool:
        room.use()
        return False

    room.use()
    tidying(never_ends)
    tidying(is_used)
    assert room.tidied == [1]
    tidying(never_ends)
    assert room.tidied == [1, 2, 2, 2]


def test_nothing_is_tidied_any_more_when_serving_ends() -> None:
    room = Room()
    tidying = Tidying(lambda: room.uses, room.tidy)
    room.use()
    tidying(never_ends)
    tidying(lambda _: True)
    assert room.tidied == [1]
