"""Settings for every unit test."""

import pkgutil
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


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Collect without measuring coverage, which takes as long again."""
    coverage = session.config.pluginmanager.get_plugin("_cov")
    if coverage is not None:
        coverage.cov_controller.pause()
    yield
    if coverage is not None:
        coverage.cov_controller.resume()
