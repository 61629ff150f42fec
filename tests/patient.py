"""The patience of tests, as a fixture."""

from collections.abc import Iterator

import pytest

from tests.patience import be_patient


@pytest.fixture(autouse=True)
def patience() -> Iterator[None]:
    """A test waits for threads and processes until they are done, however little of a busy machine they get."""
    with pytest.MonkeyPatch.context() as patch:
        be_patient(patch.setattr)
        yield
