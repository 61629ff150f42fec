"""Settings for every unit test."""

import os
import pkgutil
import subprocess
from collections.abc import Callable, Iterator
from functools import wraps
from importlib import import_module
from typing import Any

import pytest

import lamella
from tests.patient import patience

__all__ = ["patience"]

# Coverage begins before this module: the first import of a module counts wherever it would come later.
for _each in pkgutil.walk_packages(lamella.__path__, f"{lamella.__name__}."):
    if not _each.name.startswith("lamella.integrations"):  # need their frameworks
        import_module(_each.name)
for _name in dir(lamella):
    getattr(lamella, _name)


_started: list[str] = []
"""Functions by which the current test started processes."""


def _noting(start: Callable[..., Any]) -> Callable[..., Any]:
    # An audit hook would see more. But where it runs, threads can't begin to measure coverage at the same time.
    @wraps(start)
    def noted(*arguments: Any, **options: Any) -> Any:
        _started.append(start.__qualname__)
        return start(*arguments, **options)

    return noted


for _owner, _start in ((subprocess.Popen, "__init__"), (os, "fork"), (os, "posix_spawn"), (os, "system")):
    setattr(_owner, _start, _noting(getattr(_owner, _start)))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    _started.clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Iterator[None]:
    """Fail a unit test that started a process; such a test belongs in `tests/end_to_end`."""
    yield
    assert _started == []


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Collect without measuring coverage, which takes as long again."""
    coverage = session.config.pluginmanager.get_plugin("_cov")
    if coverage is not None:
        coverage.cov_controller.pause()
    yield
    if coverage is not None:
        coverage.cov_controller.resume()
