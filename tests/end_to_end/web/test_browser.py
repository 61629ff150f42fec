"""The pages in a real Chromium: judged by axe-core, by keyboard alone, with and without script."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

from tests.end_to_end.clients.node_clients import NodeClients
from tests.end_to_end.support.chromium import AXE, chromium
from tests.end_to_end.support.web_pages import web_pages
from tests.tour.web.data import fill

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LOOKS: tuple[tuple[Literal["light", "dark"], int], ...] = (("light", 1280), ("dark", 320))
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """Return a Chromium without a window."""
    with chromium() as started:
        yield started


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """Return the address that a server has printed."""
    ferry = fill(tmp_path / "data", tmp_path)
    with web_pages(tmp_path / "data", ferry) as pages:
        yield f"http://{pages.host}/enter?token={pages.token}"


def opened(browser: "Browser", url: str, **options: Any) -> "Page":
    """Return the first page of the server, in a browser of its own."""
    page = browser.new_context(**options).new_page()
    page.goto(url)
    assert "token" not in page.url
    return page


def every_page(page: "Page") -> dict[str, str]:
    """Return the address of each kind of page by its name."""
    base = page.url.rstrip("/")

    def first(target: str, selector: str = "a.item") -> str:
        page.goto(base + target)
        return f"{base}{page.locator(selector).first.get_attribute('href')}"

    found = {
        path: f"{base}{path}" for path in ("/", "/timeline", "/files", "/conversations", "/shown", "/projects")
    }
    found |= {
        "search": f"{base}/?q=why+is+payment+not+repeated&messages=1&kind=&purged=with",
        "nothing found": f"{base}/?kind=decision&until=2001-01-01",
        "change": first("/?q=retry+pay&kind=change"),
        "replaced": first("/?q=staging+three&purged=only"),
        "edit": first("/?q=payments&kind=decision").replace("/memory", "/edit"),
        "file": f"{base}/file?path=ferry/payments.py",
        "conversation": first("/conversations"),
        "missing": f"{base}/nothing",
        "refused": f"{base}/memory?id=ffffffff",
    }
    page.goto(found["conversation"])
    found["message"] = f"{base}{page.locator('a.item').nth(1).get_attribute('href')}"
    page.goto(f"{base}/projects")
    ids = [each.get_attribute("value") for each in page.locator("select[name=old] option").all()]
    found["merge"] = f"{base}/projects/merge?old={ids[1]}&new={ids[2]}"
    return found


def test_axe_finds_nothing_on_any_page_light_or_dark(
    browser: "Browser", url: str, node_clients: NodeClients
) -> None:
    axe = (node_clients.folder / AXE).read_text("utf-8")
    # Only what judges is let past the policy of the pages.
    page = opened(browser, url, bypass_csp=True)
    problems = []
    page.on("pageerror", lambda error: problems.append(("script", str(error))))
    for name, address in every_page(page).items():
        page.goto(address)
        page.evaluate(axe)
        for scheme, width in LOOKS:
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": 800})
            found = page.evaluate("rules => axe.run(document, rules)", RULES)["violations"]
            problems += [
                (f"{name} {scheme} {width}", f"{each['id']} {each['nodes'][0]['html']}") for each in found
            ]
            if page.evaluate("document.documentElement.scrollWidth") > width:
                problems.append((f"{name} {width}", "too wide"))
    assert problems == []


def test_no_page_breaks_its_own_policy(browser: "Browser", url: str) -> None:
    page = opened(browser, url)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    for address in every_page(page).values():
        page.goto(address)
    assert [each for each in said if "404" not in each] == []


def test_everything_is_done_by_keyboard_alone(browser: "Browser", url: str) -> None:
    page = opened(browser, url)
    keys = page.keyboard
    keys.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    keys.press("Enter")
    # Search as one types, with a count that is told.
    keys.press("/")
    keys.type("cents")
    page.locator("#count", has_text="Results 1 to 2").wait_for()
    page.wait_for_url("**q=cents*")
    # To the first result and its text, and a correction.
    keys.press("Tab")
    for _ in range(2):
        keys.press("j")
    keys.press("k")
    assert page.evaluate("document.activeElement.className") == "item"
    keys.press("Enter")
    page.wait_for_url("**/memory?**")
    reach(page, "Purge")
    keys.press("Enter")
    page.wait_for_url("**/chosen?**")
    assert "Purged 1 memory." in page.inner_text("main")
    reach(page, "Restore it")
    keys.press("Enter")
    page.locator("main", has_text="Restored 1 memory.").wait_for()
    # Several at once, by ticking.
    page.goto(page.url.partition("/chosen")[0])
    for number in range(2):
        page.locator("input[name=id]").nth(number).focus()
        keys.press("Space")
    reach(page, "Erase…")
    keys.press("Enter")
    page.wait_for_url("**/erase")
    reach(page, "Erase 2 memories")
    keys.press("Enter")
    page.wait_for_url("**/chosen?**")
    assert "2 memories erased for good." in page.inner_text("main")
    # Help, and keys switched off.
    keys.press("?")
    assert page.locator("dialog.keys").is_visible()
    keys.press("Tab")
    page.locator("dialog.keys input").focus()
    keys.press("Space")
    keys.press("Escape")
    keys.press("?")
    assert not page.locator("dialog.keys").is_visible()


def reach(page: "Page", name: str) -> None:
    """Press Tab until the button with a name has the focus, which is to be seen there."""
    for _ in range(150):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.trim()") == name:
            assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
            return
    raise AssertionError(f"{name} can't be reached")


@pytest.mark.parametrize(("script", "width"), [(True, 1280), (False, 390)])
def test_what_people_come_for_is_three_clicks_away(browser: "Browser", url: str, script: bool, width: int) -> None:
    page = opened(browser, url, java_script_enabled=script, viewport={"width": width, "height": 800})
    home = page.url

    def clicks(*names: str) -> str:
        page.goto(home)
        assert len(names) <= 3
        for name in names:
            page.locator("a, button").filter(has_text=re.compile(name)).first.click()
            page.wait_for_load_state()
        return page.inner_text("main")

    # Find a decision, and the conversation that led to it.
    assert "The retry was removed because" in clicks("^Decisions", "Payments are never repeated")
    assert "The bank's own queue repeats" in clicks(
        "^Decisions", "Payments are never repeated", "Cards are charged"
    )
    # See why code was removed, and the lines.
    assert "for attempt in range(3):" in clicks("^Files", "ferry/payments.py", "Removed the retry")
    # Take a purge back.
    assert "Restored 1 memory." in clicks("^Purged", "Blue logo", "Restore")
    # See what the model was shown this morning.
    assert "934 tokens" in clicks("^Shown")
    # Correct a memory.
    clicks("Run the load test", "^Edit$")
    page.get_by_label("Text", exact=True).fill("The load test runs by itself now.")
    page.get_by_role("button", name="Save").click()
    assert "The load test runs by itself now." in page.inner_text("main")
    # Search.
    page.goto(home)
    page.get_by_label("Question").fill("time zone of the phone")
    page.get_by_role("button", name="Search").click()
    page.wait_for_url("**q=time*")
    assert "Departures are shown in the harbour's time zone" in page.inner_text("main")
