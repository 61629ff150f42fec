"""Settings for the contract suites over our own adapters."""

from tests.patient import patience

__all__ = ["patience"]
