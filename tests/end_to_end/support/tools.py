"""The tools of a running server, as a client that checks every reply."""

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
    """The tools of any toolset, as functions."""

    most_tokens = 4_000
    """Limit of a reply."""

    def __init__(self, client: RawClient) -> None:
        self.client = client
        self._calls = 0

    def request(self, method: str, **params: Any) -> dict[str, Any]:
        """Return the whole answer to one request."""
        self._calls += 1
        message = {
            "jsonrpc": "2.0",
            "id": self._calls,
            "method": method,
            "params": {"_meta": ENVELOPE, **params},
        }
        self.client.send_bytes(json.dumps(message).encode() + b"\n")
        return self.client.answer(self._calls)

    def answered(self, tool: str, *, use: str | None = None, **arguments: Any) -> tuple[bool, list[str]]:
        """Return whether a call failed, and the text of each block, beside which only data are linked."""
        meta = {**ENVELOPE, **({} if use is None else {"claudecode/toolUseId": use})}
        result = self.request("tools/call", name=tool, arguments=arguments, _meta=meta)["result"]
        texts = [block["text"] for block in result["content"] if block["type"] == "text"]
        linked = [block["type"] for block in result["content"] if "text" not in block]
        assert linked == ["resource_link"] * len(linked)
        assert not linked or "structuredContent" in result
        return result.get("isError", False), texts

    def call(self, tool: str, **arguments: Any) -> tuple[bool, str]:
        """Return whether a call failed, and its only block, which is within the budget."""
        failed, (text,) = self.answered(tool, **arguments)
        assert count(text) <= self.most_tokens
        return failed, text

    def text(self, tool: str, **arguments: Any) -> str:
        """Return the reply of a call that succeeds."""
        failed, text = self.call(tool, **arguments)
        assert not failed, text
        return text

    def refused(self, tool: str, **arguments: Any) -> str:
        """Return the error of a call that doesn't."""
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
        """Save a memory and return its id."""
        reply = self.text("save_memory", text=text, **arguments)
        match = re.match(r"Memory saved \(id: ([0-9a-f-]{36})\)", reply)
        assert match, reply
        return match.group(1)

    def recall(self, **arguments: Any) -> str:
        """Return the reply of a recall that succeeds."""
        return self.text("recall", **arguments)

    def refused(self, tool: str = "recall", **arguments: Any) -> str:
        """Return the error of a call that fails, of `recall` unless said otherwise."""
        return super().refused(tool, **arguments)


def started(folder: Path, name: str = "project", *, fresh: bool = False, **settings: str) -> RawClient:
    """Start a server in the folder `name`; servers below one parent folder share their data.

    Args:
        folder: Where the server's folder and data are.
        name: The server's folder.
        fresh: Start the installed command; else a process is forked whose time limits are raised.
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
