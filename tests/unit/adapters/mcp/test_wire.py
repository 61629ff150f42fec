"""The wire format of the stdio transport, without a process."""

import json
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types import JSONRPCNotification, JSONRPCRequest, JSONRPCResponse  # noqa: F401 - for the table

from lamella_adapters.mcp.transport.request_id import KEPT_BYTES, find_id, is_request_id, mend
from lamella_adapters.mcp.transport.wire import LINE_LIMIT, LineSplitter, Refusal, decode, encode
from tests.unit.support.tables import cases

ANY_TEXT = st.text(st.characters(exclude_categories=()))  # lone surrogates too
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
KEYS = st.sampled_from(["jsonrpc", "id", "method", "params", "result", "error"])
MESSAGES = st.dictionaries(KEYS | st.text(), JSON, max_size=6)
JSON_LIKE = st.lists(
    st.sampled_from([b'"id"', b":", b",", b"{", b"}", b"[", b"]", b'"', b"\\", b"7", b'"a"', b"\\ud800", b"\xff"]),
    max_size=30,
).map(b"".join)


def refusal(line: bytes) -> tuple[object, int, str]:
    answer = decode(line)
    assert isinstance(answer, Refusal)
    return answer.reply.id, answer.reply.error.code, answer.reply.error.message


def without_surrogates(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@given(st.binary() | JSON_LIKE | MESSAGES.map(lambda message: json.dumps(message).encode()))
def test_any_line_is_a_message_or_is_refused_in_valid_json(line: bytes) -> None:
    answer = decode(line)
    if isinstance(answer, Refusal):
        reply = json.loads(encode(answer.reply))
        assert reply["jsonrpc"] == "2.0"
        assert reply["id"] is None or is_request_id(reply["id"])
        assert reply["error"]["message"]
    elif answer is not None:
        assert json.loads(encode(answer))["jsonrpc"] == "2.0"


TEXT = b'{"text":"%b"}' % (b"x" * KEPT_BYTES)


@cases
def test_an_id_is_found_where_clients_put_it(line: bytes, expected: object) -> None:
    assert find_id(line[:KEPT_BYTES], line[-KEPT_BYTES:]) == expected


@given(ANY_TEXT)
def test_lone_surrogate_escapes_are_replaced_and_pairs_are_kept(text: str) -> None:
    assert json.loads(mend(json.dumps(text).encode())) == without_surrogates(text)


@cases
def test_mending_touches_nothing_but_damage(line: bytes, mended: bytes) -> None:
    assert mend(line) == mended


@cases
def test_a_line_that_is_no_message_is_refused_by_name(
    line: bytes, request_id: object, code: int, says: str
) -> None:
    answered, with_code, text = refusal(line)
    assert (answered, with_code) == (request_id, code)
    assert says in text


@cases
def test_blank_lines_and_broken_responses_are_not_answered(line: bytes) -> None:
    assert decode(line) is None


request = partial(JSONRPCRequest, jsonrpc="2.0", id=1, method="x")


@cases
def test_messages_are_told_apart_by_their_members(line: bytes, message: object) -> None:
    assert decode(line) == message


@given(ANY_TEXT, st.floats())
def test_whatever_a_result_holds_its_line_is_valid_json(text: str, number: float) -> None:
    result = {"text": text, text: number}
    line = encode(JSONRPCResponse(jsonrpc="2.0", id=1, result=result))
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert without_surrogates(text) in json.loads(line, parse_constant=pytest.fail)["result"]


def test_a_result_that_cannot_be_written_becomes_an_error_for_its_id() -> None:
    endless: dict[str, Any] = {}
    endless["self"] = endless
    for result in ({"thing": object()}, {"\ud800": object()}, endless):
        reply = json.loads(encode(JSONRPCResponse(jsonrpc="2.0", id="a", result=result)))
        assert (reply["id"], reply["error"]["code"]) == ("a", -32603)


@given(st.binary(), st.integers(1, 20))
def test_lines_come_out_as_they_went_in_however_they_are_cut(data: bytes, size: int) -> None:
    splitter = LineSplitter()
    lines = [line for at in range(0, len(data), size) for line in splitter.feed(data[at : at + size])]
    lines += splitter.finish()
    assert lines == [line for line in data.split(b"\n") if line]


@cases
@pytest.mark.parametrize("size", [KEPT_BYTES // 4, LINE_LIMIT, 2 * LINE_LIMIT])
def test_a_line_at_the_limit_passes_and_a_longer_one_is_refused_for_its_id(
    start: bytes, end: bytes, expected: object, size: int
) -> None:
    fill = b"x" * (LINE_LIMIT - len(start) - len(end))
    splitter = LineSplitter()
    (whole,) = splitter.feed(start + fill + end + b"\n")
    assert isinstance(whole, bytes)
    assert len(whole) == LINE_LIMIT
    sent = start + fill + b"x" + end + b"\nnext\n"
    (refused, following) = [
        line for at in range(0, len(sent), size) for line in splitter.feed(sent[at : at + size])
    ]
    assert isinstance(refused, Refusal)
    assert refused.reply.id == expected
    assert "4,194,304 bytes" in refused.reply.error.message
    assert following == b"next"
