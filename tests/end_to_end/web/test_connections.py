"""Connections that others hold, and those that end too early."""

import socket
from contextlib import ExitStack
from http.client import HTTPResponse

import pytest

from tests.end_to_end.support.web_pages import WebPages
from tests.waiting import HANG_SECONDS


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n"], ids=["silent", "refused"])
def test_the_pages_stay_open_while_others_hold_every_connection(fresh: WebPages, sent: bytes) -> None:
    with ExitStack() as held:
        for _ in range(150):
            connection = held.enter_context(socket.create_connection(("127.0.0.1", fresh.port), HANG_SECONDS))
            connection.sendall(sent.replace(b"{host}", fresh.host.encode()))
        assert fresh.enter().ask("/").status == 200
        form = {"form_token": fresh.form_token(), "id": "ffffffff"}
        assert fresh.ask("/purge", method="POST", form=form).status == 303


def test_the_browser_keeps_its_connection_while_others_come(fresh: WebPages) -> None:
    fresh.enter()
    request = fresh.head("GET", "/", {"host": fresh.host, "cookie": fresh.cookie})
    with socket.create_connection(("127.0.0.1", fresh.port), HANG_SECONDS) as browser, ExitStack() as held:
        statuses = []
        for _ in range(2):
            browser.sendall(request)
            answer = HTTPResponse(browser)
            answer.begin()
            answer.read()
            statuses.append(answer.status)
            for _ in range(120):
                held.enter_context(socket.create_connection(("127.0.0.1", fresh.port), HANG_SECONDS))
        assert statuses == [200, 200]


@pytest.mark.parametrize(
    "kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"], ids=["form", "file"]
)
def test_a_browser_that_drops_while_it_sends_is_nothing_to_report(fresh: WebPages, kind: str) -> None:
    fresh.enter()
    target = "/purge" if kind.endswith("urlencoded") else "/import/upload"
    headers = {"host": fresh.host, "cookie": fresh.cookie, "content-type": kind, "content-length": "1000"}
    for _ in range(3):
        with socket.create_connection(("127.0.0.1", fresh.port), HANG_SECONDS) as connection:
            connection.sendall(fresh.head("POST", target, headers) + b"--x\r\n")
            assert fresh.ask("/").status == 200
    assert fresh.ask("/").status == 200
    assert fresh.end() == (0, b"")
