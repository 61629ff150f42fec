"""The pages in a real Chromium: judged by axe-core, by keyboard alone, with and without script."""

import re
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from uuid import uuid4

from attrs import evolve

from lamella.domain.memories.kind import EDITED, Kind
from lamella.domain.memories.observation import CodeChange, Draft
from lamella.ports.storage.ledger import Capture
from lamella_adapters.sqlite.storage import SqliteStorage
from tests.end_to_end.clients.node_clients import NodeClients
from tests.end_to_end.support.chromium import AXE, let_in
from tests.end_to_end.support.command_line import CommandLine
from tests.end_to_end.support.web_pages import WebPages, web_pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# Violations are all that is read, and nothing has to be fetched to find them.
_QUICK = {"resultTypes": ["violations"], "preload": False}
_ALL = {**_QUICK, "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
_OF_COLOURS_AND_SIZES = {**_QUICK, "runOnly": {"type": "rule", "values": ["color-contrast", "target-size"]}}
LOOKS: tuple[tuple[Literal["light", "dark"], int, dict[str, Any]], ...] = (
    ("light", 1280, _ALL),
    ("dark", 320, _OF_COLOURS_AND_SIZES),  # all that a look changes
)


def kinds_of_pages(site: WebPages) -> dict[str, str]:
    """Return a URL for each kind of page, in its fullest state. This needs no browser."""

    def first(target: str, begin: str) -> str:
        return site.ask(target).links(begin)[0]

    alone = (
        "",
        "new",
        "timeline",
        "files",
        "conversations",
        "shown",
        "year",
        "comebacks",
        "log",
        "import",
        "export",
    )
    found = {
        **{f"/{each}": f"/{each}" for each in alone},
        "search": "/search?q=why+is+payment+not+repeated&messages=1&kind=&purged=with",
        "nothing found": "/search?kind=decision&until=2001-01-01",
        "change": first("/search?q=retry+pay&kind=change", "/memory"),
        "file": "/file?path=ferry/payments.py&bar=1",
        "comeback": first("/comebacks", "/comeback"),
        "conversation": first("/conversations", "/conversation"),
        "session": next(each for each in site.ask("/shown").links("/shown") if "session=" in each),
        "undo": "/undo?number=1",
        "program": "/import/program?name=server-memory",
    }
    found["message"] = first(found["conversation"], "/message")
    found["copies"] = site.send("/backups").headers["location"]
    found["restore"] = first("/backups", "/backups/preview")
    ferry, old, museum = re.findall(r'name="which" value="([^"]+)"', site.ask("/projects").body)
    found["merge"] = f"/projects/merge?old={museum}&new={ferry}"
    site.send("/projects/merge", old=old, new=ferry)
    found["split"] = f"/projects/split?old={old}"
    found["off"] = site.send("/projects/switch", which=museum).headers["location"]
    found["refused, off"] = f"/search?project={museum}"
    return found


def test_every_page_passes_axe_in_light_and_dark_and_keeps_its_own_policy(
    browser: "Browser", own: WebPages, node_clients: NodeClients, tmp_path: Path
) -> None:
    axe = (node_clients.folder / AXE).read_text("utf-8")
    with closing(SqliteStorage(tmp_path / "data")) as storage:
        change = CodeChange(path=f"{'long_' * 20}name.py", additions=1, hunks="@@ -1,2 +1,3 @@\n \n+it\n it")
        draft = Draft(content="it", title="it_" * 60, kind=Kind.CHANGE, source=EDITED, changes=(change,))
        captures = [
            Capture(id=uuid4(), draft=each, at=datetime.now(UTC))
            for each in (draft, *2 * [evolve(draft, title=f"Changed {change.path}")])
        ]
        storage.ledger(storage.registry.named("ferry").id).record(captures)
    found = {name: f"http://{own.host}{target}" for name, target in kinds_of_pages(own).items()}
    found["a long path"] = f"http://{own.host}/file?path={change.path}&bar=1"
    page = let_in(browser.new_context(), own).new_page()
    problems, said = [], list[str]()
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    for name, address in found.items():
        page.goto(address)
        problems += judged(page, axe, name)
    assert [each for each in said if "404" not in each and "400" not in each] == []
    # Pages that a form leads to.
    page.goto(found["/import"])
    file = {"name": "a <b>.jsonl", "mimeType": "", "buffer": own.ask("/export/file").content}
    page.get_by_label("File", exact=True).set_input_files(file)  # type: ignore[arg-type]
    page.locator("form[enctype] button").click()
    assert "There is nothing new." in page.inner_text("main")
    problems += judged(page, axe, "a file")
    page.goto(f"{found['program']}&into=here")
    page.get_by_role("button", name="Import").click()
    assert "Imported 2 records" in page.inner_text("main")
    problems += judged(page, axe, "imported")
    tab = page.context.new_page()
    decision = own.ask("/search?q=payments&kind=decision").links()[0]
    for each in (page, tab):
        each.goto(f"http://{own.host}{decision}".replace("/memory", "/edit"))
        each.get_by_label("Text", exact=True).fill("Typed twice." if each is page else "Typed in the other tab.")
    for each in (page, tab):
        with each.expect_navigation():
            each.get_by_role("button", name="Save").click()
    assert "Typed twice." in tab.inner_text("main")
    problems += judged(tab, axe, "two tabs")
    with tab.expect_navigation():
        tab.get_by_role("button", name="Replace the newer version").click()
    assert "Typed in the other tab." in tab.inner_text("main")
    assert problems == []


def judged(page: "Page", axe: str, name: str) -> list[tuple[str, str]]:
    """Return axe-core's findings on a page, and elements wider than the window."""
    problems = []
    page.evaluate(axe)
    for scheme, width, rules in LOOKS:
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 800})
        wrong = page.evaluate("rules => axe.run(document, rules)", rules)["violations"]
        problems += [(f"{name} {scheme} {width}", f"{each['id']} {each['nodes'][0]['html']}") for each in wrong]
        if page.evaluate("document.documentElement.scrollWidth") > width:
            problems.append((f"{name} {width}", "too wide"))
    if page.evaluate("[...document.querySelectorAll('.diff > *')].some((each) => !each.offsetHeight)"):
        problems.append((name, "a line without height"))
    return problems


def test_everything_is_done_by_keyboard_alone(browser: "Browser", fresh: WebPages) -> None:
    page = browser.new_context().new_page()
    page.goto(f"http://{fresh.host}/enter?token={fresh.token}")
    assert "token" not in page.url
    keys = page.keyboard
    keys.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    keys.press("Enter")
    # From the first page to search, and on as one types: with a count that is told, and a heading that follows.
    keys.press("/")
    keys.type("ferry")
    keys.press("Enter")
    page.wait_for_url("**/search?q=ferry")
    keys.press("/")
    keys.type("cents")
    page.locator("#count", has_text="2 memories").wait_for()
    page.wait_for_url("**/search?q=cents")
    assert "cents" in page.inner_text("h1")
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
    page.goto(f"{page.url.partition('/chosen')[0]}/search")
    ticked = page.locator("input[name=id]:checked")
    keys.press("a")
    assert ticked.count() == page.locator("input[name=id]").count() > 2
    keys.press("a")
    for number in range(2):
        keys.press("j")
        keys.press("x")
        assert ticked.count() == number + 1
    reach(page, "Erase…")
    keys.press("Enter")
    page.wait_for_url("**/erase")
    reach(page, "Erase 2 memories")
    keys.press("Enter")
    page.wait_for_url("**/chosen?**")
    assert "2 memories erased for good." in page.inner_text("main")
    keys_lead_to_pages_and_are_listed(page)


def keys_lead_to_pages_and_are_listed(page: "Page") -> None:
    keys = page.keyboard
    # From another page to the field, out of it, and to the first result.
    page.goto(f"{page.url.partition('/chosen')[0]}/projects?project=ferry")
    keys.press("/")
    page.wait_for_url("**/search?project=*#q")
    page.wait_for_function("document.activeElement.id == 'q'")
    keys.press("Escape")
    assert page.evaluate("document.activeElement.id") == ""
    keys.press("/")
    keys.press("ArrowDown")
    assert page.evaluate("document.activeElement.className") == "item"
    keys.press("n")
    page.wait_for_url("**/new?project=*")
    # Help, and keys switched off.
    keys.press("?")
    assert page.locator("dialog.keys").is_visible()
    keys.press("Tab")
    page.locator("dialog.keys input").focus()
    keys.press("Space")
    keys.press("Escape")
    keys.press("?")
    assert not page.locator("dialog.keys").is_visible()


def test_the_first_page_changes_by_itself_and_keeps_the_focus(
    browser: "Browser", own: WebPages, tmp_path: Path
) -> None:
    page = let_in(browser.new_context(), own).new_page()
    page.goto(f"http://{own.host}/")
    page.locator("#waiting", has_text="Nothing to review").wait_for()
    assert page.title() == "Home · ferry · lamella"
    page.get_by_role("link", name="Cards are charged twice").first.focus()
    CommandLine(tmp_path / "data", tmp_path / "ferry").saved("Lamps are lit.", "--source", "decision")
    page.get_by_text("Lamps are lit.").first.wait_for()
    page.wait_for_function("document.activeElement.textContent == 'Cards are charged twice'")
    assert "Nothing to review" in page.inner_text("#waiting")


def test_a_review_of_many_notes_completes_by_itself(browser: "Browser", own: WebPages, tmp_path: Path) -> None:
    with closing(SqliteStorage(tmp_path / "data")) as storage:
        notes = storage.observations(storage.registry.named("ferry").id)
        for number in range(101):
            draft = Draft(content=f"Pier {number} has lamp {number * 7}.")
            notes.add(draft, id=uuid4(), now=datetime.now(UTC))
    page = let_in(browser.new_context(), own).new_page()
    page.goto(f"http://{own.host}/")
    page.locator("#waiting", has_text="to review").wait_for()
    own.send("/new", text="Piers are swept at noon.")
    page.goto(f"http://{own.host}/review")
    page.locator(".notice").wait_for(state="detached")
    assert "to review" in page.inner_text("#waiting")


def reach(page: "Page", name: str) -> None:
    """Press Tab until the button with a name has the focus, which must be visible."""
    for _ in range(150):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.trim()") == name:
            assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
            return
    raise AssertionError(f"{name} can't be reached")


def test_what_was_typed_is_kept_while_the_server_is_away(browser: "Browser", tmp_path: Path) -> None:
    (tmp_path / "orchard").mkdir()
    with browser.new_context() as context, closing(context.new_page()) as page:
        with web_pages(tmp_path / "data", tmp_path / "orchard") as gone:
            page.goto(f"http://{gone.host}/enter?token={gone.token}")
            page.goto(f"http://{gone.host}/new")
            page.fill("#text", "Typed for an hour.")
        page.click("button.main")
        page.get_by_text(f"lamella web --port {gone.port}").wait_for()
        with web_pages(tmp_path / "data", tmp_path / "orchard", "--port", str(gone.port)) as back:
            page.click("button.main")
            page.get_by_text("lamella web was started again.").wait_for()
            with closing(context.new_page()) as other:
                other.goto(f"http://{back.host}/enter?token={back.token}")
            page.click("button.main")
            page.get_by_role("button", name="Try again").click()
            page.get_by_text("Saved.", exact=True).wait_for()  # not "Nothing was saved: …" of the page before
            assert "Typed for an hour." in page.inner_text("main")
