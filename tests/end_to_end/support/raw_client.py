"""Client that sends raw bytes to a server process, so that it can misbehave."""

import json
import os
import queue
import select
import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Self, cast

from tests.end_to_end.support.forked import Command, stop
from tests.waiting import HANG_SECONDS

ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
"""Content of a request of the 2026-07-28 protocol in `params._meta`."""


def wait_until_closed(descriptor: int) -> None:
    """Read a pipe until all of its writing ends are closed."""
    while select.select([descriptor], [], [], HANG_SECONDS)[0]:
        if not os.read(descriptor, 65536):
            return
    raise AssertionError("somebody keeps the pipe open")


def call_line(request_id: str | int, tool: str, **arguments: Any) -> bytes:
    """Return the line that calls a tool in the protocol of 2026-07-28."""
    params = {"name": tool, "arguments": arguments, "_meta": ENVELOPE}
    message = {"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": params}
    return json.dumps(message).encode() + b"\n"


class RawClient:
    """A server process, its lines and its end.

    Every line on stdout must be a JSON-RPC 2.0 message. With `reads=False`, stdout isn't read.
    """

    def __init__(
        self,
        command: Sequence[str | Path] | Command,
        *,
        reads: bool = True,
        env: dict[str, str] | None = None,
        cwd: Path | None = None,
    ) -> None:
        self.process = (
            cast("subprocess.Popen[bytes]", command.open())
            if isinstance(command, Command)
            else subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, cwd=cwd
            )
        )
        self._messages: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._early: dict[str | int, dict[str, Any]] = {}
        self._errors: list[bytes] = []
        self._threads = [threading.Thread(target=self._read_errors, daemon=True)]
        if reads:
            self._threads.append(threading.Thread(target=self._read_messages, daemon=True))
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        stop(self.process, signal.SIGTERM)
        for thread in self._threads:
            thread.join()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()

    @property
    def errors(self) -> str:
        """Output on stderr so far."""
        return b"".join(self._errors).decode(errors="replace")

    @property
    def stdin(self) -> IO[bytes]:
        """The server's stdin."""
        assert self.process.stdin is not None
        return self.process.stdin

    def send_bytes(self, data: bytes) -> None:
        self.stdin.write(data)
        self.stdin.flush()

    def send_call(self, request_id: str | int, tool: str, **arguments: Any) -> None:
        """Call a tool without waiting for the answer."""
        self.send_bytes(call_line(request_id, tool, **arguments))

    def call(self, request_id: str | int, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool and return the whole answer."""
        self.send_call(request_id, tool, **arguments)
        return self.answer(request_id)

    def text(self, request_id: str | int, tool: str, **arguments: Any) -> str:
        """Call a tool and return the text of the result."""
        text = self.call(request_id, tool, **arguments)["result"]["content"][0]["text"]
        assert isinstance(text, str)
        return text

    def next_message(self) -> dict[str, Any]:
        """Return the server's next message of any kind."""
        try:
            message = self._messages.get(timeout=HANG_SECONDS)
        except queue.Empty:
            raise AssertionError(f"no message; stderr: {self.errors}") from None
        assert message is not None, f"the server closed stdout; stderr: {self.errors}"
        return message

    def answer(self, request_id: str | int) -> dict[str, Any]:
        """Return the answer to one request. Keep answers to other requests for later."""
        while request_id not in self._early:
            message = self.next_message()
            self._early[message["id"]] = message
        return self._early.pop(request_id)

    def rest(self) -> Iterator[dict[str, Any]]:
        """Return the messages up to the end of stdout."""
        while (message := self._messages.get(timeout=HANG_SECONDS)) is not None:
            yield message

    def exit_code(self) -> int:
        """Wait for the process to end by itself, and return its exit code."""
        return self.process.wait(HANG_SECONDS)

    def _read_messages(self) -> None:
        assert self.process.stdout is not None
        try:
            for line in self.process.stdout:
                message = json.loads(line)
                assert line.endswith(b"\n")
                assert message["jsonrpc"] == "2.0"
                self._messages.put(message)
        finally:
            self._messages.put(None)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self._errors.append(line)


def lives(client: RawClient) -> bool:
    """Return True if the server answers its next call normally."""
    return client.text("alive?", "echo", text="alive") == "alive"


def peak_memory(pid: int) -> int:
    """Return a process's peak resident memory in bytes (on macOS, its present resident memory)."""
    status = Path(f"/proc/{pid}/status")
    if status.exists():
        fields = dict(line.split(":", 1) for line in status.read_text().splitlines())
        return int(fields["VmHWM"].split()[0]) * 1024
    return int(subprocess.check_output(["ps", "-o", "rss=", "-p", str(pid)])) * 1024
