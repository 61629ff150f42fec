"""Counts of what is done, where a clock would judge the machine."""

import gc
import sys
from collections.abc import Callable
from types import FrameType


def calls_of(function: Callable[[], object]) -> int:
    """Return how many functions `function` calls, built-in ones too, once its caches are filled."""
    calls = 0

    def counted(frame: FrameType, event: str, function: object) -> None:
        del frame, function
        nonlocal calls
        calls += event in {"call", "c_call"}

    function()
    # A collection would call the finalizers of whatever other tests left behind.
    gc.disable()
    sys.setprofile(counted)
    try:
        function()
    finally:
        sys.setprofile(None)
        gc.enable()
    return calls
