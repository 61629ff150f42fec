"""Tables in TOML: texts and settings of the pages, and the HTTP headers of every response."""

from typing import Any, Final

from lamella_adapters.process.tables import table

TABLES: Final[dict[str, Any]] = table(__file__, "pages")
"""The tables of the pages, keyed by name."""

HEADERS: Final[dict[str, str]] = table(__file__, "headers")
"""The headers of every answer, keyed by name."""
