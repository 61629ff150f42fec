"""Start, watching and end of the server."""

import json
import os
import re
import signal
import ssl
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event, Thread

import pytest

from lamella_adapters.sqlite.search.search import SQL
from tests.end_to_end.http.conftest import Serving
from tests.end_to_end.http.test_calls import token
from tests.end_to_end.support.command_line import CommandLine
from tests.end_to_end.support.http_server import Caller, HttpServer
from tests.unit.support.tables import cases
from tests.waiting import HANG_SECONDS, until

EVERYWHERE = "0.0.0.0"  # noqa: S104 - that is refused, or safe
URL = ("--url", "https://memory.example.com/mcp")


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Return the files of a certificate for 127.0.0.1, and of its key."""
    folder = tmp_path_factory.mktemp("certificate")
    files = (str(folder / "certificate.pem"), str(folder / "key.pem"))
    names = ("-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1")
    made = ("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    subprocess.run([*made, "-out", files[0], "-keyout", files[1], *names], check=True, capture_output=True)
    return files


@cases
def test_what_is_not_safe_is_not_started(home: CommandLine, options: tuple[str, ...], sentence: str) -> None:
    refused = home.run("serve", "--http", *options)
    assert (refused.code, refused.out, sentence in refused.err.replace("\n  ", " ")) == (1, "", True), refused.err


@cases
def test_with_tokens_it_takes_tls_and_a_name(home: CommandLine, options: tuple[str, ...], sentence: str) -> None:
    token(home)
    refused = home.run("serve", "--http", *options)
    assert (refused.code, sentence in refused.err.replace("\n  ", " ")) == (1, True), refused.err


def test_a_port_that_is_taken_is_named(home: CommandLine, open_server: HttpServer) -> None:
    refused = home.run("serve", "--http", "--port", str(open_server.port))
    assert (refused.code, f"Port {open_server.port} of 127.0.0.1 can't be used." in refused.err) == (1, True)


def test_behind_a_proxy_it_is_known_by_the_name_of_the_proxy(serve: Serving, home: CommandLine) -> None:
    secret = token(home)
    with serve("--behind-proxy", *URL) as server:
        caller = server.caller(token=secret, host="memory.example.com", x_forwarded_for="203.0.113.9")
        assert caller.rpc("ping").status == 200
        assert server.caller(token=secret).rpc("ping").status == 421
        assert server.caller(host="memory.example.com").rpc("ping").status == 401
        assert server.ready()


def test_it_speaks_tls(serve: Serving, home: CommandLine, certificate: tuple[str, str]) -> None:
    secret = token(home)
    files = ("--certificate", certificate[0], "--key", certificate[1])
    with serve("--address", EVERYWHERE, *URL, *files) as server:
        trusting = ssl.create_default_context(cafile=certificate[0])
        caller = server.caller(token=secret, host="memory.example.com")
        caller.tls = trusting
        assert caller.rpc("ping").status == 200
        assert server.raw(b"POST /mcp HTTP/1.1\r\n\r\n") == b""


def test_a_broken_certificate_is_told(home: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "a.pem").write_text("nonsense")
    refused = home.run(
        "serve", "--http", "--certificate", str(tmp_path / "a.pem"), "--key", str(tmp_path / "a.pem")
    )
    assert (refused.code, refused.err.startswith("The certificate and its key can't be used.")) == (1, True)


def test_operators_see_what_happens(serve: Serving, home: CommandLine) -> None:
    watching, plain = token(home, "--metrics"), token(home)
    with serve() as server:
        caller = server.caller("secret-project", token=plain)
        caller.call("save_memory", text="A zebra of the zoo.")
        caller.call("recall", query="unheard of")
        server.caller(host="evil.example").rpc("ping")
        assert caller.ask("GET", "/healthz").content == b"ok\n"
        assert caller.ask("GET", "/metrics").status == 403
        assert server.caller().ask("GET", "/metrics").status == 401
        assert server.caller(token=watching).rpc("ping").status == 403
        shown = server.caller(token=watching).ask("GET", "/metrics")
        assert shown.headers["content-type"].startswith("text/plain")
        metrics = dict(re.findall(r"^(\S+) (\S+)$", shown.content.decode(), re.MULTILINE))
        assert metrics['lamella_tool_calls_total{outcome="success",tool="save_memory"}'] == "1.0"
        assert metrics['lamella_tool_calls_total{outcome="empty",tool="recall"}'] == "1.0"
        assert metrics['lamella_tenant_calls_total{outcome="success",tenant="default"}'] == "1.0"
        assert metrics['lamella_http_refusals_total{reason="host"}'] == "1.0"
        code, logged = server.end()
    assert code == 0
    calls = [each for each in logged if each.get("tool")]
    assert [(each["caller"].split()[0], each["tool"], each["outcome"], each.get("error")) for each in calls] == [
        ("laptop", "save_memory", "success", None),
        ("laptop", "recall", "empty", "NothingFoundError"),
    ]
    assert {"host": "warning", None: "info"}.items() <= {
        each.get("refused"): each["level"] for each in logged
    }.items()
    written = json.dumps(logged)
    for text in ("zebra", "unheard", watching, plain):
        assert text not in written


def test_it_ends_by_itself_when_told_twice_and_fails_no_request(serve: Serving) -> None:
    with serve("--drain", "300") as first, serve("--drain", "300") as second:
        servers, failed, answered, ended = [first, second], list[str](), list[int](), Event()

        def ask(number: int) -> None:
            callers = {each.port: Caller(each.port, {"lamella-project": "project"}) for each in servers}
            while not ended.is_set():
                chosen = next(each for each in servers[number % 2 :] + servers if each not in drained)
                try:
                    answer = callers[chosen.port].call("save_memory", text=f"Memory {number} {len(answered)}.")
                    answered.append(answer.status)
                    if answer.status != 200 or answer.failed:
                        failed.append(str(answer))
                except OSError as error:
                    failed.append(repr(error))
            for each in callers.values():
                each.close()

        drained: list[HttpServer] = []
        threads = [Thread(target=ask, args=[number]) for number in range(6)]
        for each in threads:
            each.start()
        until(lambda: len(answered) > 100)
        first.process.send_signal(signal.SIGTERM)
        until(lambda: not first.ready())
        before = len(answered)
        until(lambda: len(answered) > before + 20)
        drained.append(first)
        count = len(answered)
        until(lambda: len(answered) > count + 100)
        assert first.end(signal.SIGTERM)[0] == 0
        ended.set()
        for each in threads:
            each.join()
        assert failed == []


def test_ctrl_c_ends_it_at_once(serve: Serving) -> None:
    with serve("--drain", "300") as server:
        code, logged = server.end(signal.SIGINT)
        assert (code, [each["event"] for each in logged]) == (0, ["serving", "ended"])


def test_sigterm_ends_a_server_while_a_search_goes_on_and_its_caller_is_told(serve: Serving) -> None:
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT count(*) FROM n"
    limits = {
        "sqlite.search.search.SQL": {**SQL, "any_captured": endless},
        "sqlite.file.connection.BUSY_SECONDS": 1.0,
        "sqlite.file.database._LEAST_READ_SECONDS": 1.0,
    }
    with serve("--drain", "0.1", limits=limits) as server, ThreadPoolExecutor(1) as thread:
        server.caller().call("save_memory", text="zebra")
        searching = thread.submit(server.caller().call, "recall", query="zebra")
        asking = server.caller()
        until(lambda: searching.done() or b"under_way 2.0" in asking.ask("GET", "/metrics").content)
        code, _ = server.end(signal.SIGTERM)
        told = searching.result(HANG_SECONDS).text
    assert (code, told.partition(";")[0]) == (0, "The call took too long and was stopped")


def test_workers_share_a_port_and_one_that_is_killed_is_replaced(serve: Serving) -> None:
    with serve("--workers", "2", "--drain", "0") as server:
        server.caller().call("save_memory", text="A zebra of the zoo.")
        children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")

        def seen() -> list[str]:
            """Return the workers with metrics."""
            with closing(Caller(server.port)) as asking:
                shown = asking.ask("GET", "/metrics").content.decode()
            assert shown.count("# TYPE lamella_ready gauge") == 1
            return re.findall(r'^lamella_ready\{worker="(\d)"\}', shown, re.MULTILINE)

        until(lambda: seen() == ["0", "1"])
        before = {*children.read_text().split()}
        os.kill(int(min(before)), signal.SIGKILL)
        until(lambda: len({*children.read_text().split()} - before) == 1)
        assert "zebra" in server.caller().call("recall", query="zebra").text
        until(lambda: seen() == ["0", "1"])
        code, logged = server.end(signal.SIGTERM)
    assert (code, [each["event"] for each in logged].count("ended")) == (0, 2)


def test_what_keeps_workers_from_their_work_is_told_once(home: CommandLine) -> None:
    refused = home.run("serve", "--http", "--workers", "3", "--port", "0", "--behind-proxy")
    assert (refused.code, refused.err.count("could read all memories")) == (1, 1)


def test_workers_end_with_their_parent(serve: Serving) -> None:
    with serve("--workers", "2", "--drain", "0") as server:
        server.process.kill()
    with pytest.raises(ConnectionRefusedError):
        server.caller().rpc("ping")
