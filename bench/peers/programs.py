"""Memory programs to compare with: how to start and call each program, and how to parse the replies.

Programs store their data in a folder of the benchmark. Their models aren't fetched during the measurement, so use
each program once before.
"""

import http.client
import json
import os
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from bench.support.client import Client, resident_megabytes

_SAVE = "/api/memory/save"
"""Path for saving over HTTP, because claude-mem has no tool for saving."""


class ClaudeMemClient(Client):
    """Client of claude-mem. Saves go over HTTP to its worker, a separate process that its MCP server uses, too."""

    def __init__(self, command: Sequence[str], *, environment: Mapping[str, str], directory: Path) -> None:
        """Start the worker with bun, wait until it answers, and start the MCP server."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        settings = {**environment, "CLAUDE_MEM_WORKER_PORT": f"{self._port}"}
        worker = Path(command[-1]).with_name("worker-service.cjs")
        self._worker = subprocess.Popen(["bun", worker, "--daemon"], cwd=directory, env={**os.environ, **settings})
        while not self._listens():
            time.sleep(0.1)
        super().__init__(command, environment=settings, directory=directory)

    def call(self, tool: str, **arguments: Any) -> tuple[str, float]:
        """Call a tool, or save over HTTP instead. Return the text of the reply, and the elapsed seconds."""
        if tool != _SAVE:
            return super().call(tool, **arguments)
        begun = time.perf_counter()
        connection = http.client.HTTPConnection("127.0.0.1", self._port)
        connection.request("POST", tool, json.dumps(arguments), {"content-type": "application/json"})
        said = connection.getresponse().read().decode()
        return said, time.perf_counter() - begun

    def resident_megabytes(self) -> tuple[float, float]:
        """Resident memory of the server and the worker, in megabytes."""
        own, workers = super().resident_megabytes(), resident_megabytes(self._worker.pid)
        return own[0] + workers[0], own[1] + workers[1]

    def __exit__(self, *_: object) -> None:
        """End the server and the worker."""
        super().__exit__()
        self._worker.terminate()
        self._worker.wait(timeout=60)

    def _listens(self) -> bool:
        with socket.socket() as asking:
            return asking.connect_ex(("127.0.0.1", self._port)) == 0


@frozen(kw_only=True)
class Program:
    """Description of a program: how to save and search with it.

    Attributes:
        settings: Function that returns environment variables for storing data in a folder.
        save: Function that returns the tool and its arguments for saving a text with a title.
        saved: Regular expression for the id in the reply to a save.
        search: Tool for searching, and its argument for the question.
        result: Regular expression for the id of each result.
        client: Class that starts the program and calls it.
    """

    settings: Callable[[Path], Mapping[str, str]]
    save: Callable[[str, str], tuple[str, Mapping[str, Any]]]
    saved: str
    search: tuple[str, str]
    result: str
    client: Callable[..., Client] = Client


def lamella(embedder: str) -> Program:
    """Return lamella with an embedder."""
    return Program(
        settings=lambda folder: {"LAMELLA_DATA_DIR": f"{folder}", "LAMELLA_EMBEDDER": embedder},
        save=lambda _, text: ("save_memory", {"text": text}),
        saved=r"id: (\w{8})",
        search=("recall", "query"),
        result=r"^\[\d+\] (\w{8})",
    )


PEERS = {
    "claude-mem": Program(
        settings=lambda folder: {"CLAUDE_MEM_DATA_DIR": f"{folder}"},
        save=lambda title, text: (_SAVE, {"title": title, "text": text}),
        saved=r'"id":(\d+)',
        search=("search", "query"),
        result=r"^\| #(\d+)",
        client=ClaudeMemClient,
    ),
    "basic-memory": Program(
        settings=lambda folder: {
            "BASIC_MEMORY_CONFIG_DIR": f"{folder / 'settings'}",
            "BASIC_MEMORY_HOME": f"{folder / 'notes'}",
        },
        save=lambda title, text: ("write_note", {"title": title, "content": text, "directory": "notes"}),
        saved=r"permalink: (\S+)",
        search=("search_notes", "query"),
        result=r"permalink: (\S+)",
    ),
    "mcp-memory-service": Program(
        settings=lambda folder: {"MCP_MEMORY_BASE_DIR": f"{folder}", "MCP_MEMORY_STORAGE_BACKEND": "sqlite_vec"},
        save=lambda _, text: ("memory_store", {"content": text}),
        saved=r"hash: (\w+)",
        search=("memory_search", "query"),
        result=r"Hash: (\w+)",
    ),
    "server-memory": Program(
        settings=lambda folder: {"MEMORY_FILE_PATH": f"{folder / 'memory.jsonl'}"},
        save=lambda title, text: (
            "create_entities",
            {"entities": [{"name": title, "entityType": "note", "observations": [text]}]},
        ),
        saved=r'"name": "(.*)"',
        search=("search_nodes", "query"),
        result=r'"name": "(.*)"',
    ),
}
"""Programs by name."""
