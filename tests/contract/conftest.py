"""Settings for the contract suites over our own adapters."""

from collections.abc import Iterator

import pytest

from tests.patience import be_patient


@pytest.fixture(autouse=True)
def _patience() -> Iterator[None]:
    """Threads that are at work at once wait for one another until they are done."""
    with pytest.MonkeyPatch.context() as patch:
        be_patient(patch.setattr)
        yield
