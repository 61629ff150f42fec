"""Normaliser of Kilo, which is based on opencode and uses the same plugin."""

from lamella_adapters.hooks.clients import Event, opencode
from lamella_adapters.hooks.payload import Json

output = opencode.output


def event(payload: Json, name: str) -> Event:
    """Return the event reported by Kilo's plugin."""
    return opencode.event(payload, name, "kilo")
