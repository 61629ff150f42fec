"""The tools of a running server, called by a client that checks every reply."""

import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lamella_adapters.tokenizers.character_classes import ClassTokenizer
from tests.end_to_end.support.command_line import LAMELLA
from tests.end_to_end.support.forked import Command
from tests.end_to_end.support.raw_client import ENVELOPE, RawClient
from tests.words_only import WORDS_ONLY

SERVE = [str(LAMELLA), "serve"]
"""The installed command."""

count = ClassTokenizer().count


class Tools:
    """The tools of any toolset, as methods."""

    most_tokens = 4_000
    """Limit of a reply."""

    def __init__(self, client: RawClient) -> None:
        self.client = client
        self._calls = 0

    def request(self, method: str, **params: Any) -> dict[str, Any]:
        """Return the whole answer to one request."""
        self._calls += 1
        message = {"jsonrpc": "2.0", "id": self._calls, "method": method, "params": {"_meta": ENVELOPE, **params}}
        self.client.send_bytes(json.dumps(message).encode() + b"\n")
        return self.client.answer(self._calls)

    def answered(self, tool: str, *, use: str | None = None, **arguments: Any) -> tuple[bool, list[str]]:
        """Return True for a failed call, and the text of each block. Other blocks must be links."""
        meta = {**ENVELOPE, **({} if use is None else {"claudecode/toolUseId": use})}
        result = self.request("tools/call", name=tool, arguments=arguments, _meta=meta)["result"]
        texts = [block["text"] for block in result["content"] if block["type"] == "text"]
        linked = [block["type"] for block in result["content"] if "text" not in block]
        assert linked == ["resource_link"] * len(linked)
        assert not linked or "structuredContent" in result
        return result.get("isError", False), texts

    def call(self, tool: str, **arguments: Any) -> tuple[bool, str]:
        """Return True for a failed call, and the text of its only block, which must be within the budget."""
        failed, (text,) = self.answered(tool, **arguments)
        assert count(text) <= self.most_tokens
        return failed, text

    def text(self, tool: str, **arguments: Any) -> str:
        """Return the reply of a successful call."""
        failed, text = self.call(tool, **arguments)
        assert not failed, text
        return text

    def refused(self, tool: str, **arguments: Any) -> str:
        """Return the error of a failed call."""
        failed, text = self.call(tool, **arguments)
        assert failed, text
        assert count(text) <= 2_000
        assert "Traceback" not in text
        return text


class Memory(Tools):
    """The two tools of `unified`, for a server in the folder `project`."""

    def __init__(self, client: RawClient, project: Path) -> None:
        super().__init__(client)
        self.project = project

    def save(self, text: str, **arguments: Any) -> str:
        """Save a memory, and return its id."""
        reply = self.text("save_memory", text=text, **arguments)
        match = re.match(r"Memory saved \(id: ([0-9a-f-]{36})\)", reply)
        assert match, reply
        return match.group(1)

    def recall(self, **arguments: Any) -> str:
        """Return the reply of a successful recall."""
        return self.text("recall", **arguments)

    def refused(self, tool: str = "recall", **arguments: Any) -> str:
        """Return the error of a failed call, by default of `recall`."""
        return super().refused(tool, **arguments)


def started(folder: Path, name: str = "project", *, fresh: bool = False, **settings: str) -> RawClient:
    """Start a server in the folder `name`; servers below one parent folder share their data.

    Args:
        folder: Parent folder of the server's working directory and data.
        name: Name of the server's working directory.
        fresh: True to start the installed command. By default, a process with raised time limits is forked.
        settings: Further environment variables.
    """
    project = folder / name
    project.mkdir(exist_ok=True)
    own = {"PATH": "/usr/bin:/bin", "LAMELLA_DATA_DIR": str(folder / "data"), "TZ": "UTC"}
    environment = {**own, **WORDS_ONLY, **settings}
    return RawClient(SERVE if fresh else Command(SERVE, project, environment), env=environment, cwd=project)


@contextmanager
def serving(folder: Path, *, fresh: bool = False) -> Iterator[Memory]:
    """Start a server of `unified` in a git repository without commits."""
    project = folder / "project"
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    with started(folder, fresh=fresh) as client:
        yield Memory(client, project)
