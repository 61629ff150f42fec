"""How a server on stdio ends, and where it may read and write: the fault table's rows 31 to 34."""

import json
import os
import pty
import select
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.end_to_end.wire import (
    DEADLINE_SECONDS,
    RawClient,
    call_line,
    closed_within,
    lives,
    peak_memory,
    until,
)

GONE_SECONDS = 1.0
"""The fault table's limit for a server whose client is done with it."""

ORPHAN_GONE_SECONDS = 5.0
"""The same for one whose parent was killed."""

MEMORY_LIMIT = 64 * 1024 * 1024

HERE = str(Path(__file__).parent)

STOP_SIGNALS = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]

STALLED_SECONDS = 1.0
"""How long a pipe takes nothing before the server counts as no longer reading it."""

PARENT = """
import json, subprocess, sys
sys.path.insert(0, sys.argv[3])
from wire import call_line
command, held = json.loads(sys.argv[1]), sys.argv[2] == "1"
server = subprocess.Popen(command, stdin=subprocess.PIPE)
holder = 0
if held:
    code = "import time; time.sleep(600)"
    nowhere = subprocess.DEVNULL
    holder = subprocess.Popen([sys.executable, "-c", code], stdout=nowhere, pass_fds=[server.stdin.fileno()]).pid
print(holder, flush=True)
server.stdin.write(call_line(1, "echo", text="up"))
server.stdin.flush()
server.wait()
"""


def writable(descriptor: int) -> bool:
    return bool(select.select([], [descriptor], [], 0)[1])


def read_line(descriptor: int) -> bytes:
    line = b""
    while not line.endswith(b"\n"):
        line += os.read(descriptor, 65536)
    return line


# The ways in which a session ends.


def test_calls_in_flight_are_answered_after_the_end_of_stdin(client: RawClient) -> None:
    for number in range(20):
        client.send_call(number, "sleep", seconds=0.1)
    client.stdin.close()
    assert client.exit_code_within(GONE_SECONDS) == 0
    answered = {message["id"]: message["result"]["content"][0]["text"] for message in client.rest()}
    assert answered == dict.fromkeys(range(20), "slept")


def test_a_call_that_outlasts_the_end_of_stdin_is_given_up(client: RawClient) -> None:
    client.send_call(1, "sleep", seconds=600)
    client.stdin.close()
    assert client.exit_code_within(GONE_SECONDS) == 0
    assert [(message["id"], "error" in message) for message in client.rest()] == [(1, True)]


def test_more_calls_than_may_be_in_flight_do_not_hide_the_end_of_stdin(client: RawClient) -> None:
    for number in range(100):
        client.send_call(number, "sleep", seconds=600)
    client.stdin.close()
    assert client.exit_code_within(GONE_SECONDS) == 0


def test_an_unfinished_last_line_is_answered(client: RawClient) -> None:
    client.send_bytes(call_line(1, "echo", text="last").rstrip())
    client.stdin.close()
    assert client.answer(1)["result"]["content"][0]["text"] == "last"
    assert client.exit_code_within(GONE_SECONDS) == 0


@pytest.mark.parametrize("number", STOP_SIGNALS)
def test_a_signal_ends_the_server_in_the_middle_of_its_calls(
    echo_command: list[str], tmp_path: Path, number: signal.Signals
) -> None:
    file = tmp_path / "cleaned"
    with RawClient([*echo_command, file]) as client:
        for request_id in range(20):
            client.send_call(request_id, "sleep", seconds=600)
        assert lives(client)
        client.process.send_signal(number)
        assert client.exit_code_within(GONE_SECONDS) == 0
        assert {message["id"] for message in client.rest()} == set(range(20))
    assert file.read_text() == "clean\n"


def test_a_clean_up_that_hangs_does_not_keep_the_server(echo_command: list[str], tmp_path: Path) -> None:
    with RawClient([*echo_command, tmp_path / "cleaned", "hang"]) as client:
        assert lives(client)
        client.process.terminate()
        assert client.exit_code_within(GONE_SECONDS) == 0


def test_a_closed_stdout_ends_the_server_quietly(echo_command: list[str]) -> None:
    with RawClient(echo_command, reads=False) as client:
        assert client.process.stdout is not None
        client.send_call(1, "echo")
        assert client.process.stdout.readline()
        client.process.stdout.close()
        client.send_call(2, "echo")
        assert client.exit_code_within(GONE_SECONDS) == 0
    assert client.errors == ""


@pytest.mark.parametrize("end", ["end of stdin", "SIGTERM"])
def test_a_client_that_never_reads_costs_little_memory_and_no_life(echo_command: list[str], end: str) -> None:
    with RawClient(echo_command, reads=False) as client:
        assert client.process.stdout is not None
        client.send_call(0, "echo")
        assert client.process.stdout.readline()
        before = peak_memory(client.process.pid)
        os.set_blocking(client.stdin.fileno(), False)
        # 100 KB an answer: unbounded, the first megabyte of requests alone would make half a gigabyte.
        requests = call_line(1, "repeat", text="x", times=100_000) * 200
        accepted = 0
        while until(lambda: writable(client.stdin.fileno()), STALLED_SECONDS):
            accepted += os.write(client.stdin.fileno(), requests[accepted % len(requests) :])
        assert accepted < 2 * 1024 * 1024
        assert peak_memory(client.process.pid) - before <= MEMORY_LIMIT
        if end == "SIGTERM":
            client.process.terminate()
        else:
            client.stdin.close()
        assert client.exit_code_within(GONE_SECONDS) == 0


@pytest.mark.parametrize("held", [True, False], ids=["stdin held by another process", "stdin closed"])
def test_a_server_whose_parent_is_killed_does_not_outlive_it(echo_command: list[str], held: bool) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, json.dumps(echo_command), str(int(held)), HERE], stdout=subprocess.PIPE
    )
    assert parent.stdout is not None
    with parent.stdout:
        holder = int(parent.stdout.readline())
        assert b'"text":"up"' in parent.stdout.readline()
        parent.kill()
        parent.wait()
        try:
            # The server alone still has the writing end of this pipe.
            assert closed_within(parent.stdout.fileno(), ORPHAN_GONE_SECONDS)
        finally:
            if holder:
                os.kill(holder, signal.SIGKILL)


# What the descriptors are, and who else writes to them.


def test_stray_prints_go_to_stderr(client: RawClient) -> None:
    assert client.text(1, "shout", text="stray") == "shouted"
    assert lives(client)
    assert until(lambda: "stray" in client.errors)


def test_requests_may_come_from_a_file_and_answers_go_into_one(echo_command: list[str], tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"".join(call_line(number, "echo", text="x") for number in range(200)))
    with (tmp_path / "in").open("rb") as requests, (tmp_path / "out").open("wb") as answers:
        done = subprocess.run(echo_command, stdin=requests, stdout=answers, timeout=DEADLINE_SECONDS, check=False)
    assert done.returncode == 0
    answered = [json.loads(line) for line in (tmp_path / "out").read_bytes().splitlines()]
    assert sorted(answer["id"] for answer in answered if "result" in answer) == list(range(200))


def test_no_stdin_at_all_ends_the_server(echo_command: list[str]) -> None:
    done = subprocess.run(
        echo_command, stdin=subprocess.DEVNULL, capture_output=True, timeout=DEADLINE_SECONDS, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_requests_may_be_typed_in_a_terminal(echo_command: list[str]) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(echo_command, stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL) as server:
        os.close(theirs)
        with os.fdopen(ours, "r+b", buffering=0) as terminal:
            terminal.write(call_line(1, "echo", text="typed"))
            typed = answer = b""
            while b'"result"' not in answer:
                answer = read_line(terminal.fileno())
                typed = typed or answer
            assert json.loads(answer)["result"]["content"][0]["text"] == "typed"
            terminal.write(b"\x04")
            assert server.wait(DEADLINE_SECONDS) == 0


def test_one_socket_may_serve_both_directions(echo_command: list[str]) -> None:
    ours, theirs = socket.socketpair()
    with ours, subprocess.Popen(echo_command, stdin=theirs.fileno(), stdout=theirs.fileno()) as server:
        theirs.close()
        for number in range(3):
            ours.sendall(call_line(number, "repeat", text="x", times=300_000))
            assert json.loads(read_line(ours.fileno()))["id"] == number
        ours.shutdown(socket.SHUT_WR)
        assert server.wait(GONE_SECONDS) == 0
