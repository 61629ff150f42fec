"""Every guard of the server, attacked over real sockets."""

import json
import re
import socket
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from lamella_adapters.mcp.http.gate import MOST_OF_ONE
from tests.end_to_end.http.conftest import Serving
from tests.end_to_end.http.test_calls import token
from tests.end_to_end.support.command_line import CommandLine
from tests.end_to_end.support.http_server import Caller, HttpServer
from tests.end_to_end.support.web_pages import REQUESTS
from tests.unit.support.tables import cases
from tests.waiting import HANG_SECONDS, until

PING = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()
HEAD = "POST /mcp HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nAccept: application/json\r\n"


@pytest.mark.parametrize("host", REQUESTS["http_hosts"])
@pytest.mark.parametrize("path", ["/mcp", "/metrics", "/nothing"])
def test_a_name_that_leads_here_by_a_trick_is_refused(open_server: HttpServer, host: str, path: str) -> None:
    refused = open_server.caller(host=host.format(port=open_server.port)).ask("POST", path, PING)
    assert refused.status == 421


@pytest.mark.parametrize("header", ["Authorization: Bearer x", "Lamella-Project: orchard"])
def test_a_header_that_counts_is_sent_once(open_server: HttpServer, header: str) -> None:
    head = HEAD.format(host=f"127.0.0.1:{open_server.port}\r\n{header}\r\n{header}\r\nConnection: close")
    call = PING.replace(b'"ping"', b'"tools/call", "params": {"name": "recall", "arguments": {}}')
    answer = open_server.raw(f"{head}Content-Length: {len(call)}\r\n\r\n".encode() + call)
    assert re.search(rb"only once|given once", answer) is not None


@pytest.mark.parametrize("origin", REQUESTS["http_origins"])
def test_pages_of_other_sites_are_refused(open_server: HttpServer, origin: str) -> None:
    caller = open_server.caller(origin=origin.format(port=open_server.port))
    assert caller.call("save_memory", text="By a page.").status == 403
    assert not [name for name in caller.rpc("ping").headers if name.startswith("access-control")]


def test_its_own_names_and_origin_are_answered(open_server: HttpServer) -> None:
    for name in ("127.0.0.1", "localhost", "[::1]"):
        host = f"{name}:{open_server.port}"
        assert open_server.caller(host=host, origin=f"http://{host}").rpc("ping").status == 200


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP", "CF-Ray"])
def test_a_proxy_that_it_does_not_know_of_is_refused(open_server: HttpServer, header: str) -> None:
    refused = open_server.caller(**{header: "203.0.113.9"}).rpc("ping")
    assert (refused.status, "--behind-proxy" in refused.json["error"]) == (403, True)


def test_the_http_of_an_nginx_that_says_nothing_else_is_refused(open_server: HttpServer) -> None:
    head = HEAD.format(host=f"127.0.0.1:{open_server.port}").replace("HTTP/1.1", "HTTP/1.0")
    refused = open_server.raw(f"{head}Connection: close\r\nContent-Length: {len(PING)}\r\n\r\n".encode() + PING)
    assert (refused[:12], b"--behind-proxy" in refused) == (b"HTTP/1.1 403", True)


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "OPTIONS", "PATCH"])
def test_other_methods_than_post_are_refused(open_server: HttpServer, method: str) -> None:
    refused = open_server.caller().ask(method, "/mcp")
    assert (refused.status, refused.headers["allow"]) == (405, "POST")


@cases
@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28", "1999-01-01", None])
def test_garbage_is_answered_and_harms_nothing(open_server: HttpServer, body: bytes, version: str | None) -> None:
    caller = open_server.caller()
    headers = {} if version is None else {"mcp_protocol_version": version}
    answer = caller.ask(
        "POST", "/mcp", body, content_type="application/json", accept="application/json", **headers
    )
    assert answer.status in (200, 202, 400, 404)
    assert b"Traceback" not in answer.content
    assert str(Path(__file__).parents[3]).encode() not in answer.content
    assert caller.call("recall").status == 200


@cases
def test_what_is_no_http_is_refused(open_server: HttpServer, sent: bytes) -> None:
    answer = open_server.raw(sent)
    assert answer.startswith(b"HTTP/1.1 400")
    assert b"nosniff" in answer
    assert open_server.ready()


def test_large_bodies_are_refused_however_they_are_sent(open_server: HttpServer) -> None:
    caller, large = open_server.caller(), b" " * (4 * 1024 * 1024 + 1)
    assert caller.ask("POST", "/mcp", large, content_type="application/json").status == 413
    assert (
        caller.ask("POST", "/mcp", PING, content_type="application/json", accept="application/json").status == 200
    )
    head = HEAD.format(host=f"127.0.0.1:{open_server.port}") + "Transfer-Encoding: chunked\r\n\r\n"
    chunk = b"10000\r\n" + b" " * 65_536 + b"\r\n"
    assert open_server.raw(head.encode() + chunk * 70).startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize(
    "path", ["/", "/mcp/", "//mcp", "/mcp/../mcp", "/static/x", "/metrics/", "/readyz/x", "*"]
)
def test_there_is_nothing_else(open_server: HttpServer, path: str) -> None:
    answer = open_server.caller().ask("GET", path)
    assert (answer.status, answer.json) == (404, {"error": "There is nothing here."})


def test_nothing_of_the_inside_is_told(open_server: HttpServer) -> None:
    for answer in (open_server.caller().rpc("ping"), open_server.caller().ask("GET", "/healthz")):
        assert "server" not in answer.headers
        assert (answer.headers["x-content-type-options"], answer.headers["cache-control"]) == (
            "nosniff",
            "no-store",
        )


def test_slow_callers_are_cut(serve: Serving) -> None:
    limits = {
        "connections.HEAD_SECONDS": 0.2,
        "connections.READ_SECONDS": 0.2,
        "mcp.http.endpoint.BODY_SECONDS": 0.2,
    }
    with serve("--rate", "1000000", "--toolset", "granular", limits=limits) as server:
        head = HEAD.format(host=f"127.0.0.1:{server.port}")
        assert server.raw(b"") == b""
        assert server.raw(b"POST /mcp HTTP/1.1\r\nHost:") == b""
        # Whoever is slow because the machine is busy is cut too.
        until(lambda: server.raw(f"{head}Content-Length: 100\r\n\r\n{{".encode()).startswith(b"HTTP/1.1 408"))
        never_reads(server)
        until(server.ready)


def test_a_caller_that_drops_while_it_sends_is_no_failure(serve: Serving) -> None:
    with serve() as server:
        head = HEAD.format(host=f"127.0.0.1:{server.port}")
        with socket.create_connection(("127.0.0.1", server.port), timeout=HANG_SECONDS) as connection:
            connection.sendall(f"{head}Content-Length: 100\r\n\r\n{{".encode())
            assert server.ready()
        assert server.ready()
        code, logged = server.end()
    assert (code, [each["event"] for each in logged if "failure" in each["event"]]) == (0, [])
    assert [each.get("refused") for each in logged if each.get("status") == 400] == ["gone"]


@pytest.mark.parametrize("path", ["/healthz", "/nothing", "/mcp"])
def test_the_rest_of_an_answered_request_is_not_waited_for(serve: Serving, path: str) -> None:
    with serve(limits={"connections.HEAD_SECONDS": 0.2}) as server:
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: 100\r\n\r\n"
        until(lambda: closed_after_answer(server, head.encode()))


def closed_after_answer(server: HttpServer, head: bytes) -> bool:
    with socket.create_connection(("127.0.0.1", server.port), timeout=HANG_SECONDS) as connection:
        connection.sendall(head)
        # Empty where the machine was so busy that the head came too late.
        answered = connection.recv(65536).startswith(b"HTTP/1.1 ")
        connection.sendall(b"{")
        while connection.recv(65536):
            pass
        return answered


def test_one_address_leaves_connections_to_others(open_server: HttpServer) -> None:
    place = ("127.0.0.1", open_server.port)
    with ExitStack() as stack:
        for _ in range(MOST_OF_ONE):
            stack.enter_context(socket.create_connection(place, timeout=HANG_SECONDS))
        others = socket.create_connection(place, timeout=HANG_SECONDS, source_address=("127.0.0.2", 0))
        stack.enter_context(others).sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        assert others.recv(65_536).startswith(b"HTTP/1.1 200")
        assert open_server.raw(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n") == b""


def test_behind_a_proxy_one_address_is_bounded_like_that(serve: Serving, home: CommandLine) -> None:
    secret = token(home)
    limits = {"mcp.http.access.access.REFUSED_A_SECOND": 0.5}
    with serve("--behind-proxy", "--url", "https://memory.example.com/mcp", limits=limits) as server:

        def asking(address: str, given: str) -> Caller:
            forged = f"192.0.2.1, {address}"
            return server.caller(token=given, host="memory.example.com", x_forwarded_for=forged)

        known = asking("203.0.113.9", secret)
        assert known.rpc("ping").status == 200
        wrong = asking("203.0.113.9", f"lamella_token_{64 * '0'}")
        assert wrong.rpc("ping").status == 401
        until(lambda: wrong.rpc("ping").status == 429)
        assert known.rpc("ping").status == 200
        assert asking("203.0.113.10", secret).rpc("ping").status == 200
        head = f"{HEAD.format(host='memory.example.com')}X-Forwarded-For: 2001:db8::"
        with ExitStack() as stack:
            for number in range(MOST_OF_ONE):
                waiting = socket.create_connection(("127.0.0.1", server.port), timeout=HANG_SECONDS)
                given = f"{head}{number:x}\r\nAuthorization: Bearer {secret}\r\nContent-Length: 1\r\n\r\n"
                stack.enter_context(waiting).sendall(given.encode())
            until(lambda: asking("2001:db8::ffff", secret).rpc("ping").status == 429)
            assert asking("2001:db8:0:1::", secret).rpc("ping").status == 200


def never_reads(server: HttpServer) -> None:
    """Request long answers without reading them, until the server closes the connection."""
    ids = [until(partial(saved_id, server, f"{number} {'long ' * 900}")) for number in range(8)]
    asked = {"name": "get_observations", "arguments": {"ids": ids}}
    message = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": asked}).encode()
    head = HEAD.format(host=f"127.0.0.1:{server.port}") + "Lamella-Project: project\r\n"
    sent = f"{head}Content-Length: {len(message)}\r\n\r\n".encode() + message
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(HANG_SECONDS)
        connection.connect(("127.0.0.1", server.port))
        with pytest.raises(ConnectionError):
            send_for_ever(connection, sent * 100)


def saved_id(server: HttpServer, text: str) -> str:
    answer = server.caller().call("save_memory", text=text).content.decode()
    found = re.search(r"[0-9a-f-]{36}", answer)
    return found[0] if found else ""


def send_for_ever(connection: socket.socket, sent: bytes) -> None:
    while True:
        connection.sendall(sent)


def test_a_call_that_takes_too_long_is_given_up(serve: Serving) -> None:
    with serve(limits={"mcp.http.endpoint.CALL_SECONDS": 0.000_001}) as server:
        answer = server.caller().call("recall")
        assert (answer.failed, "gave up on this call" in answer.text) == (True, True)


def test_who_asks_too_often_waits(serve: Serving) -> None:
    with serve("--rate", "0.001") as server:
        caller = server.caller()
        assert caller.rpc("ping").status == 429
        assert int(caller.rpc("ping").headers["retry-after"]) > 900
        assert server.ready()
    with serve("--rate", "1") as server:
        caller = server.caller()
        assert [caller.rpc("ping").status for _ in range(2)] == [200, 200]
        until(lambda: caller.rpc("ping").status == 429)
