"""A server over the invented data of the tour."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.end_to_end.clients.node_clients import NodeClients, installed
from tests.end_to_end.support.chromium import chromium
from tests.end_to_end.support.web_pages import WebPages, web_pages
from tests.tour.web.data import fill

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebPages]:
    """Return a server that has admitted us.

    Tests of a module share it, so each creates the data that it changes.
    """
    folder = tmp_path_factory.mktemp("site")
    ferry = fill(folder / "data", folder)
    with web_pages(folder / "data", ferry) as pages:
        yield pages.enter()


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[WebPages]:
    """Return a server that no browser has entered yet."""
    ferry = fill(tmp_path / "data", tmp_path)
    with web_pages(tmp_path / "data", ferry) as pages:
        yield pages


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebPages]:
    """Return a server that no browser enters. Tests of a module share it."""
    folder = tmp_path_factory.mktemp("locked")
    ferry = fill(folder / "data", folder)
    with web_pages(folder / "data", ferry) as pages:
        yield pages


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """Return a Chromium without a window. Its event loop runs in this thread until the module ends."""
    with chromium() as started:
        yield started


@pytest.fixture(scope="session")
def node_clients() -> NodeClients:
    """Return the packages of Node that tests install, axe-core among them."""
    return installed()


@pytest.fixture
def own(tmp_path: Path) -> Iterator[WebPages]:
    """Return a separate server, in which a test may change anything."""
    ferry = fill(tmp_path / "data", tmp_path)
    with web_pages(tmp_path / "data", ferry) as pages:
        yield pages.enter()
