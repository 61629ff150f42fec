"""Settings for every unit test."""

import pkgutil
import sys
from collections.abc import Iterator
from importlib import import_module

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
"""Audit events of processes that the current test started."""


def _note_process(event: str, _arguments: object) -> None:
    if event in {"os.exec", "os.fork", "os.posix_spawn", "os.system", "subprocess.Popen"}:
        _started.append(event)


sys.addaudithook(_note_process)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    _started.clear()


def pytest_runtest_teardown() -> None:
    """Fail a unit test that started a process; such a test belongs in `tests/end_to_end`."""
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
