"""A recall over HTTP beside the same over stdio, in turns: how much the transport adds.

Run: `python -m bench.speed.http [--memories 10000] [--calls 300]`. Prints a table; nothing is asserted.
"""

import argparse
import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from rich.console import Console
from rich.table import Table

from bench.speed.client import Client
from bench.speed.workload import Language, fill
from lamella_adapters.git.working_tree import GitWorkingTree
from lamella_adapters.sqlite.storage import SqliteStorage

_LAMELLA = str(Path(sys.executable).with_name("lamella"))
_BAR = 2.0
"""Milliseconds that HTTP may add at the median."""


class HttpClient:
    """A client with no cost of its own to speak of: one connection, one request after another."""

    def __init__(self, url: str, project: str, version: str) -> None:
        """Connects to `url`; asks about `project` in a version of the protocol."""
        parts = urlsplit(url)
        self.path, self.project, self.version = parts.path, project, version
        self.connection = http.client.HTTPConnection(str(parts.hostname), parts.port)

    def call(self, tool: str, **arguments: object) -> tuple[str, float]:
        """Return the text of a tool's reply, and how many seconds it took."""
        meta = {
            "io.modelcontextprotocol/protocolVersion": self.version,
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        params = {"name": tool, "arguments": arguments, "_meta": meta}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        headers = {
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
            "mcp-protocol-version": self.version,
            "mcp-method": "tools/call",
            "mcp-name": tool,
            "lamella-project": self.project,
        }
        begun = time.perf_counter()
        self.connection.request("POST", self.path, body, headers)
        answer = json.loads(self.connection.getresponse().read())
        return answer["result"]["content"][0]["text"], time.perf_counter() - begun


def main() -> None:
    """Fill a project, ask for memories in turns, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--calls", type=int, default=300)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data, project = Path(folder, "data"), Path(folder, "project")
        project.mkdir()
        with closing(SqliteStorage(data)) as storage:
            id = storage.registry.at(GitWorkingTree().locate(project), now=datetime.now(UTC)).id
            fill(storage, id, chosen.memories)
        environment = {**os.environ, "LAMELLA_DATA_DIR": str(data), "LAMELLA_EMBEDDER": "none"}
        serve = [_LAMELLA, "serve", "--http", "--port", "0", "--rate", "100000"]
        with subprocess.Popen(
            serve, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as server:
            assert server.stdout is not None
            place = server.stdout.readline().split()[-1]
            _measure(data, project, f"http://{place}/mcp", id, chosen.calls, chosen.memories)
            server.terminate()


def _measure(data: Path, project: Path, url: str, id: str, calls: int, memories: int) -> None:
    language = Language(seed=11)
    environment = {"LAMELLA_DATA_DIR": str(data), "LAMELLA_EMBEDDER": "none"}
    table = Table(title=f"recall over HTTP and stdio, {memories:,} memories, {calls} calls in turns")
    for column in ("protocol", "stdio, ms", "HTTP, ms", "HTTP adds, ms", "bar, ms"):
        table.add_column(column)
    with Client([_LAMELLA, "serve"], environment=environment, directory=project) as stdio:
        for version in ("2025-11-25", "2026-07-28"):
            http_client = HttpClient(url, id, version)
            times: tuple[list[float], list[float]] = ([], [])
            for number in range(calls + 20):
                question = language.five_terms()
                for client, took in zip((stdio, http_client), times, strict=True):
                    seconds = client.call("recall", query=question)[1]
                    if number >= 20:
                        took.append(1000 * seconds)
            slow, fast = (statistics.median(each) for each in reversed(times))
            table.add_row(version, f"{fast:.2f}", f"{slow:.2f}", f"{slow - fast:+.2f}", f"<= {_BAR}")
    Console().print(table)


if __name__ == "__main__":
    main()
