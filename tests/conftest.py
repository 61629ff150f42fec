"""Settings that hold for every test."""

import os
import signal

from hypothesis import HealthCheck, settings

from tests.words_only import WORDS_ONLY

# A shell starts what it puts into the background with SIGINT ignored, and the processes of the tests would inherit
# that.
signal.signal(signal.SIGINT, signal.default_int_handler)

os.environ |= WORDS_ONLY

# A machine under load is not a failure, and in continuous integration the same commit gives the same answer.
settings.register_profile(
    "lamella",
    deadline=None,
    max_examples=50,
    derandomize=os.environ.get("CI") == "true",
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("lamella")
