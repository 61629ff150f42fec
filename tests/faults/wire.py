"""Hostile lines on the wire of a running server."""

import json
from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from lamella.domain.replies.budget import PAGE_TOKENS
from lamella_adapters.embedders.onnx import read_tokenizer
from tests.end_to_end.support.raw_client import ENVELOPE, RawClient, peak_memory
from tests.end_to_end.support.tools import Memory, started
from tests.faults.fault import Injections
from tests.minilm import minilm

BATCH = 50
MEMORY_BYTES = 64 << 20
ANSWERED_SHARE = 0.35
"""Share of the lines that have an id, which cost more."""

BUDGET = PAGE_TOKENS * 1.3
"""Most tokens of a reply, counted with a vocabulary that nobody here has made and that has longer counts."""

_TOLD = json.loads(Path(__file__).with_name("wire.json").read_text("utf-8"))
WORDS: list[str] = _TOLD["words"]
VALUES: list[Any] = _TOLD["values"]
ARGUMENTS: list[str] = _TOLD["arguments"]


def _message(number: int | str, method: str, **params: Any) -> bytes:
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": {"_meta": ENVELOPE, **params}}
    return json.dumps(message).encode()


def _question(number: int | str, noise: Random) -> bytes:
    """A recall of signs that mean something to a parser."""
    words = " ".join(noise.choice(WORDS) for _ in range(noise.randint(1, 6)))
    return _message(number, "tools/call", name="recall", arguments={"query": words, "limit": noise.randint(1, 50)})


def _arguments(number: int, noise: Random) -> bytes:
    """A call with arguments that are misspelt or of a wrong type."""
    names = noise.sample(ARGUMENTS, noise.randint(1, 4))
    tool = noise.choice(("recall", "recall", "save_memory", "no_such_tool"))
    given = {name: noise.choice(VALUES) for name in names}
    return _message(number, "tools/call", name=tool, arguments=noise.choice((given, given, noise.choice(VALUES))))


def _request(number: int, noise: Random) -> bytes:
    """A request that is none, but has an id."""
    told = json.loads(_question(number, noise))
    name = noise.choice(("method", "params", "jsonrpc"))
    told[name] = noise.choice((*VALUES, "tools/list", "no/such", "ping"))
    if noise.random() < 0.3:
        del told[name]
    return json.dumps(told).encode() if told.get("method") is not None else _cut(number, noise)


def _cut(number: int, noise: Random) -> bytes:
    """The beginning of a request, with its id."""
    whole = _question(number, noise)
    return whole[: noise.randrange(whole.index(b"method") + 10, len(whole))]


def _noise(_: int, noise: Random) -> bytes:
    """Bytes without an id."""
    return noise.choice(
        (b"x", noise.randbytes(noise.randint(1, 300)), b"[" * noise.randint(1, 5_000), b"\xff\xfe{}")
    )


def _flipped(number: int, noise: Random) -> bytes:
    """A request with bytes that are others, of which nobody can tell whether it has an id."""
    line = bytearray(_question(f"other {number}", noise))
    for _ in range(noise.randint(1, 10)):
        line[noise.randrange(len(line))] = noise.randrange(256)
    return bytes(line)


ANSWERED: tuple[Callable[[int, Random], bytes], ...] = (_question, _arguments, _request, _cut)
OTHERS: tuple[Callable[[int, Random], bytes], ...] = (_noise, _noise, _flipped)


def hostile_lines(folder: Path, noise: Random) -> Injections:
    """Send lines that are no requests, or odd ones: each with an id gets one reply, and the server lives."""
    vocabulary = read_tokenizer(minilm() / "tokenizer.json")
    vocabulary.no_truncation()
    with started(folder) as client:
        memory = Memory(client, folder / "project")
        for number in range(40):
            memory.save(f"zebra number {number} " + "is white and black " * noise.randint(1, 60))
        _probe(client, 0)
        before = peak_memory(client.process.pid)
        for batch in count(1):
            first = batch * 1_000
            numbers = range(first, first + BATCH)
            wanted = {number for number in numbers if noise.random() < ANSWERED_SHARE}
            lines = [noise.choice(ANSWERED if each in wanted else OTHERS)(each, noise) for each in numbers]
            client.send_bytes(b"".join(line.translate(None, b"\r\n") + b"\n" for line in lines))
            for number in wanted:
                reply = client.answer(number)
                result = reply.get("result") or {"content": [{"text": reply["error"]["message"]}]}
                text = "".join(block["text"] for block in result.get("content", ()))
                assert len(vocabulary.encode(text).ids) <= BUDGET, lines[number - first]
                assert "Traceback" not in text
            _probe(client, first + BATCH)
            assert not wanted & set(client._early), "a line was answered twice"
            client._early.clear()
            assert peak_memory(client.process.pid) - before <= MEMORY_BYTES
            for number in numbers:
                yield "one reply, within its budget" if number in wanted else "no id: the next call works"


def _probe(client: RawClient, number: int) -> None:
    client.send_bytes(_message(number, "tools/call", name="recall", arguments={"query": "zebra"}) + b"\n")
    assert "zebra" in client.answer(number)["result"]["content"][0]["text"]
