"""The patience that every test of a real process needs."""

from collections.abc import Iterator

import pytest

from tests.patience import be_patient


@pytest.fixture(autouse=True)
def _patience() -> Iterator[None]:
    """Wait for other processes until they are done, where a test has storage open itself."""
    with pytest.MonkeyPatch.context() as patch:
        be_patient(patch.setattr)
        yield
