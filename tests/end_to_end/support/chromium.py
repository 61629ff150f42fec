"""The machine's Chromium, driven by Playwright, with axe-core to check accessibility."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.end_to_end.support.web_pages import WebPages

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

_NAMES = ("chromium", "chromium-browser", "google-chrome")
AXE = Path("node_modules", "axe-core", "axe.min.js")
"""axe-core among the packages of Node that tests install."""


def find_chromium() -> str:
    """Return the browser's path. Skip the test without a browser, except in continuous integration."""
    for name in _NAMES:
        if found := shutil.which(name):
            return found
    reason = "there is no Chromium: apt-get install -y chromium"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@contextmanager
def chromium() -> "Iterator[Browser]":
    """Start the browser without a window."""
    # Import Playwright here, so that test runs without a browser don't need it.
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - same

    found = find_chromium()
    with sync_playwright() as playwright:
        # Containers have too small a /dev/shm, and root can't use the sandbox.
        browser = playwright.chromium.launch(
            executable_path=found,
            args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--renderer-process-limit=1"],
        )
        try:
            yield browser
        finally:
            browser.close()


def let_in(context: "BrowserContext", site: WebPages) -> "BrowserContext":
    """Give the browser's windows the cookie of the browser that a server has admitted."""
    name, _, value = site.cookie.partition("=")
    context.add_cookies([{"name": name, "value": value, "url": f"http://{site.host}"}])
    return context
