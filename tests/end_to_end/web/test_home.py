"""The first page, which follows what is saved, and what every page has around its text."""

import re
import socket
from pathlib import Path
from typing import TYPE_CHECKING

from tests.end_to_end.support.command_line import CommandLine
from tests.end_to_end.support.web_pages import WebPages, id_of, web_pages
from tests.waiting import HANG_SECONDS

if TYPE_CHECKING:
    pass


def test_the_first_page_says_what_is_known_and_leads_to_it(site: WebPages) -> None:
    home = site.ask("/")
    assert "<title>Home · ferry · lamella</title>" in home.body
    figures = dict(re.findall(r'<li><a href="([^"]*)"><strong>([^<]*)</strong>', home.body))
    assert figures["/search?kind=decision"] == "4"
    assert figures["/conversations"] == "2"
    assert "2,031 tokens" in site.ask("/shown").text
    assert figures["/shown"] == "2,031"
    assert re.findall(r"<h3><a [^>]*>(#\w+)</a> <span class=\"quiet\">(\d)", home.body) == [
        ("#payments", "2"),
        ("#timetable", "1"),
        ("#boarding", "1"),
    ]
    assert "Payments are never repeated by us" in site.ask(home.links("/search")[1]).text
    week = home.text.partition("What changed this week, and why")[2]
    assert "Because: Payments are never repeated by us" in week.partition("Removed the retry from pay()")[2]
    sessions = home.text.partition("Latest sessions")[2]
    assert "Decided: Departures are shown" in sessions.partition("The winter timetable has to be live")[2]
    assert "waits for review" in home.text
    assert site.ask("/review").body.count('id="waiting"') == 1


def test_a_save_on_the_command_line_is_told_to_the_first_page(own: WebPages, tmp_path: Path) -> None:
    request = own.head("GET", "/events", {"host": own.host, "cookie": own.cookie})
    with socket.create_connection(("127.0.0.1", own.port), timeout=HANG_SECONDS) as connection:
        connection.sendall(request)
        told = connection.makefile("rb")
        assert told.readline() == b"HTTP/1.1 200 OK\r\n"
        while told.readline() != b":\n":
            pass
        CommandLine(tmp_path / "data", tmp_path / "ferry").saved("The lighthouse is white.")
        while told.readline() != b"event: changed\n":
            pass
        # The end of the server waits for no browser.
        assert own.end() == (0, b"")


def test_events_are_told_to_the_browser_that_was_let_in_alone(locked: WebPages) -> None:
    for cookie in (None, f"lamella-{locked.port}=x"):
        assert locked.ask("/events", cookie=cookie).status == 403


def test_a_head_of_events_ends(site: WebPages) -> None:
    request = site.head("HEAD", "/events", {"host": site.host, "cookie": site.cookie, "connection": "close"})
    with socket.create_connection(("127.0.0.1", site.port), timeout=HANG_SECONDS) as connection:
        connection.sendall(request)
        assert connection.makefile("rb").read().startswith(b"HTTP/1.1 200 OK\r\n")  # to the end


def test_a_project_without_memories_shows_how_to_begin(tmp_path: Path) -> None:
    with web_pages(tmp_path / "data", tmp_path) as pages:
        home = pages.enter().ask("/")
        assert "Nothing is known about this project yet" in home.text
        for link in ("/new", "/import", "/projects"):
            assert f'href="{link}"' in home.body.partition("<main")[2]


def test_light_or_dark_is_chosen_for_every_page(own: WebPages) -> None:
    assert "data-theme" not in own.ask("/files").body
    chosen = own.send("/theme", theme="dark", back="/search?q=a%26b")
    assert (chosen.status, chosen.headers["location"]) == (303, "/search?q=a%26b")
    cookie = chosen.headers["set-cookie"]
    assert "HttpOnly" in cookie
    dark = own.ask("/files", cookie=f"{own.cookie}; {cookie.partition(';')[0]}")
    assert '<html lang="en" data-theme="dark">' in dark.body
    assert "data-theme" not in own.ask("/files", cookie=f"{own.cookie}; lamella-theme=evil").body
    assert 'lamella-theme=""' in own.send("/theme", theme="", back="/files").headers["set-cookie"]
    assert own.send("/theme", theme="pink", back="/").status == 400
    for back in ("https://evil.example/x", "//evil.example/x", "/\\evil.example", "javascript:alert(1)", ""):
        assert own.send("/theme", theme="dark", back=back).headers["location"] in ("/x", "/", "/%5Cevil.example")


def test_a_memory_is_written_by_hand(own: WebPages) -> None:
    fields = {
        "text": "Moor **astern**.\r\nAlways.",
        "title": "Moor",
        "paths": "ferry/pier.py\r\n",
        "decision": "1",
    }
    saved = own.send("/new", **fields)
    page = own.ask(saved.headers["location"])
    assert "<p>Moor <strong>astern</strong>.<br>\nAlways.</p>" in page.body
    assert "Kind decision" in page.text
    assert page.links("/file") == ["/file?path=ferry%2Fpier.py"]
    assert "Source manual" in own.ask(own.send("/new", text="x", title="").headers["location"]).text
    refused = own.send("/new", text="Typed.", title="T", paths="/etc/passwd")
    assert (refused.status, "outside this project" in refused.text) == (400, True)
    assert ">\nTyped.</textarea>" in refused.body


def test_a_memory_is_opened_by_its_id(site: WebPages) -> None:
    id = id_of(site, "Tickets are checked offline")
    for asked in (id, id[:8], id[:8].upper()):
        assert site.ask(f"/search?q={asked}").headers["location"] == f"/memory?id={id}"
    assert "No memories match" in site.ask("/search?q=ffffffff").text


def test_chips_say_how_many_there_are(site: WebPages) -> None:
    def counts(target: str) -> dict[str, str]:
        return dict(re.findall(r'>(\w+) <span class="quiet">([\d,+]+)</span></a>', site.ask(target).body))

    every = {"Everything": "16", "Decisions": "4", "Notes": "7", "Changes": "8", "Summaries": "1", "Purged": "2"}
    assert counts("/search") == counts("/search?kind=note") == every
    assert counts("/search?author=Jonas") == {
        **dict.fromkeys(every, "0"),
        "Everything": "2",
        "Decisions": "2",
        "Notes": "2",
        "Purged": "1",
    }
    assert counts("/search?q=cents")["Decisions"] == "1"
    assert "16 memories" in site.ask("/search").text
    assert "8 memories" in site.ask("/search?kind=change").text


def test_an_address_holds_only_what_was_set(site: WebPages) -> None:
    answer = site.ask("/search?q=cents&kind=&source=&path=&all=1&since=")
    assert (answer.status, answer.headers["location"]) == (303, "/search?q=cents&all=1")
    assert site.ask("/search?q=").headers["location"] == "/search"


def test_files_count_all_their_changes(site: WebPages) -> None:
    rows = re.findall(r'path=([^"]*)">.*?<td class="n">([\d,]+)</td>', site.ask("/files").body)
    for path, count in rows:
        assert site.ask(f"/file?path={path}").body.count("<tr><td><time") == int(count)
    assert len(rows) == 4
