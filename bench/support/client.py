"""Client that costs little processor time itself: one request and one reply at a time, over pipes."""

import json
import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Self

_HANDSHAKE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}


def resident_megabytes(process: int) -> tuple[float, float]:
    """Return the memory of a process and its children. Memory that they share counts proportionally (PSS)."""
    rollup = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii")
    kilobytes = dict(line.split()[:2] for line in rollup.splitlines()[1:])
    resident, proportional = int(kilobytes["Rss:"]) / 1024, int(kilobytes["Pss:"]) / 1024
    for children in Path(f"/proc/{process}/task").glob("*/children"):
        for child in children.read_text(encoding="ascii").split():
            theirs = resident_megabytes(int(child))
            resident, proportional = resident + theirs[0], proportional + theirs[1]
    return resident, proportional


def processor_seconds(process: int) -> float:
    """Return the processor time of a process, from its CPU clock (see `clock_getcpuclockid` on Linux)."""
    return time.clock_gettime(~process << 3 | 2)


class Client(AbstractContextManager["Client"]):
    """Client of a server process that it has started and initialised.

    Attributes:
        started_in: Seconds from the server's start to its first answer.
        listed_in: Seconds from the server's start to the list of tools, requested after the first answer.
    """

    def __init__(self, command: Sequence[str], *, environment: Mapping[str, str], directory: Path) -> None:
        """Start `command` in `directory`, with `environment` added to the environment of this process."""
        self._number = 0
        begun = time.perf_counter()
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **environment},
            cwd=directory,
        )
        self.request("initialize", _HANDSHAKE)
        self.started_in = time.perf_counter() - begun
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        self.request("tools/list", {})
        self.listed_in = time.perf_counter() - begun
        self._begun = begun

    def called_in(self, tool: str, **arguments: Any) -> float:
        """Call a tool for the first time. Return the seconds from the server's start to the reply."""
        self.call(tool, **arguments)
        return time.perf_counter() - self._begun

    def request(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """Return the result of one request."""
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        assert self.process.stdout is not None
        reply: dict[str, Any] = json.loads(self.process.stdout.readline())
        result: dict[str, Any] = reply["result"]
        return result

    def call(self, tool: str, **arguments: Any) -> tuple[str, float]:
        """Return the text of a tool's reply, and the elapsed seconds."""
        begun = time.perf_counter()
        result = self.request("tools/call", {"name": tool, "arguments": arguments})
        return result["content"][0]["text"], time.perf_counter() - begun

    def resident_megabytes(self) -> tuple[float, float]:
        """Return the memory of the server and its child processes; see the function `resident_megabytes`."""
        return resident_megabytes(self.process.pid)

    def __enter__(self) -> Self:
        """Return the client itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the server by closing its stdin, as clients do."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(timeout=60)
        self.process.stdout.close()

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
