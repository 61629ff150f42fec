"""A running `lamella serve --http`, with the SDK's client, and raw sockets for misbehaving clients."""

import http.client
import json
import re
import signal
import socket
import ssl
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any, Literal

import httpx2
from attrs import define, field, frozen
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.end_to_end.support.command_line import LAMELLA
from tests.end_to_end.support.forked import Command, Process, stop
from tests.waiting import HANG_SECONDS

_ANNOUNCED = re.compile(r"lamella is at (\S+) and listens at \S+:(\d+)\n")
_VERSION = "2025-11-25"


@frozen
class Answer:
    """Response: status, headers by lower-case name, and content."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def json(self) -> Any:
        """The content as JSON."""
        return json.loads(self.content)

    @property
    def failed(self) -> bool:
        """True if the protocol rejected a call, or its tool failed."""
        return "error" in self.json or bool(self.json["result"].get("isError"))

    @property
    def text(self) -> str:
        """The reply of a tool, without links."""
        (text,) = (block["text"] for block in self.json["result"]["content"] if block["type"] == "text")
        return str(text)


@define(eq=False)
class Caller:
    """Caller with a persistent connection.

    Attributes:
        port: Port of the server.
        headers: Headers of every request.
        tls: TLS context; None for unencrypted connections.
    """

    port: int
    headers: dict[str, str] = field(factory=dict)
    tls: ssl.SSLContext | None = None
    _connection: http.client.HTTPConnection | None = None

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> Answer:
        """Send a request and return the response. Reopen a closed connection."""
        sent = {**self.headers, **{name.replace("_", "-"): value for name, value in headers.items()}}
        if self._connection is None:
            if self.tls is None:
                self._connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=HANG_SECONDS)
            else:
                self._connection = http.client.HTTPSConnection(
                    "127.0.0.1", self.port, timeout=HANG_SECONDS, context=self.tls
                )
        self._connection.request(method, path, body, sent)
        answer = self._connection.getresponse()
        content = answer.read()
        if answer.will_close:
            self.close()
        return Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, content)

    def rpc(self, method: str, **params: Any) -> Answer:
        """Send a JSON-RPC request."""
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        return self.ask(
            "POST",
            "/mcp",
            json.dumps(message).encode(),
            content_type="application/json",
            accept="application/json, text/event-stream",
            mcp_protocol_version=_VERSION,
        )

    def call(self, tool: str, **arguments: Any) -> Answer:
        """Call a tool."""
        return self.rpc("tools/call", name=tool, arguments=arguments)

    def tools(self) -> dict[str, Any]:
        """Return the offered tools by name."""
        return {each["name"]: each for each in self.rpc("tools/list").json["result"]["tools"]}

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


@define
class HttpServer:
    """A server.

    Attributes:
        process: Its process.
        url: URL of its endpoint.
        port: Its port.
    """

    process: Process
    url: str
    port: int
    _callers: list[Caller] = field(factory=list)
    _lines: list[bytes] = field(factory=list)
    _reading: Thread = field(init=False)

    def __attrs_post_init__(self) -> None:
        # Read the pipe, because a full one would block the server.
        self._reading = Thread(target=lambda: self._lines.extend(self.process.stderr), daemon=True)
        self._reading.start()

    def caller(self, project: str | None = "project", *, token: str | None = None, **headers: str) -> Caller:
        """Return a caller for a project."""
        named = {} if project is None else {"lamella-project": project}
        given = {} if token is None else {"authorization": f"Bearer {token}"}
        more = {name.replace("_", "-"): each for name, each in headers.items()}
        self._callers.append(Caller(self.port, {**named, **given, **more}))
        return self._callers[-1]

    def close(self) -> None:
        """Close the connections of all callers."""
        for each in self._callers:
            each.close()

    @asynccontextmanager
    async def client(
        self, mode: Literal["legacy", "auto"], *, project: str, session: str, token: str | None = None
    ) -> AsyncIterator[Client]:
        """Connect the SDK's client with one version of the protocol."""
        headers = {"Lamella-Project": project, "Lamella-Session": session}
        headers |= {} if token is None else {"Authorization": f"Bearer {token}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=HANG_SECONDS) as asking,
            Client(streamable_http_client(self.url, http_client=asking), mode=mode) as client,
        ):
            yield client

    def raw(self, sent: bytes) -> bytes:
        """Send bytes, and return everything received until the server closes the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=HANG_SECONDS) as connection:
            with suppress(OSError):
                connection.sendall(sent)
            received = b""
            with suppress(ConnectionResetError):
                while piece := connection.recv(65_536):
                    received += piece
            return received

    def ready(self) -> bool:
        """Return True if the server reports that it is ready."""
        with closing(Caller(self.port)) as asking:
            return asking.ask("GET", "/readyz").status == 200

    def end(self, number: int = signal.SIGINT) -> tuple[int, list[dict[str, Any]]]:
        """End the server by a signal. Return its exit code and its log."""
        self.process.send_signal(number)
        return self.process.wait(), self.logged()

    def logged(self) -> list[dict[str, Any]]:
        """Return the server's log up to its end."""
        self._reading.join(HANG_SECONDS)
        return [json.loads(line) for line in self._lines]


@contextmanager
def serving(
    folder: Path, environment: Mapping[str, str], *options: str, limits: Mapping[str, float] | None = None
) -> Iterator[HttpServer]:
    """Run `lamella serve --http` on a free port, and end it afterwards.

    Args:
        folder: Working directory of the process.
        environment: Its environment variables.
        *options: Options of the command.
        limits: Time limits, as of `Command`.
    """
    words: list[str | Path] = [LAMELLA, "serve", "--http", "--port", "0", *options]
    process = Command(words, folder, environment, limits=limits or {}).open()
    server = None
    try:
        line = process.stdout.readline().decode()
        found = _ANNOUNCED.fullmatch(line)
        assert found is not None, (line, process.stderr.read())
        server = HttpServer(process, found[1], int(found[2]))
        yield server
    finally:
        assert stop(process) in (0, -signal.SIGKILL)
        if server is not None:
            server.close()
            server.logged()
        process.close()
