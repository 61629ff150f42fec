"""The patience that every test of a real process needs."""

from tests.patient import patience

__all__ = ["patience"]
