"""Table of the pages: for each path and method, a function that returns the response to a request."""

from collections.abc import Callable, Mapping
from importlib import import_module

from starlette.responses import Response

from lamella_adapters.web.page_context import PageContext
from lamella_adapters.web.tables import TABLES

Page = Callable[[PageContext], Response]
"""Handles a request for a page."""


def _page(place: str) -> Page:
    """Return the page at `module:name`."""
    module, _, name = place.partition(":")
    page: Page = getattr(import_module(f"{__name__}.{module}"), name)
    return page


ROUTES: Mapping[str, Mapping[str, Page]] = {
    path: {method: _page(place) for method, place in methods.items()} for path, methods in TABLES["routes"].items()
}
"""Every served path."""

UPLOADS = frozenset({"/import/upload"})
"""Paths of forms with a file."""
