"""The first page, which follows what is saved, and what every page has around its text."""

import json
import re
import socket
from pathlib import Path

from tests.end_to_end.support.command_line import CommandLine
from tests.end_to_end.support.web_pages import WebPages, id_of
from tests.waiting import HANG_SECONDS


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


def test_a_memory_is_opened_by_its_id(site: WebPages) -> None:
    id = id_of(site, "Tickets are checked offline")
    for asked in (id, id[:8], id[:8].upper()):
        assert site.ask(f"/search?q={asked}").headers["location"] == f"/memory?id={id}"
    assert "No memories match" in site.ask("/search?q=ffffffff").text


def test_files_count_all_their_changes(site: WebPages) -> None:
    rows = re.findall(r'path=([^"]*)">.*?<td class="n">([\d,]+)</td>', site.ask("/files").body)
    for path, count in rows:
        page = site.ask(f"/file?path={path}").body
        assert page.count("<tr><td><time") == int(count)
        bars = re.findall(r'<td class="n">(\d+)</td><td class="n">(\d+)</td></tr>', page)
        added, removed = (sum(map(int, each)) for each in zip(*bars, strict=True))
        assert f'{added} added</span> <span class="key down0">{removed} removed' in page
    assert len(rows) == 4


def test_a_session_without_words_is_named_by_its_day(own: WebPages, tmp_path: Path) -> None:
    session, said = "7d0f2c1e-55aa-4f0b-9c2e-0a1b2c3d4e5f", {"role": "assistant", "content": "The gate is shut."}
    record = {"type": "assistant", "sessionId": session, "uuid": "1", "timestamp": "2026-01-02T03:04:05Z"}
    (tmp_path / "talk.jsonl").write_text(json.dumps({**record, "message": said}), "utf-8")
    CommandLine(tmp_path / "data", tmp_path / "ferry").run("import", "claude-code", str(tmp_path / "talk.jsonl"))
    found = own.ask("/search?q=gate+shut&messages=1")
    for page in (found, own.ask(found.links("/message")[0]), own.ask("/conversations")):
        assert ("Session of 2 Jan" in page.text, session in page.text) == (True, False)
