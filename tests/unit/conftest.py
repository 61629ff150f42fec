"""Settings for every unit test."""

import pkgutil
from importlib import import_module

import lamella.domain.privacy
from tests.patient import patience

__all__ = ["patience"]


def pytest_collection_finish() -> None:
    """Import what the first secret of its kind would import.

    Where that is in a `no_cover` test, coverage would miss the import.
    """
    package = lamella.domain.privacy
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        import_module(module.name)
