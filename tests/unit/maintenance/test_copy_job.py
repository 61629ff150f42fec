"""The job that keeps the copy for hooks: when it looks."""

from collections.abc import Iterator

import pytest

from lamella.domain.errors import StorageUnreachableError
from lamella_adapters.background import Copying


def test_a_copy_is_looked_at_ever_more_seldom_until_something_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds, uses, looks = 0, 1, list[int]()
    changes, failures = {111}, {142}

    def copy() -> Iterator[None]:
        looks.append(seconds)
        if seconds in failures:
            raise StorageUnreachableError
        if seconds in changes:
            yield

    monkeypatch.setattr("lamella_adapters.background.time.monotonic", lambda: float(seconds))
    job = Copying(lambda: uses, copy)
    for seconds in range(210):
        uses += seconds in {3, 50, 145}
        job(lambda _: False)
    assert looks == [
        *(0, 1, 3, 4, 6, 10, 18, 34),  # a use in second 3
        *(50, 51, 53, 57, 65, 81),  # one in second 50
        *(111, 112, 114, 118, 126),  # a change of others in second 111
        *(142, 152, 182),  # a failure in second 142
    ]
