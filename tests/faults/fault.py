"""Faults that are injected, and what must survive them."""

from collections.abc import Callable, Hashable, Iterator
from pathlib import Path
from random import Random

from attrs import frozen

Injections = Iterator[Hashable]
"""Injects a fault again and again, and yields an outcome each time that nothing was lost, in words or not."""


class NotPossibleError(Exception):
    """A fault that can't be injected on this machine or by this user."""


@frozen
class Fault:
    """A fault that is injected.

    An injector gets an empty folder and a source of noise. It compares what is left with what it noted outside of
    the database, such as the ids of acknowledged saves, and raises `AssertionError` where they differ.
    """

    name: str
    inject: Callable[[Path, Random], Injections]
    few: int
    """Number of injections in `make test`; 0 where tests of their own inject it there."""
    many: int
    """Number in `make test-faults`, unless the injector ends before."""


@frozen
class Elsewhere:
    """A fault with tests elsewhere."""

    name: str
    tests: tuple[str, ...]
    """Files below `tests`."""
