"""What to do in a test without something that the machine lacks."""

import os
from typing import NoReturn

import pytest


def do_without(reason: str) -> NoReturn:
    """Skip the test; in continuous integration, where `CI` is `true`, fail instead."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
