"""A stand-in for a model: it plays a script, so that real clients run their whole loop offline.

What it is asked is what the model would have seen.
"""

import json
import threading
from collections.abc import Callable
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from attrs import define, field, frozen

from tests.end_to_end.clients.dialects.anthropic import Messages
from tests.end_to_end.clients.dialects.completions import Completions
from tests.end_to_end.clients.dialects.dialect import Calls, Dialect, Json, Says, Step, Thinks
from tests.end_to_end.clients.dialects.gemini import GenerateContent
from tests.end_to_end.clients.dialects.responses import Responses

__all__ = ["Calls", "Reacts", "Says", "ScriptedMessages", "Seen", "Step", "Thinks"]

_DIALECTS: tuple[Dialect, ...] = (Messages(), Responses(), Completions(), GenerateContent())


@frozen
class Seen:
    """One request of the main loop, with what the model saw before a step."""

    request: Json
    dialect: Dialect = _DIALECTS[0]

    @property
    def told(self) -> str:
        """Return all text except the tools' results, including a server's instructions."""
        return self.dialect.told(self.request)

    @property
    def tools(self) -> dict[str, Json]:
        """The tools on offer, by name."""
        return self.dialect.tools(self.request)

    @property
    def results(self) -> list[Json]:
        """The results of the tools called so far."""
        return self.dialect.results(self.request)

    @property
    def replies(self) -> list[str]:
        """Return the server's texts in these results."""
        return [self.dialect.reply(each) for each in self.results]


Reacts = Callable[[Seen], Step]
"""The step that the model takes because of what it saw."""


@define(eq=False)
class ScriptedMessages:
    """The API on a free loopback port. Each request that offers tools gets the next step of the script.

    Side requests of a client, and requests after the end of the script, get a one-word answer.
    """

    script: list[Step | Reacts]
    seen: list[Seen] = field(init=False, factory=list)
    """Everything that the model saw before each step."""

    failures: list[Exception] = field(init=False, factory=list)
    """Errors that reactions raised."""

    _turn: threading.Lock = field(init=False, factory=threading.Lock)
    _last: Step | None = field(init=False, default=None)
    _server: ThreadingHTTPServer = field(init=False)

    def __enter__(self) -> Self:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, self))
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        assert self.failures == []

    @property
    def url(self) -> str:
        """Base address."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def answer(self, asked: Seen) -> tuple[Step, int]:
        """Return the step that answers a request, and its number."""
        with self._turn:
            step = self._step(asked) if asked.tools else Says("done")
            return step, len(self.seen)

    def _step(self, asked: Seen) -> Step:
        """Return the next step. A request repeated after a timeout gets the same step."""
        conversation = asked.dialect.conversation
        if self._last is None or conversation(asked.request) != conversation(self.seen[-1].request):
            self.seen.append(asked)
            following = self.script.pop(0) if self.script else Says("done")
            try:
                self._last = following if isinstance(following, Step) else following(asked)
            except Exception as error:  # noqa: BLE001 - the test has it when the session is over
                self.failures.append(error)
                self._last = Says("failed")
        return self._last


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, messages: ScriptedMessages, *connection: Any) -> None:
        self.messages = messages
        super().__init__(*connection)  # which answers requests until the connection ends

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""

    def do_HEAD(self) -> None:
        self._send(200, b"")

    def do_GET(self) -> None:
        self._send(404, b"{}")

    def do_POST(self) -> None:
        body = self._body()
        path = self.path.partition("?")[0]
        dialect = next((each for each in _DIALECTS if each.takes(path)), None)
        if dialect is not None:
            request = json.loads(body)
            step, number = self.messages.answer(Seen(request, dialect))
            if dialect.streams(request, path):
                events = dialect.events(step, request, number)
                self._send(200, "".join(map(_event, events)).encode(), "text/event-stream")
            else:
                self._send(200, json.dumps(dialect.whole(step, request, number)).encode())
        elif "count_tokens" in path:
            self._send(200, b'{"input_tokens": 12000}')
        elif path.endswith(":countTokens"):
            self._send(200, b'{"totalTokens": 12000}')
        else:
            self._send(404, b"{}")

    def _body(self) -> bytes:
        if self.headers.get("transfer-encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        chunks = []
        while length := int(self.rfile.readline().partition(b";")[0], 16):
            chunks.append(self.rfile.read(length))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(chunks)

    def _send(self, status: int, body: bytes, kind: str = "application/json") -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def _event(event: tuple[str, Json | str]) -> str:
    name, data = event
    said = data if isinstance(data, str) else json.dumps(data)
    return f"event: {name}\ndata: {said}\n\n" if name else f"data: {said}\n\n"
