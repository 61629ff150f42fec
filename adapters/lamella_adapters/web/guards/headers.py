"""Headers of every answer, from `headers.toml`."""

from collections.abc import Mapping

from lamella_adapters.process.tables import table

HEADERS: Mapping[str, str] = table(__file__, "headers")
"""The headers by name."""
