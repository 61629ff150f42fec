"""Settings that hold for every test."""

import gc
import os
import signal

import pytest
from hypothesis import HealthCheck, settings

from tests.words_only import WORDS_ONLY

# A shell starts what it puts into the background with SIGINT ignored, and the processes of the tests would inherit
# that.
signal.signal(signal.SIGINT, signal.default_int_handler)

os.environ |= WORDS_ONLY

# Ten thousand collected tests live as long as the process. To look through them for garbage again and again takes
# a sixth of the time of unit tests.
gc.disable()

# A machine under load is not a failure, and in continuous integration the same commit gives the same answer.
settings.register_profile(
    "lamella",
    deadline=None,
    max_examples=25,
    derandomize=os.environ.get("CI") == "true",
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("lamella")


def pytest_configure(config: pytest.Config) -> None:
    """End the first of two measurements of coverage in a worker, which pytest-cov 7 starts and forgets.

    It would trace `no_cover` tests too.
    """
    coverage = config.pluginmanager.get_plugin("_cov")
    if coverage is not None and hasattr(config, "workerinput"):
        coverage.cov_controller.pause()


def pytest_collection_finish() -> None:
    """Collect garbage of tests only: freeze imported modules and collected tests."""
    gc.collect()
    gc.freeze()
    gc.enable()
