"""HTTP server for the benchmarks of teams, and a client for it."""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

from attrs import define, field

from bench.support.workload import Language

_PROGRAM = str(Path(sys.executable).with_name("lamella"))


@define
class RemoteClient:
    """Client with a persistent connection.

    Attributes:
        port: Port of the server.
        token: Access token.
        project: Project named in each call.
        language: Source of texts and questions.
        times: Milliseconds of each call.
    """

    port: int
    token: str
    project: str
    language: Language
    times: list[float] = field(factory=list)

    async def call(self, calls: int, tool: str = "recall", pause: float = 0.0) -> None:
        """Call a tool a number of times, with a pause in seconds after each call.

        Raises:
            ValueError: The answer isn't a result.
        """
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        for number in range(calls):
            said = {"text": self.language.text(60)} if tool != "recall" else {"query": self.language.five_terms()}
            asked = {"method": "tools/call", "params": {"name": tool, "arguments": said}}
            body = json.dumps({"jsonrpc": "2.0", "id": number, **asked}).encode()
            begun = time.perf_counter()
            writer.write(self._head(len(body)) + body)
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().partition(b"content-length:")[2].split()[0])
            answer = json.loads(await reader.readexactly(length))
            if "result" not in answer:  # with few memories, there may be no match
                raise ValueError(answer)
            self.times.append(1000 * (time.perf_counter() - begun))
            await asyncio.sleep(pause)
        writer.close()

    def _head(self, length: int) -> bytes:
        lines = [
            "POST /mcp HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            f"Authorization: Bearer {self.token}",
            f"Lamella-Project: {self.project}",
            "Content-Type: application/json",
            "Accept: application/json",
            f"Content-Length: {length}",
        ]
        return "\r\n".join([*lines, "", ""]).encode()


def environment(url: str, folder: Path, **settings: str) -> dict[str, str]:
    """Return the environment of a server with a storage and a data directory, without an embedder."""
    own = {"LAMELLA_STORAGE": url, "LAMELLA_DATA_DIR": str(folder), "LAMELLA_EMBEDDER": "none"}
    return {**os.environ, **own, **settings}


def token(url: str, folder: Path, tenant: str) -> str:
    """Create an access token of a tenant."""
    words = [_PROGRAM, "token", "create", "--name", f"bench {time.time_ns()}", "--tenant", tenant]
    made = subprocess.run(words, env=environment(url, folder), check=True, capture_output=True, text=True)
    return made.stdout.strip()


@asynccontextmanager
async def serving(given: Mapping[str, str], *options: str) -> AsyncIterator[tuple[int, int]]:
    """Run a server, and yield the server's process id and port."""
    words = ("serve", "--http", "--port", "0", "--rate", "100000", "--drain", "0", *options)
    process = await asyncio.create_subprocess_exec(
        _PROGRAM, *words, env=given, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert process.stdout is not None
    try:
        line = await process.stdout.readline()
        yield process.pid, urlsplit(line.split()[3]).port or 0
    finally:
        process.terminate()
        await process.wait()
