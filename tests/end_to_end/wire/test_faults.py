"""Bad bytes and failing handlers on stdio: the fault table's rows 20 to 28 and 35."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end_to_end.support.raw_client import ENVELOPE, RawClient, call_line, lives, peak_memory
from tests.end_to_end.wire.echo import echo
from tests.unit.support.tables import cases
from tests.waiting import until

MEMORY_LIMIT = 64 * 1024 * 1024
MOST_AT_ONCE = 32
PIPE_BYTES = 64 * 1024
"""Bytes that fit into a pipe, and that the server reads at once."""

FAILURE_TEXT = (
    "Something went wrong inside the memory server; it is still running. Try again, or run: lamella doctor"
)


@pytest.fixture(scope="module")
def client() -> Iterator[RawClient]:
    """A server that answers as if nothing had happened after each of these tests."""
    with RawClient(echo()) as raw:
        # The first message settles the era of the protocol, and that of some tests is of none.
        assert lives(raw)
        yield raw


# Rows 20 to 23: text that no parser or encoder accepts.


@pytest.mark.parametrize(
    ("sent", "echoed"), [(rb"a\ud800b", "a\ufffdb"), (b"a\xed\xa0\x80b", "a\ufffd\ufffd\ufffdb")]
)
def test_unacceptable_text_is_replaced_and_answered(client: RawClient, sent: bytes, echoed: str) -> None:
    client.send_bytes(call_line(1, "echo", text="HERE").replace(b"HERE", sent))
    assert client.answer(1)["result"]["content"][0]["text"] == echoed
    assert lives(client)


@pytest.mark.parametrize("raw", [b"\x00", b"\x01", b"\x1b", b"\t"])
def test_raw_control_characters_are_refused_for_their_id(client: RawClient, raw: bytes) -> None:
    client.send_bytes(call_line(1, "echo", text="HERE").replace(b"HERE", raw))
    assert client.answer(1)["error"]["code"] == -32700
    assert lives(client)


def test_a_lone_surrogate_in_a_result_does_not_silence_the_server(client: RawClient) -> None:
    assert client.text(1, "surrogates") == "before \ufffd after"
    assert lives(client)


# Rows 24 to 28: lines that are no message, and far too much of everything.


@cases
def test_a_line_that_is_no_request_is_answered(client: RawClient, line: bytes, request_id: object) -> None:
    client.send_bytes(line + b"\n")
    reply = client.next_message()
    assert reply["id"] == request_id
    assert reply["error"]["message"]
    assert lives(client)


def test_a_line_of_50_megabytes_is_refused_at_little_cost() -> None:
    with RawClient(echo()) as client:
        assert lives(client)
        before = peak_memory(client.process.pid)
        ends = (b'{"jsonrpc":"2.0",', b'"method":"tools/call","params":{"text":"', b'"}', b"}\n")
        for request_id, first, last in (
            ("id first", b'"id":"id first",', b""),
            ("id last", b"", b',"id":"id last"'),
        ):
            client.send_bytes(ends[0] + first + ends[1])
            for _ in range(50):
                client.send_bytes(b"x\\n\\u0041" * 125_000)
            client.send_bytes(ends[2] + last + ends[3])
            assert "4,194,304 bytes, the limit" in client.answer(request_id)["error"]["message"]
            assert lives(client)
            assert peak_memory(client.process.pid) - before <= MEMORY_LIMIT


def test_text_under_the_limit_comes_back_whole_and_a_longer_one_names_the_limit() -> None:
    with RawClient(echo()) as client:
        assert lives(client)
        before = peak_memory(client.process.pid)
        text = "é" * 1_500_000
        client.send_bytes(call_line(1, "echo", text="HERE").replace(b"HERE", text.encode()))
        assert client.answer(1)["result"]["content"][0]["text"] == text
        assert "the limit" in client.call(2, "echo", text="x" * 10_000_000)["error"]["message"]
        assert "the limit" in client.call(3, "echo", text=list(range(1_000_000)))["error"]["message"]
        assert lives(client)
        assert peak_memory(client.process.pid) - before <= MEMORY_LIMIT


def test_a_flood_of_garbage_is_answered_line_by_line(client: RawClient) -> None:
    client.send_bytes(b"x\n" * 5_000)
    assert [client.next_message()["id"] for _ in range(5_000)] == [None] * 5_000
    assert lives(client)


# Row 35: handlers that fail.


@cases
def test_a_failing_handler_fails_its_call_only(client: RawClient, how: str, logged: str) -> None:
    before = client.errors.count(logged)
    assert client.call(1, "fail", how=how)["result"] == {
        "content": [{"type": "text", "text": FAILURE_TEXT}],
        "isError": True,
        "resultType": "complete",
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "echo", "version": "1"}},
    }
    assert lives(client)
    until(lambda: client.errors.count(logged) > before)
    assert "Traceback (most recent call last)" in client.errors


def test_at_most_32_calls_are_handled_at_once(client: RawClient, tmp_path: Path) -> None:
    for number in range(100):
        client.send_call(number, "wait", folder=str(tmp_path))
    until(lambda: len(list(tmp_path.glob("begun-*"))) >= MOST_AT_ONCE)
    (tmp_path / "go").touch()
    assert all(client.answer(number)["result"] for number in range(100))
    assert int(client.text("most", "most_at_once", folder=str(tmp_path))) == MOST_AT_ONCE


def cancellation(request_id: str) -> bytes:
    cancelled = {"requestId": request_id, "_meta": ENVELOPE}
    message = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled}
    return json.dumps(message).encode() + b"\n"


def test_cancelled_calls_make_room_for_others(client: RawClient, tmp_path: Path) -> None:
    for number in range(2 * MOST_AT_ONCE):
        client.send_call(f"cancelled {number}", "wait", folder=str(tmp_path))
        client.send_bytes(cancellation(f"cancelled {number}"))
    assert lives(client)
    (tmp_path / "go").touch()


def test_a_call_that_is_taken_back_at_once_is_not_begun(client: RawClient, tmp_path: Path) -> None:
    pairs = [
        call_line(f"taken {number}", "wait", folder=str(tmp_path)) + cancellation(f"taken {number}")
        for number in range(3 * MOST_AT_ONCE)
    ]
    # Written and read in one piece, so that no call comes without what takes it back.
    line = b"".join(pairs)
    assert len(line) <= PIPE_BYTES
    assert os.write(client.stdin.fileno(), line) == len(line)
    assert client.text("most", "most_at_once", folder=str(tmp_path)) == "0"
    assert list(tmp_path.iterdir()) == []
