"""Tables of the pages, as `pages.toml` has them."""

import tomllib
from pathlib import Path
from typing import Any, Final

TABLES: Final[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("pages.toml").read_text("utf-8"))
"""The tables by name."""
