"""Settings for every unit test."""

from collections.abc import Iterator

import pytest

from tests.patience import be_patient


@pytest.fixture(autouse=True)
def _patience() -> Iterator[None]:
    """A test waits for its threads until they are done, however little of a busy machine they get."""
    with pytest.MonkeyPatch.context() as patch:
        be_patient(patch.setattr)
        yield
