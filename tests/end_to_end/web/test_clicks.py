"""Everything that people come for is at most three clicks away from the first page, on wide screens and phones."""

import re
from typing import TYPE_CHECKING

import pytest
from attrs import define

from tests.end_to_end.support.chromium import let_in
from tests.end_to_end.support.web_pages import WebPages, id_of
from tests.unit.support.tables import cases

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

MOST = 3

SAID = """texts => {
    const said = (document.querySelector("main")?.innerText ?? "").split(/\\s+/).join(" ");
    return texts.every(each => said.includes(each));
}"""
"""Function of a page that waits for texts. Unlike a single look at the page, it survives a navigation."""


@define
class Visitor:
    """A visitor of the first page, whose clicks are counted. Typing is free."""

    page: "Page"
    clicks: int = 0

    def click(self, name: str, of: str = "a, button") -> "Visitor":
        """Click the first link or button with a name that is to be seen, once more."""
        self.clicks += 1
        assert self.clicks <= MOST
        named = self.page.locator(of).filter(has_text=re.compile(name), visible=True)
        named.first.click()
        self.page.wait_for_load_state()
        return self

    def sees(self, *texts: str) -> bool:
        """Wait until all texts are on the page. Return True if the page is as wide as the window."""
        self.page.wait_for_function(SAID, arg=texts)
        return bool(self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


PHONE, WIDE = ((390, False), (1280, True))
"""Width of a window, and whether it runs scripts."""


@pytest.fixture(scope="module")
def pages(browser: "Browser", site: WebPages) -> "dict[tuple[int, bool], Page]":
    """Return a page for each window, which knows the cookie; the browser closes them."""
    opened = {}
    for width, script in (PHONE, WIDE):
        context = browser.new_context(java_script_enabled=script, viewport={"width": width, "height": 800})
        opened[width, script] = let_in(context, site).new_page()
    return opened


@pytest.fixture(params=[PHONE], ids=["phone, no script"])
def visitor(request: pytest.FixtureRequest, pages: "dict[tuple[int, bool], Page]", site: WebPages) -> Visitor:
    """Return a visitor of the first page."""
    page = pages[request.param]
    page.goto(f"http://{site.host}/")
    return Visitor(page)


# What scripts do, or hide on a phone.
on_both = pytest.mark.parametrize("visitor", [PHONE, WIDE], indirect=True, ids=["phone, no script", "wide"])


@cases
def test_what_people_come_for_is_seen_after_a_few_clicks(
    visitor: Visitor, clicks: list[str], seen: list[str]
) -> None:
    for name in clicks:
        visitor.click(name)
    assert visitor.sees(*seen)


@on_both
def test_a_decision_is_found_by_asking(visitor: Visitor) -> None:
    visitor.page.get_by_label("Question").fill("why is a payment never repeated")
    visitor.click("^Search$", "button")
    visitor.page.wait_for_url("**q=why*")
    visitor.page.locator("mark").first.wait_for()
    visitor.click("Payments are never repeated")
    assert visitor.sees("The retry was removed because the bank books late answers twice")


@on_both
def test_why_code_was_removed_and_the_lines_are_seen(visitor: Visitor) -> None:
    visitor.click("ferry/payments.py").click("Removed the retry")
    assert visitor.sees("Removed the retry from pay()", "for attempt in range(3):", "Cards are charged twice")
    assert visitor.page.locator(".diff del").count() == 5


@on_both
def test_a_memory_is_corrected(visitor: Visitor, site: WebPages) -> None:
    visitor.click("Departures are shown").click("^Edit$")
    text = f"Corrected {site.ask('/log').text.count('edited')} times."
    visitor.page.get_by_label("Text", exact=True).fill(text)
    visitor.click("^Save$")
    assert visitor.sees("The old memory is purged", text)


def test_a_purge_is_undone(visitor: Visitor, site: WebPages) -> None:
    site.send("/purge", id=id_of(site, "Tickets are checked offline"))
    visitor.click("^Log of").click("^Undo").click("^Undo$")
    assert visitor.sees("was taken back", "undo 1 memory restored Tickets are checked offline")


@on_both
def test_another_project_is_chosen_from_the_list(visitor: Visitor) -> None:
    visitor.click("ferry$", "button").click("^museum$")
    assert visitor.sees("What lamella knows about museum")
    assert "museum" in visitor.page.inner_text(".project")


def test_backups_are_found(visitor: Visitor, site: WebPages) -> None:
    site.send("/backups")
    visitor.click("^Menu$").click("^Backups$").click("Preview of ferry")
    assert visitor.sees("To restore it", "lamella restore-backup")
