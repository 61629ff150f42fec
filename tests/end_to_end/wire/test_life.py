"""The end of a server on stdio, and its descriptors: the fault table's rows 31 to 34."""

import json
import os
import pty
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from lamella_adapters.mcp.transport import connection, stdio
from tests.end_to_end.support.forked import Run
from tests.end_to_end.support.raw_client import RawClient, call_line, lives, peak_memory, wait_until_closed
from tests.end_to_end.wire.echo import echo
from tests.waiting import HANG_SECONDS, until

MEMORY_LIMIT = 64 * 1024 * 1024

ROOT = str(Path(__file__).parents[3])

STOP_SIGNALS = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]

UNHURRIED = ["--last-resort", str(10 * HANG_SECONDS)]
"""The server ends by what it does itself, however long that takes."""

PATIENT = [*UNHURRIED, "--drain", str(10 * HANG_SECONDS)]
"""And it waits for calls in flight until they have ended."""

PARENT = """
import json, subprocess, sys
sys.path.insert(0, sys.argv[3])
from tests.end_to_end.support.raw_client import call_line
command, held = json.loads(sys.argv[1]), sys.argv[2] == "1"
server = subprocess.Popen(command, stdin=subprocess.PIPE)
holder = 0
if held:
    code = "import time; time.sleep(86400)"
    nowhere = subprocess.DEVNULL
    holder = subprocess.Popen([sys.executable, "-c", code], stdout=nowhere, pass_fds=[server.stdin.fileno()]).pid
print(holder, flush=True)
server.stdin.write(call_line(1, "echo", text="up"))
server.stdin.flush()
server.wait()
"""


def lines(descriptor: int) -> Iterator[bytes]:
    """Yield what comes from a descriptor, line by line, however much of it comes at once."""
    rest = b""
    while True:
        while b"\n" not in rest:
            assert select.select([descriptor], [], [], HANG_SECONDS)[0]
            piece = os.read(descriptor, 65536)
            assert piece
            rest += piece
        line, _, rest = rest.partition(b"\n")
        yield line


@contextmanager
def running(descriptor: int) -> Iterator[Run]:
    """Run a server that reads from and writes to one descriptor, at the latest until the block ends."""
    process = echo().start([descriptor, descriptor, 2])
    os.close(descriptor)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGKILL)


# The ways in which a session ends.


def test_the_limits_are_those_of_the_fault_table() -> None:
    """The server is gone a second after its client is done, and five seconds after its parent was killed."""
    assert connection.DRAIN_SECONDS < stdio.LAST_RESORT_SECONDS < 1
    assert stdio.PARENT_CHECK_SECONDS + stdio.LAST_RESORT_SECONDS < 5


def test_running_calls_and_an_unterminated_line_are_answered_after_stdin_ends(tmp_path: Path) -> None:
    with RawClient(echo(*PATIENT)) as client:
        for number in range(20):
            client.send_call(number, "wait", folder=str(tmp_path))
        client.send_bytes(call_line("last", "echo", text="last").rstrip())
        until(lambda: len(list(tmp_path.glob("begun-*"))) == 20)
        client.stdin.close()
        # An unfinished line becomes one when the stream has ended.
        assert client.answer("last")["result"]["content"][0]["text"] == "last"
        assert client.process.poll() is None
        (tmp_path / "go").touch()
        assert client.exit_code() == 0
        answered = {message["id"]: message["result"]["content"][0]["text"] for message in client.rest()}
    assert answered == dict.fromkeys(range(20), "waited")


def test_a_call_that_outlasts_the_end_of_stdin_is_given_up(tmp_path: Path) -> None:
    with RawClient(echo(*UNHURRIED)) as client:
        client.send_call(1, "wait", folder=str(tmp_path))
        until(lambda: list(tmp_path.iterdir()))
        client.stdin.close()
        assert client.exit_code() == 0
        assert [(message["id"], "error" in message) for message in client.rest()] == [(1, True)]


def test_more_calls_than_may_be_in_flight_do_not_hide_the_end_of_stdin(tmp_path: Path) -> None:
    with RawClient(echo()) as client:
        for number in range(100):
            client.send_call(number, "wait", folder=str(tmp_path))
        client.stdin.close()
        assert client.exit_code() == 0


@pytest.mark.parametrize("number", STOP_SIGNALS)
def test_a_signal_ends_the_server_in_the_middle_of_its_calls(tmp_path: Path, number: signal.Signals) -> None:
    file, folder = tmp_path / "cleaned", tmp_path / "calls"
    folder.mkdir()
    with RawClient(echo(*UNHURRIED, "--cleaned", file)) as client:
        for request_id in range(20):
            client.send_call(request_id, "wait", folder=str(folder))
        until(lambda: len(list(folder.iterdir())) == 20)
        client.process.send_signal(number)
        assert client.exit_code() == 0
        assert {message["id"] for message in client.rest()} == set(range(20))
    assert file.read_text() == "clean\n"


def test_a_clean_up_that_hangs_does_not_keep_the_server(tmp_path: Path) -> None:
    with RawClient(echo("--hang", "--cleaned", tmp_path / "cleaned")) as client:
        assert lives(client)
        client.process.terminate()
        assert client.exit_code() == 0


def test_a_closed_stdout_ends_the_server_quietly() -> None:
    with RawClient(echo(), reads=False) as client:
        assert client.process.stdout is not None
        client.send_call(1, "echo")
        assert client.process.stdout.readline()
        client.process.stdout.close()
        client.send_call(2, "echo")
        assert client.exit_code() == 0
    assert client.errors == ""


def idle(pid: int) -> bool:
    """Return True if no thread of a process has anything to do, seen several times in a row."""
    tasks = Path(f"/proc/{pid}/task")
    if not tasks.exists():
        time.sleep(1)
        return True
    for _ in range(20):
        for task in tasks.iterdir():
            with suppress(FileNotFoundError, ProcessLookupError):
                if (task / "stat").read_text().rpartition(")")[2].split()[0] != "S":
                    return False
    return True


@pytest.mark.parametrize("end", ["end of stdin", "SIGTERM"])
def test_a_client_that_never_reads_costs_little_memory_and_no_life(end: str) -> None:
    with RawClient(echo(), reads=False) as client:
        assert client.process.stdout is not None
        client.send_call(0, "echo")
        assert client.process.stdout.readline()
        before = peak_memory(client.process.pid)
        stdin = client.stdin.fileno()
        os.set_blocking(stdin, False)
        # 100 KB an answer: unbounded, the first megabyte of requests alone would make half a gigabyte.
        requests = call_line(1, "repeat", text="x", times=100_000) * 200
        accepted = 0

        def stalled() -> bool:
            """The pipe is full, and the server, with nothing else to do, leaves it full."""
            nonlocal accepted
            while select.select([], [stdin], [], 0)[1]:
                accepted += os.write(stdin, requests[accepted % len(requests) :])
                assert accepted < 2 * 1024 * 1024
            return idle(client.process.pid) and not select.select([], [stdin], [], 0)[1]

        until(stalled)
        assert peak_memory(client.process.pid) - before <= MEMORY_LIMIT
        if end == "SIGTERM":
            client.process.terminate()
        else:
            client.stdin.close()
        assert client.exit_code() == 0


@pytest.mark.parametrize("held", [True, False], ids=["stdin held by another process", "stdin closed"])
def test_a_server_whose_parent_is_killed_does_not_outlive_it(echo_command: list[str], held: bool) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, json.dumps(echo_command), str(int(held)), ROOT], stdout=subprocess.PIPE
    )
    assert parent.stdout is not None
    with parent.stdout:
        printed = lines(parent.stdout.fileno())
        holder = int(next(printed))
        try:
            assert b'"text":"up"' in next(printed)
            parent.kill()
            parent.wait()
            # The server alone still has the writing end of this pipe; the holder has that of its stdin.
            wait_until_closed(parent.stdout.fileno())
        finally:
            parent.kill()
            parent.wait()
            if holder:
                os.kill(holder, signal.SIGKILL)


# What the descriptors are, and who else writes to them.


def test_stray_prints_go_to_stderr() -> None:
    with RawClient(echo()) as client:
        assert client.text(1, "shout", text="stray") == "shouted"
        assert lives(client)
        until(lambda: "stray" in client.errors)


def test_requests_may_come_from_a_file_and_answers_go_into_one(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"".join(call_line(number, "echo", text="x") for number in range(200)))
    with (tmp_path / "in").open("rb") as requests, (tmp_path / "out").open("wb") as answers:
        done = echo(*PATIENT).start([requests.fileno(), answers.fileno(), 2])
        assert done.code == 0
    answered = [json.loads(line) for line in (tmp_path / "out").read_bytes().splitlines()]
    assert sorted(answer["id"] for answer in answered if "result" in answer) == list(range(200))


def test_no_stdin_at_all_ends_the_server(echo_command: list[str]) -> None:
    done = subprocess.run(
        echo_command, stdin=subprocess.DEVNULL, capture_output=True, timeout=HANG_SECONDS, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_requests_may_be_typed_in_a_terminal() -> None:
    ours, theirs = pty.openpty()
    with os.fdopen(ours, "wb", buffering=0) as terminal, running(theirs) as server:
        shown = lines(ours)
        terminal.write(call_line(1, "echo", text="typed"))
        # First what was typed, as every terminal shows it.
        assert json.loads(next(shown))["method"] == "tools/call"
        assert json.loads(next(shown))["result"]["content"][0]["text"] == "typed"
        terminal.write(b"\x04")
        assert server.code == 0


def test_one_socket_may_serve_both_directions() -> None:
    ours, theirs = socket.socketpair()
    with ours, running(theirs.detach()) as server:
        answers = lines(ours.fileno())
        for number in range(3):
            ours.sendall(call_line(number, "repeat", text="x", times=300_000))
            assert json.loads(next(answers))["id"] == number
        ours.shutdown(socket.SHUT_WR)
        assert server.code == 0
