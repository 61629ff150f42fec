from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Barrier

import pytest

from lamella.singletons import Provider, injected, once
from tests.waiting import HANG_SECONDS


@pytest.mark.parametrize("singleton", [injected, once])
def test_threads_share_one_object_made_of_shared_objects(singleton: Callable[..., Provider]) -> None:
    made, together = count(1), Barrier(8)
    number = singleton(lambda: next(made))
    provide = singleton(lambda number: [number], number=number)

    def get(_: int) -> object:
        together.wait(HANG_SECONDS)
        return provide()

    with ThreadPoolExecutor(together.parties) as threads:
        first, *others = threads.map(get, range(together.parties))
    assert first == [number()] == [1]
    assert all(each is first for each in others)


def test_a_factory_that_failed_is_called_again() -> None:
    answers = iter((ZeroDivisionError, "made"))

    def make() -> object:
        if (answer := next(answers)) is ZeroDivisionError:
            raise ZeroDivisionError
        return answer

    provide = once(make)
    with pytest.raises(ZeroDivisionError):
        provide()
    assert provide() == "made"
