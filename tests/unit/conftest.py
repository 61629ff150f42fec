"""Settings for every unit test."""

import pkgutil
from importlib import import_module

import lamella.domain.privacy
from tests.patient import patience

__all__ = ["patience"]


def pytest_collection_finish() -> None:
    """Import lazily loaded modules of redaction.

    Coverage would miss a first import inside a `no_cover` test.
    """
    package = lamella.domain.privacy
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        import_module(module.name)
