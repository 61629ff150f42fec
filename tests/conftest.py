"""What holds for every test."""

import os

from hypothesis import settings

# A machine under load is not a failure, and in continuous integration the same commit gives the same answer.
settings.register_profile("lamella", deadline=None, derandomize=os.environ.get("CI") == "true")
settings.load_profile("lamella")
