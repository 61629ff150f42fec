"""Takes the pictures of `docs/web.md`: pages over an invented data directory, in a real Chromium.

    make web-tour

Dates are those of the day on which it runs, as in every data directory.
"""

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from attrs import frozen

from tests.end_to_end.support.chromium import chromium
from tests.end_to_end.support.unhurried import ROOT
from tests.end_to_end.support.web_pages import web_pages
from tests.tour.web.data import fill

if TYPE_CHECKING:
    from playwright.sync_api import Page

PICTURES = ROOT / "docs" / "web"


@frozen
class Picture:
    """A picture of a page: its file, what leads there from the first page, and how it is looked at."""

    name: str
    path: str
    click: str = ""
    scheme: Literal["light", "dark"] = "light"
    width: int = 1000
    height: int = 720


ALL = (
    Picture("home", "/", width=1280, height=900),
    Picture("comeback", "/comebacks", click="This edit would have brought back", width=1200, height=630),
    Picture("year", "/year", width=1200, height=640),
    Picture("search", "/search?q=why+is+a+payment+not+repeated"),
    Picture("memory", "/search?kind=change", click="Removed the retry from pay()", scheme="dark"),
    Picture("timeline", "/timeline"),
    Picture("file", "/file?path=ferry/payments.py&bar=33", width=1200, height=760),
    Picture("conversation", "/conversations", click="Cards are charged twice"),
    Picture("shown", "/shown", height=860),
    Picture("projects", "/projects", height=560),
    Picture("edit", "/search?q=staging", click="Staging is reset every night at four", height=560),
    Picture("log", "/log", height=480),
    Picture("import", "/import", height=820),
    Picture("phone", "/search?kind=decision", scheme="dark", width=390, height=720),
)


def main() -> None:
    """Take every picture."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="web-tour") as name, chromium() as browser:
        folder = Path(name)
        ferry = fill(folder / "data", folder, year=True)
        (ferry / "ferry").mkdir()
        for file in ("payments", "timetable", "scan", "bookings"):
            (ferry / "ferry" / f"{file}.py").write_text(
                "def pay(booking: Booking) -> None: ...\n", encoding="utf-8"
            )
        with web_pages(folder / "data", ferry) as pages:
            page = browser.new_context().new_page()
            page.goto(f"http://{pages.host}/enter?token={pages.token}")
            for picture in ALL:
                take(page, f"http://{pages.host}", picture)


def take(page: "Page", base: str, picture: Picture) -> None:
    """Take one picture."""
    page.emulate_media(color_scheme=picture.scheme)
    page.set_viewport_size({"width": picture.width, "height": picture.height})
    page.goto(f"{base}{picture.path}")
    if picture.click:
        page.locator("a.item", has_text=picture.click).first.click()
        page.wait_for_load_state()
    page.screenshot(path=PICTURES / f"{picture.name}.png")


if __name__ == "__main__":
    main()
