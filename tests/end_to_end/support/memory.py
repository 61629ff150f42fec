"""The two tools of a running server, as a client that checks every reply."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lamella_adapters.tokenizers.character_classes import ClassTokenizer
from tests.end_to_end.support.forked import Command
from tests.end_to_end.support.raw_client import ENVELOPE, RawClient

LAMELLA = [str(Path(sys.executable).with_name("lamella")), "serve"]
"""The installed command."""

PATIENT = [sys.executable, str(Path(__file__).with_name("patient_lamella.py")), "serve"]
"""The same, where a verdict could depend on how long git or another process takes."""

count = ClassTokenizer().count


class Memory:
    """The two tools of a running server, as functions."""

    def __init__(self, client: RawClient, project: Path) -> None:
        self.client = client
        self.project = project
        self._calls = 0

    def call(self, tool: str, arguments: Mapping[str, Any], *, use: str | None = None) -> tuple[bool, str]:
        """Whether the call failed, and the one text block of its result."""
        meta = {**ENVELOPE, **({} if use is None else {"claudecode/toolUseId": use})}
        result = self.request("tools/call", name=tool, arguments=arguments, _meta=meta)["result"]
        (block,) = result["content"]
        assert "structuredContent" not in result
        return result.get("isError", False), block["text"]

    def request(self, method: str, **params: Any) -> dict[str, Any]:
        """The whole answer to one request."""
        self._calls += 1
        message = {
            "jsonrpc": "2.0",
            "id": self._calls,
            "method": method,
            "params": {"_meta": ENVELOPE, **params},
        }
        self.client.send_bytes(json.dumps(message).encode() + b"\n")
        return self.client.answer(self._calls)

    def save(self, text: str, **arguments: Any) -> str:
        """The id that saving printed."""
        failed, reply = self.call("save_memory", {"text": text, **arguments})
        assert not failed, reply
        match = re.match(r"Memory saved \(id: ([0-9a-f-]{36})\)", reply)
        assert match, reply
        return match.group(1)

    def recall(self, **arguments: Any) -> str:
        """The reply of a call that succeeds, which is within its budget."""
        failed, reply = self.call("recall", arguments)
        assert not failed, reply
        assert count(reply) <= 4_000
        return reply

    def refused(self, tool: str = "recall", **arguments: Any) -> str:
        """The error of a call that doesn't."""
        failed, reply = self.call(tool, arguments)
        assert failed, reply
        assert count(reply) <= 2_000
        assert "Traceback" not in reply
        return reply


@contextmanager
def serving(folder: Path, command: Sequence[str] = ()) -> Iterator[Memory]:
    """A server in a git repository without commits, with a data directory of its own.

    It is a patient one, unless it is started by `command`.
    """
    project = folder / "project"
    project.mkdir()
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    environment = {"PATH": "/usr/bin:/bin", "LAMELLA_DATA_DIR": str(folder / "data"), "TZ": "UTC"}
    patient = Command(LAMELLA, project, environment)
    with RawClient(command or patient, env=environment, cwd=project) as client:
        yield Memory(client, project)
