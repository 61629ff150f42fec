"""Fairness over HTTP: how long a quiet tenant waits beside a busy one."""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from attrs import field, frozen

from bench.support.workload import Language

_QUIET_CALLS = 100
_PAUSE = 0.02
_WARMING = 2.0
"""Seconds between two calls of the quiet tenant, and in which the busy one fills the queue."""

_MEMORIES = {"quiet": 3, "busy": 200}


@frozen(kw_only=True)
class Fairness:
    """Times of the recalls of a quiet tenant, in milliseconds.

    Attributes:
        clients: Clients of the busy tenant.
        alone: Times without these clients.
        beside: Times beside these clients.
        busy: Number of recalls by the busy tenant meanwhile.
    """

    clients: int
    alone: list[float]
    beside: list[float]
    busy: int


@frozen
class _Client:
    """Client of a tenant with a persistent connection."""

    port: int
    token: str
    language: Language
    times: list[float] = field(factory=list)

    async def call(self, calls: int, tool: str = "recall", pause: float = 0.0) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        for number in range(calls):
            said = {"text": self.language.text(60)} if tool != "recall" else {"query": self.language.five_terms()}
            asked = {"method": "tools/call", "params": {"name": tool, "arguments": said}}
            body = json.dumps({"jsonrpc": "2.0", "id": number, **asked}).encode()
            begun = time.perf_counter()
            writer.write(self._head(len(body)) + body)
            head = await reader.readuntil(b"\r\n\r\n")
            length = head.lower().partition(b"content-length:")[2].split()[0]
            answer = json.loads(await reader.readexactly(int(length)))
            if "result" not in answer:  # with so few memories, there may be no match
                raise ValueError(answer)
            self.times.append(1000 * (time.perf_counter() - begun))
            await asyncio.sleep(pause)
        writer.close()

    def _head(self, length: int) -> bytes:
        lines = [
            "POST /mcp HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            f"Authorization: Bearer {self.token}",
            "Lamella-Project: shop",
            "Content-Type: application/json",
            "Accept: application/json",
            f"Content-Length: {length}",
        ]
        return "\r\n".join([*lines, "", ""]).encode()


def fairness(url: str, folder: Path, clients: int) -> Fairness:
    """Measure a quiet tenant alone, and beside a number of clients of a busy one."""
    environment = {**os.environ, "LAMELLA_STORAGE": url, "LAMELLA_DATA_DIR": str(folder / "http")}
    environment["LAMELLA_EMBEDDER"] = "none"
    made = ("token", "create", "--name")
    tokens = {each: _lamella(environment, *made, each, "--tenant", each) for each in _MEMORIES}
    with _serving(environment) as port:
        return asyncio.run(_measured(port, tokens, clients))


async def _measured(port: int, tokens: dict[str, str], clients: int) -> Fairness:
    for name, memories in _MEMORIES.items():
        await _Client(port, tokens[name], Language(1)).call(memories, "save_memory")
    busy = [_Client(port, tokens["busy"], Language(number)) for number in range(clients)]
    found = []
    for beside in ([], busy):
        tasks = [asyncio.create_task(each.call(sys.maxsize)) for each in beside]
        await asyncio.sleep(_WARMING)
        quiet = _Client(port, tokens["quiet"], Language(2))
        await quiet.call(_QUIET_CALLS, pause=_PAUSE)
        found.append(quiet.times)
        for task in tasks:
            task.cancel()
    alone, beside_busy = found
    return Fairness(clients=clients, alone=alone, beside=beside_busy, busy=sum(len(each.times) for each in busy))


def _lamella(environment: dict[str, str], *arguments: str) -> str:
    """Run a command, and return its output."""
    words = [str(Path(sys.executable).with_name("lamella")), *arguments]
    return subprocess.run(words, env=environment, check=True, capture_output=True, text=True).stdout.strip()


@contextmanager
def _serving(environment: dict[str, str]) -> Iterator[int]:
    """Run a server, and yield its port."""
    words = [str(Path(sys.executable).with_name("lamella")), "serve", "--http", "--port", "0", "--rate", "100000"]
    with subprocess.Popen(
        words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield urlsplit(process.stdout.readline().split()[3]).port or 0
        finally:
            process.kill()
