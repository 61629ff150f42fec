"""Answers to what clients ask first, from recorded replies."""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

import anyio
import pytest

from lamella_adapters.mcp.early import front, replies
from lamella_adapters.mcp.early.front import Front, Recorded
from lamella_adapters.mcp.early.record import empty_server, recorded
from lamella_adapters.mcp.server.handlers import make_server
from lamella_adapters.mcp.toolsets.registry import chosen
from lamella_adapters.process.start import TOOLSETS
from tests.end_to_end.support.raw_client import ENVELOPE
from tests.unit.support.tables import cases
from tests.waiting import until

CLIENT = {"name": "a client", "version": "1"}
HANDSHAKE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": CLIENT}
SHIPPED = json.loads(Path(replies.SHIPPED, "unified.json").read_text("utf-8"))["replies"]


def line(method: str, params: Any = None, **other: Any) -> bytes:
    given = {} if params is None else {"params": params}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, **given, **other}).encode()


def answered(*lines: bytes) -> list[Any]:
    """Return the method's results, or None where the SDK is left to answer."""
    known = Recorded(SHIPPED)
    found = [known.reply(each) for each in lines]
    return [None if each is None else json.loads(each[1])["result"] for each in found]


@pytest.mark.parametrize("toolset", TOOLSETS)
def test_what_comes_with_the_package_is_what_a_server_answers(toolset: str) -> None:
    assert anyio.run(recorded, empty_server(toolset)) == replies.shipped(toolset)


def test_a_handshake_and_the_lists_after_it_are_answered() -> None:
    hello, tools, pong = answered(line("initialize", HANDSHAKE), line("tools/list", {}), line("ping"))
    assert hello["protocolVersion"] == "2025-11-25"
    assert [each["name"] for each in tools["tools"]] == ["save_memory", "recall"]
    assert pong == {}


def test_requests_of_the_modern_protocol_need_no_handshake() -> None:
    found, tools = answered(line("server/discover", {"_meta": ENVELOPE}), line("tools/list", {"_meta": ENVELOPE}))
    assert "tools" in found["capabilities"]
    assert tools["resultType"] == "complete"


@cases
def test_what_is_unusual_is_left_to_the_sdk(unusual: bytes) -> None:
    assert answered(unusual) == [None]


@pytest.mark.parametrize("params", [[], 0, "", False])
def test_parameters_that_are_no_object_are_left_to_the_sdk(params: object) -> None:
    assert answered(line("initialize", HANDSHAKE), line("tools/list", params))[1] is None


def test_a_connection_keeps_to_one_protocol() -> None:
    hello, again, modern = answered(
        line("initialize", HANDSHAKE), line("initialize", HANDSHAKE), line("tools/list", {"_meta": ENVELOPE})
    )
    assert hello
    assert (again, modern) == (None, None)


class Pipes:
    """Client of a front, with both ends of its pipes."""

    def __init__(self) -> None:
        incoming, self.to = os.pipe()
        self.reading, outgoing = os.pipe()
        self.front = Front(incoming, outgoing, Recorded(SHIPPED))

    def say(self, *lines: bytes) -> None:
        os.write(self.to, b"".join(each + b"\n" for each in lines))


def test_a_front_hands_over_all_that_it_has_read_and_what_it_has_answered() -> None:
    client = Pipes()
    said = [line("initialize", HANDSHAKE, id="a"), line("tools/call", {"name": "recall"}, id=2), b'{"begun']
    client.say(said[0])
    assert json.loads(os.read(client.reading, 1 << 16))["id"] == "a"
    os.write(client.to, said[1] + b"\n" + said[2])
    until(lambda: client.front.read.endswith(said[2]))
    client.front.finish()
    assert client.front.read == b"\n".join(said)
    assert (client.front.answered, client.front.unsent) == (["a"], b"")


def test_what_a_client_does_not_read_is_handed_over_and_keeps_nobody_waiting() -> None:
    client = Pipes()
    with suppress(BlockingIOError):
        os.set_blocking(client.front.outgoing, False)
        while os.write(client.front.outgoing, b" " * 4096):
            pass
    client.say(line("initialize", HANDSHAKE))
    until(lambda: client.front.answered == [1])
    client.front.finish()
    assert json.loads(client.front.unsent)["result"]["protocolVersion"] == "2025-11-25"


@pytest.mark.parametrize(("seconds", "listed"), [(0.0, [1]), (1e6, [])])
def test_the_list_of_memories_is_left_to_the_server_for_a_while(
    monkeypatch: pytest.MonkeyPatch, seconds: float, listed: list[int]
) -> None:
    monkeypatch.setattr(front, "_HELD_SECONDS", seconds)
    client = Pipes()
    client.say(line("initialize", HANDSHAKE, id="a"), line("resources/list", {}), line("ping", id="b"))
    until(lambda: len(client.front.answered) == 2 + len(listed))
    client.front.finish()
    assert [each for each in client.front.answered if each == 1] == listed
    said = os.read(client.reading, 1 << 16).splitlines()
    assert [json.loads(each)["result"] for each in said if b'"resources"' in each][1:] == [
        {"resources": []} for _ in listed
    ]


def test_a_front_ends_with_its_client() -> None:
    client = Pipes()
    os.close(client.to)
    client.front.finish()
    assert client.front.read == b""


def test_replies_are_kept_for_this_toolset_only(tmp_path: Path) -> None:
    path = tmp_path / "replies.json"
    path.write_text(replies.as_kept("granular", {"ping 1": "{}"}), "utf-8")
    assert replies.kept(str(path), "granular") == {"ping 1": "{}"}
    assert replies.kept(str(path), "semantic") is None


@pytest.mark.parametrize("broken", ["", "{", "[]", '{"made_of": null}', "[" * 100_000])
def test_a_broken_file_of_replies_is_none(tmp_path: Path, broken: str) -> None:
    path = tmp_path / "replies.json"
    path.write_text(broken, "utf-8")
    assert replies.kept(str(path), "granular") is None


def test_replies_that_come_with_the_package_are_for_a_toolset_alone() -> None:
    assert replies.shipped("unified") == SHIPPED
    assert replies.shipped("granular,semantic") is None


@cases
def test_a_review_is_offered_to_those_who_can_settle_it(toolset: str, *, reading: bool, offered: bool) -> None:
    lists = anyio.run(recorded, make_server(chosen(toolset, reading=reading), "", _no_memories))
    prompts = [each for name, each in lists.items() if name.startswith("prompts/list")]
    assert {'"name":"review"' in each for each in prompts} == {offered}


def _no_memories(*_: object) -> NoReturn:
    raise NotImplementedError
