"""Wait for an event, and read what another process may take away meanwhile.

No verdict of a test depends on how fast something is: a time-out here only ends a test that would hang for ever.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

HANG_SECONDS = 300.0
"""After this, what a test waits for will never come."""

T = TypeVar("T")


def until(event: Callable[[], T], *, pause_seconds: float = 0.01) -> T:
    """Call `event` repeatedly until it returns something true, and return that.

    What `event` reads may vanish, be renamed or not be there yet: an `OSError` means that it has not happened.

    Raises:
        AssertionError: It never happens. The message has what was returned or raised last.
    """
    end = time.monotonic() + HANG_SECONDS
    while True:
        last: object
        try:
            if answer := event():
                return answer
            last = answer
        except OSError as error:
            last = error
        assert time.monotonic() < end, f"it never happened; the last look saw {last!r}"
        time.sleep(pause_seconds)


def contents(folder: Path, pattern: str = "*") -> dict[str, bytes]:
    """Return the content of each file in `folder` by its name, in the order of names.

    Files that vanish between listing and reading are left out, and so is everything in a folder that isn't there.
    """
    found = {}
    for path in sorted(folder.glob(pattern)):
        try:
            found[path.name] = path.read_bytes()
        except FileNotFoundError:
            continue
    return found
