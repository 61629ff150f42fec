"""The patience of tests, as a fixture."""

from collections.abc import Iterator

import pytest

from tests.patience import be_patient


@pytest.fixture(autouse=True)
def patience() -> Iterator[None]:
    """Let a test wait for threads and processes without a limit, because the machine may be busy."""
    with pytest.MonkeyPatch.context() as patch:
        be_patient(patch.setattr)
        yield
