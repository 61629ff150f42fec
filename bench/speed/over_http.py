"""Processor time that HTTP adds to a recall, compared with the same recall over stdio.

Recalls over HTTP and stdio alternate.

Run: `python -m bench.speed.over_http [--memories 10000] [--calls 300]`. Prints a table, and writes it into
`bench/results`. Nothing is asserted.
"""

import http.client
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from bench.support.client import Client, processor_seconds
from bench.support.workload import Language, fill
from bench.tables import Table, command, publish
from lamella_adapters.git.working_tree import GitWorkingTree
from lamella_adapters.sqlite.storage import SqliteStorage

_LAMELLA = str(Path(sys.executable).with_name("lamella"))
_BAR = 2.0
"""Maximum mean processor time that HTTP may add to a recall at the server, in milliseconds."""

_WARM = 20
"""Number of first calls that are not counted."""


class HttpClient:
    """HTTP client that costs little processor time itself: one connection, and one request after another."""

    def __init__(self, url: str, project: str, version: str) -> None:
        """Connect to `url` for a project, in a version of the protocol."""
        parts = urlsplit(url)
        self.path, self.project, self.version = parts.path, project, version
        self.connection = http.client.HTTPConnection(str(parts.hostname), parts.port)

    def call(self, tool: str, **arguments: object) -> str:
        """Return the text of a tool's reply."""
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
        self.connection.request("POST", self.path, body, headers)
        answer = json.loads(self.connection.getresponse().read())
        text: str = answer["result"]["content"][0]["text"]
        return text


def main() -> None:
    """Fill a project, run recalls over HTTP and stdio alternately, and print a table."""
    parser = command(__doc__)
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
            title = f"recall over HTTP and stdio, CPU ms, {chosen.memories:,} memories, {chosen.calls} calls each"
            with Client([_LAMELLA, "serve"], environment=environment, directory=project) as stdio:
                rows = list(_rows(stdio, f"http://{place}/mcp", server.pid, id, chosen.calls))
            server.terminate()
    head = ["protocol", "stdio", "HTTP", "HTTP adds", "bar"]
    publish(chosen.results / "http.md", [Table(title=title, head=head, rows=rows)])


def _rows(stdio: Client, url: str, server: int, project: str, calls: int) -> Iterator[list[str]]:
    language = Language(seed=11)
    servers = stdio.process.pid, server
    for version in ("2025-11-25", "2026-07-28"):
        asking = HttpClient(url, project, version)
        begun = [0.0, 0.0]
        for number in range(calls + _WARM):
            if number == _WARM:
                begun = [*map(processor_seconds, servers)]
            question = language.five_terms()
            stdio.call("recall", query=question)
            asking.call("recall", query=question)
        piped, served = (
            1000 * (processor_seconds(each) - since) / calls for each, since in zip(servers, begun, strict=True)
        )
        yield [version, f"{piped:.2f}", f"{served:.2f}", f"{served - piped:+.2f}", f"≤ {_BAR}"]


if __name__ == "__main__":
    main()
