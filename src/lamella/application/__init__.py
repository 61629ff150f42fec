"""The use cases of lamella."""

from lamella.stub import attribute


def __getattr__(name: str) -> object:
    """Import a use case on first use."""
    return attribute(__name__, name)
