"""Normaliser of Kilo, a relative of opencode that takes its plugin."""

from lamella_adapters.hooks.clients import Event, opencode
from lamella_adapters.hooks.payload import Json

output = opencode.output


def event(payload: Json, name: str) -> Event:
    """Return the event that Kilo's plugin reports."""
    return opencode.event(payload, name, "kilo")
