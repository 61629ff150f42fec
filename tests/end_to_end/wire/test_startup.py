"""A server answers what a client asks first while it still starts, as the SDK would answer it."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.support.forked import Command
from tests.end_to_end.support.raw_client import ENVELOPE, RawClient
from tests.end_to_end.support.tools import SERVE
from tests.waiting import HANG_SECONDS, until

NEVER = f"import time\ntime.sleep({HANG_SECONDS * 10})\n"
"""A module that is never imported to its end."""

LISTS = ("tools/list", "prompts/list", "resources/templates/list")
OLDEST, NEWEST = "2024-11-05", "2025-11-25"
"""Versions of the protocol with a handshake."""


def line(id: Any, method: str, **params: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).encode() + b"\n"


def legacy(version: str) -> list[bytes]:
    hello = line(
        "first", "initialize", protocolVersion=version, capabilities={}, clientInfo={"name": "a", "version": "1"}
    )
    return [hello, *(line(number, method) for number, method in enumerate(("ping", *LISTS), 1))]


def modern() -> list[bytes]:
    return [line(number, method, _meta=ENVELOPE) for number, method in enumerate(("server/discover", *LISTS))]


def environment(folder: Path, **settings: str) -> dict[str, str]:
    return {"PATH": "/usr/bin:/bin", "LAMELLA_DATA_DIR": str(folder / "data"), **settings}


def said(folder: Path, lines: list[bytes]) -> list[bytes]:
    """Return what a server writes, ordered, when it gets all lines at once and then the end of its input."""
    ran = subprocess.run(
        SERVE, input=b"".join(lines), env=environment(folder), capture_output=True, check=True, cwd=folder
    )
    return sorted(ran.stdout.splitlines())


@pytest.mark.parametrize("asked", [legacy(OLDEST), modern()], ids=["legacy", "modern"])
def test_an_early_answer_is_that_of_the_sdk_to_the_byte(tmp_path: Path, asked: list[bytes]) -> None:
    early = said(tmp_path, asked)
    # This one has imported it already, and takes the same toolset for another.
    sdk = Command(SERVE, tmp_path, environment(tmp_path, LAMELLA_TOOLSET="unified,")).run(b"".join(asked))
    of_the_sdk = sorted(sdk.out.encode().splitlines())
    assert early == of_the_sdk
    assert len(early) == len(asked)


@pytest.mark.parametrize("asked", [legacy(NEWEST), modern()], ids=["legacy", "modern"])
@pytest.mark.parametrize("options", [(), ("--toolset", "granular")], ids=["usual", "granular"])
def test_the_first_answers_do_not_wait_for_the_sdk(
    tmp_path: Path, asked: list[bytes], options: tuple[str, ...]
) -> None:
    for module in ("mcp_types", "click"):
        (tmp_path / f"{module}.py").write_text(NEVER, "utf-8")
    with RawClient(
        (*SERVE, *options), env=environment(tmp_path, PYTHONPATH=str(tmp_path)), cwd=tmp_path
    ) as client:
        listing = asked[-1].replace(LISTS[-1].encode(), b"resources/list")
        for each in (*asked, listing):
            client.send_bytes(each)
            assert client.next_message()["id"] == json.loads(each)["id"]


def test_a_call_that_comes_before_the_sdk_is_answered_once_it_is_there(tmp_path: Path) -> None:
    call = line("call", "tools/call", name="save_memory", arguments={"text": "zebra"}, _meta=ENVELOPE)
    with RawClient(SERVE, env=environment(tmp_path), cwd=tmp_path) as client:
        asked = [*modern(), call]
        client.send_bytes(b"".join(asked))
        answers = [client.next_message() for _ in asked]
        client.stdin.close()
        assert [each["id"] for each in answers] == [0, 1, 2, 3, "call"]
        assert answers[-1]["result"]["isError"] is False
        assert not list(client.rest())


def test_a_client_that_waits_for_its_probe_no_longer_gets_its_handshake(tmp_path: Path) -> None:
    handshake = legacy(NEWEST)
    asked = [modern()[0], *handshake]
    for toolset in ("unified", "unified,"):
        done = Command(SERVE, tmp_path, environment(tmp_path, LAMELLA_TOOLSET=toolset)).run(b"".join(asked))
        answers = [json.loads(each) for each in done.out.splitlines()]
        answered = {each["id"] for each in answers if "result" in each}
        assert answered >= {json.loads(each)["id"] for each in handshake}, toolset
        assert not [each for each in answers if "error" in each], toolset


def test_several_toolsets_answer_early_from_its_second_start_on(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    settings = environment(tmp_path, LAMELLA_TOOLSET="granular,semantic")
    asked = legacy(NEWEST)
    with RawClient(SERVE, env=settings, cwd=tmp_path) as client:
        first = []
        for each in asked:
            client.send_bytes(each)
            first.append(client.next_message())
        until(lambda: list((tmp_path / "data").glob("early-replies.json")))
    (tmp_path / "mcp_types.py").write_text(NEVER, "utf-8")
    with RawClient(SERVE, env={**settings, "PYTHONPATH": str(tmp_path)}, cwd=tmp_path) as client:
        for each, answer in zip(asked, first, strict=True):
            client.send_bytes(each)
            assert client.next_message() == answer
