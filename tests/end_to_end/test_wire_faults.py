"""What the stdio transport makes of bad bytes and failing handlers: the fault table's rows 20 to 28 and 35."""

import json
from typing import Literal

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp_types import TextContent

from tests.end_to_end.wire import (
    ENVELOPE,
    RawClient,
    call_line,
    lives,
    peak_memory,
    until,
)

MEMORY_LIMIT = 64 * 1024 * 1024

FAILURE_TEXT = (
    "Something went wrong inside the memory server; it is still running. Try again, or run: lamella doctor"
)

# Rows 20 to 23: text that no parser or encoder accepts.


@pytest.mark.parametrize(
    ("sent", "echoed"),
    [
        (rb"a\ud800b", "a\ufffdb"),
        (rb"a\udc00\ud800b", "a\ufffd\ufffdb"),
        (rb"a\ud83d\ude00b", "a\U0001f600b"),
        (rb"a\u0000b\u001fc", "a\0b\x1fc"),
        (b"a\xff\xfeb", "a\ufffd\ufffdb"),
        (b"a\xed\xa0\x80b", "a\ufffd\ufffd\ufffdb"),
    ],
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


@pytest.mark.parametrize(
    ("line", "request_id"),
    [
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"a":tru}}', 1),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/ca', 1),
        (b'{"jsonrpc":"2.0","method":"tools/call","params":{"a":tru},"id":1}', 1),
        (b'{"jsonrpc":"1.0","id":1,"method":"tools/list"}', 1),
        (b'{"jsonrpc":"2.0","id":"x","method":"tools/list","params":[]}', "x"),
        (b'{"jsonrpc":"2.0","id":1}', 1),
        (
            b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"a":'
            + b"[" * 100_000
            + b"]" * 100_000
            + b"}}",
            1,
        ),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/list","params":' + b'{"a":' * 100_000, 1),
        (b'{"jsonrpc":"2.0","id":1,"method":"no/such/method","params":{}}', 1),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":NaN}}', 1),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}', None),
        (b'{"jsonrpc":"2.0","id":null,"method":"tools/list"}', None),
        (b'[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]', None),
        (b"5", None),
        (b"garbage", None),
        (b"\x00", None),
        (b"\xff\xfe\x00", None),
    ],
)
def test_a_line_that_is_no_request_is_answered(client: RawClient, line: bytes, request_id: object) -> None:
    client.send_bytes(line + b"\n")
    reply = client.next_message()
    assert reply["id"] == request_id
    assert reply["error"]["message"]
    assert lives(client)


def test_infinite_numbers_reach_the_tool(client: RawClient) -> None:
    answer = client.call(1, "echo", text=float("nan"))
    assert answer["result"]["isError"]
    assert lives(client)


@pytest.mark.parametrize("id_first", [True, False], ids=["id first", "id last"])
def test_a_line_of_50_megabytes_is_refused_at_little_cost(client: RawClient, id_first: bool) -> None:
    before = peak_memory(client.process.pid)
    ends = (b'{"jsonrpc":"2.0",', b'"method":"tools/call","params":{"text":"', b'"}', b"}\n")
    client.send_bytes(ends[0] + (b'"id":1,' if id_first else b"") + ends[1])
    for _ in range(50):
        client.send_bytes(b"x\\n\\u0041" * 125_000)
    client.send_bytes(ends[2] + (b"" if id_first else b',"id":1') + ends[3])
    reply = client.answer(1)
    assert "4,194,304 bytes, the limit" in reply["error"]["message"]
    assert lives(client)
    assert peak_memory(client.process.pid) - before <= MEMORY_LIMIT


def test_text_under_the_limit_comes_back_whole_and_a_longer_one_names_the_limit(client: RawClient) -> None:
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


@pytest.mark.parametrize("how", ["raise", "exit", "interrupt"])
def test_a_failing_handler_fails_its_call_only(client: RawClient, how: str) -> None:
    assert client.call(1, "fail", how=how)["result"] == {
        "content": [{"type": "text", "text": FAILURE_TEXT}],
        "isError": True,
        "resultType": "complete",
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "echo", "version": "1"}},
    }
    assert lives(client)
    assert until(lambda: "Traceback (most recent call last)" in client.errors)


def test_at_most_32_calls_are_handled_at_once(client: RawClient) -> None:
    for number in range(100):
        client.send_call(number, "sleep", seconds=0.1)
    assert all(client.answer(number)["result"] for number in range(100))
    assert int(client.text("most", "most_sleepers")) <= 32


def cancellation(number: int) -> bytes:
    cancelled = {"requestId": number, "_meta": ENVELOPE}
    message = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled}
    return json.dumps(message).encode() + b"\n"


def test_cancelled_calls_make_room_for_others(client: RawClient) -> None:
    for number in range(64):
        client.send_call(number, "sleep", seconds=600)
        client.send_bytes(cancellation(number))
    assert lives(client)


def test_a_call_that_is_taken_back_at_once_is_not_begun(client: RawClient) -> None:
    client.send_bytes(
        b"".join(call_line(number, "sleep", seconds=600) + cancellation(number) for number in range(300))
    )
    assert client.text("most", "most_sleepers") == "0"


# Both eras of the protocol, with the SDK's client.


@pytest.mark.parametrize(("mode", "version"), [("legacy", "2025-11-25"), ("auto", "2026-07-28")])
def test_the_sdk_client_speaks_either_era(
    echo_command: list[str], mode: Literal["legacy", "auto"], version: str
) -> None:
    async def session() -> tuple[str, list[str], str]:
        async with Client(
            StdioServerParameters(command=echo_command[0], args=echo_command[1:]), mode=mode
        ) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            result = await client.call_tool("echo", {"text": "hello"})
            content = result.content[0]
            assert isinstance(content, TextContent)
            return client.protocol_version, tools, content.text

    assert anyio.run(session) == (
        version,
        ["echo", "sleep", "most_sleepers", "fail", "surrogates", "shout", "repeat"],
        "hello",
    )
