"""Counts of calls, where measured times would depend on the machine."""

import gc
import sys
from collections.abc import Callable
from types import FrameType


def calls_of(function: Callable[[], object]) -> int:
    """Return the number of functions that `function` calls, including built-in ones, after filling its caches."""
    calls = 0

    def counted(frame: FrameType, event: str, function: object) -> None:
        del frame, function
        nonlocal calls
        calls += event in {"call", "c_call"}

    function()
    # Otherwise garbage collection would call finalizers of other tests' objects.
    gc.disable()
    sys.setprofile(counted)
    try:
        function()
    finally:
        sys.setprofile(None)
        gc.enable()
    return calls
