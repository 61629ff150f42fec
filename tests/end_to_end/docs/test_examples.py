"""The example programs, run as anyone would run them."""

import ast
import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPResponse
from pathlib import Path
from socket import SHUT_RDWR, SO_SNDBUF, SOL_SOCKET, create_connection, socketpair
from typing import Any

import pytest

from tests.end_to_end.git.git_repository import Repository
from tests.end_to_end.support.command_line import LAMELLA, CommandLine
from tests.end_to_end.support.forked import Command
from tests.end_to_end.support.sessions import Session
from tests.end_to_end.support.shell_session import Shell
from tests.unit.support.tables import cases, each_session
from tests.waiting import HANG_SECONDS
from tests.words_only import WORDS_ONLY

EXAMPLES = Path(__file__).parents[3] / "examples"
TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
JSON = {"Content-Type": "application/json"}
WANTED = 'Send up to 65536 bytes of application/json: {"text": "...", "title": "...", "source": ""}'
QUERY = "Give a query of 1 to 4000 characters."


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with one commit and a change."""
    return project_in(tmp_path)


def project_in(folder: Path) -> Path:
    repository = Repository.made(folder / "project")
    main = repository.write("main.c", "int a;\n")
    repository.commit()
    main.write_text("int a;\nint b;\n", encoding="utf-8")
    return repository.root


def environment(project: Path, **more: str) -> dict[str, str]:
    return {"PATH": "/usr/bin:/bin", "LAMELLA_DATA_DIR": str(project.parent / "data"), **WORDS_ONLY, **more}


def save(project: Path, session: str, *arguments: str) -> None:
    settings = environment(project, LAMELLA_SESSION=session)
    assert Command((LAMELLA, "save", *arguments), project, settings).run().code == 0


def digest(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(EXAMPLES / "digest.py"), *arguments]
    return subprocess.run(
        command, cwd=project, env=environment(project), capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("program", ["digest.py", "http_endpoint.py"])
def test_a_frontend_is_short_and_imports_nothing_but_the_front_door(program: str) -> None:
    text = (EXAMPLES / program).read_text("utf-8")
    modules = {node.module or "" for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)}
    others = {module for module in modules if module.partition(".")[0] not in sys.stdlib_module_names}
    assert (others, len(text.splitlines()) < 80) == ({"lamella"}, True)


def test_a_digest_has_the_decisions_notes_and_files_of_one_session(project: Path) -> None:
    save(project, "first", "An older note.")
    save(project, "second", "We listen on 8123. The proxy has 8080.", "--source", "decision", "--path", "main.c")
    save(project, "second", "--title", "--- A title", "--", "--- A note\nof two lines.")
    done = digest(project)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.sub(TIME, "TIME", done.stdout) == (
        "# Session second\n\n"
        "2 memories, TIME to TIME\n\n"
        "## Decisions\n\n- **We listen on 8123.** The proxy has 8080.\n\n"
        "## Notes\n\n- **--- A title** --- A note of two lines.\n\n"
        "## Files\n\n- `main.c` +1 -0\n"
    )
    assert digest(project, "first").stdout.endswith("## Notes\n\n- **An older note.**\n")


def test_a_digest_of_nothing_says_so(project: Path) -> None:
    done = digest(project, "unknown")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "Nothing was saved in this session.\n")
    (project.parent / "data").write_text("not a folder")
    done = digest(project)
    assert (done.returncode, done.stdout, "Traceback" in done.stderr) == (1, "", False)


class Endpoint:
    """The running endpoint."""

    def __init__(self, port: int) -> None:
        self.port = port

    def asked(self, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, Any]:
        """The status and the JSON of a reply."""
        given = {"Host": f"127.0.0.1:{self.port}", "Content-Length": len(body or b""), **headers}
        lines = [
            f"{method} {path} HTTP/1.1",
            *(f"{name.replace('_', '-')}: {each}" for name, each in given.items()),
        ]
        with create_connection(("127.0.0.1", self.port), HANG_SECONDS) as connection:
            # It may answer, and hang up, before it has read all.
            with suppress(BrokenPipeError, ConnectionResetError):
                connection.sendall("\r\n".join([*lines, "", ""]).encode() + (body or b""))
            reply = HTTPResponse(connection, method=method)
            reply.begin()
            assert reply.headers["Content-Type"] == "application/json"
            return reply.status, json.loads(reply.read())

    def save(self, body: object, type: str = "application/json") -> tuple[int, Any]:
        sent = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.asked("POST", "/memories", sent, Content_Type=type)


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Endpoint]:
    """One endpoint for all: no test minds what another one has saved."""
    project = project_in(tmp_path_factory.mktemp("endpoint"))
    command = [sys.executable, str(EXAMPLES / "http_endpoint.py"), "0"]
    with subprocess.Popen(
        command,
        cwd=project,
        env=environment(project),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        address = process.stdout.readline()
        assert address.startswith("http://127.0.0.1:")
        try:
            yield Endpoint(int(address.rpartition(":")[2]))
        finally:
            process.kill()


def test_what_is_posted_is_found(endpoint: Endpoint) -> None:
    status, saved = endpoint.save({"text": "The staging database is reset every night.", "source": "decision"})
    assert status == 201
    found = [{"id": saved["id"], "text": "The staging database is reset every night."}]
    assert endpoint.asked("GET", "/recall?query=staging+database") == (200, found)
    assert endpoint.asked("GET", "/recall?query=zebra") == (200, [])


@cases
def test_a_body_that_is_no_memory_is_refused(endpoint: Endpoint, body: object) -> None:
    assert endpoint.save(body) == (400, {"error": WANTED})


def test_what_is_not_allowed_is_answered_in_json(endpoint: Endpoint) -> None:
    assert endpoint.save({"text": "x"}, "text/plain") == (400, {"error": WANTED})
    assert endpoint.save({"text": " "}) == (400, {"error": "text must be something to remember, not blank."})
    assert endpoint.asked("GET", "/recall") == (400, {"error": QUERY})
    assert endpoint.asked("GET", f"/recall?query={'x' * 4001}") == (400, {"error": QUERY})
    assert endpoint.asked("GET", "/")[0] == 404
    assert endpoint.asked("GET", "/recall?query=x", Host="evil.example")[0] == 403
    assert endpoint.asked("DELETE", "/memories") == (501, {"error": "Unsupported method ('DELETE')"})


@each_session
def test_the_demo_in_other_checkouts(tmp_path: Path, session: Session) -> None:
    Shell(tmp_path).play(session)


def test_the_demo_fits_on_one_screen(tmp_path: Path) -> None:
    plain = CommandLine(tmp_path / "data", EXAMPLES.parent, {"COLUMNS": "80", "NO_COLOR": "1"})
    done = plain.on_terminal(module="examples.demo")
    assert (done.code, len(done.out.splitlines()) <= 60) == (0, True)
    assert done.out.splitlines()[-2:] == [f"{LAMELLA} setup", f"{LAMELLA} web"]


@pytest.mark.parametrize(("shown_at", "interrupts"), [("2", True), ("1", False), ("2", False)])
def test_an_interrupted_demo_leaves_nothing_behind(tmp_path: Path, shown_at: str, interrupts: bool) -> None:
    settings = environment(tmp_path, TMPDIR=str(tmp_path), HOME=str(tmp_path))
    command = [sys.executable, "-m", "examples.demo"]
    here, there = socketpair()
    # The buffer takes only a few lines, so the demo can't end before the test reads the rest.
    there.setsockopt(SOL_SOCKET, SO_SNDBUF, 1)
    demo = subprocess.Popen(
        command, cwd=EXAMPLES.parent, env=settings, stdout=there.fileno(), stderr=subprocess.PIPE
    )
    there.close()
    with here, here.makefile("rb") as shown, demo:
        assert any(each.startswith(f"== {shown_at}.".encode()) for each in shown)
        if interrupts:
            demo.send_signal(signal.SIGINT)
            shown.read()
        else:
            here.shutdown(SHUT_RDWR)
        assert demo.communicate(timeout=HANG_SECONDS)[1] == b""
    assert (demo.returncode, [*tmp_path.iterdir()]) == (130 if interrupts else 0, [])
