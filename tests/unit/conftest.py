"""Settings for every unit test."""

from tests.patient import patience

__all__ = ["patience"]
