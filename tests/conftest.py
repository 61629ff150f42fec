"""Settings that hold for every test."""

import os
import signal
from collections.abc import Generator
from pathlib import Path

import pytest
from coverage import Coverage
from hypothesis import settings

UNIT = Path(__file__).parent / "unit"

# A shell starts what it puts into the background with SIGINT ignored, and the processes of the tests would inherit
# that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A machine under load is not a failure, and in continuous integration the same commit gives the same answer.
settings.register_profile("lamella", deadline=None, derandomize=os.environ.get("CI") == "true")
settings.load_profile("lamella")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Measure coverage of unit tests only: what an end-to-end test happens to run through, it does not prove."""
    measurement = Coverage.current()
    if measurement is None or UNIT in item.path.parents:
        return (yield)
    measurement.stop()
    try:
        return (yield)
    finally:
        measurement.start()
