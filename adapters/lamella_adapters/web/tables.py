"""Tables of the pages, from `pages.toml`."""

from typing import Any, Final

from lamella_adapters.process.tables import table

TABLES: Final[dict[str, Any]] = table(__file__, "pages")
"""The tables by name."""
