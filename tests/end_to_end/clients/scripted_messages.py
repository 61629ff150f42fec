"""A stand-in for the messages API: it plays a script, so that the real Claude Code runs its whole loop offline.

What it is asked is what the model would have seen.
"""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from attrs import define, field, frozen

Json = dict[str, Any]


@frozen
class Calls:
    """The model calls a tool."""

    tool: str
    arguments: Mapping[str, Any]

    stop_reason = "tool_use"

    def block(self, number: int) -> Json:
        # The number begins at 1 with each script, so that two sessions have calls of the same id.
        return {"type": "tool_use", "id": f"toolu_{number}", "name": self.tool, "input": {}}

    def delta(self) -> Json:
        return {"type": "input_json_delta", "partial_json": json.dumps(dict(self.arguments))}


@frozen
class Says:
    """The model says something, which ends its turn."""

    text: str

    stop_reason = "end_turn"

    def block(self, number: int) -> Json:
        del number
        return {"type": "text", "text": ""}

    def delta(self) -> Json:
        return {"type": "text_delta", "text": self.text}


@frozen
class Thinks:
    """The model thinks, and then says something or calls a tool, in one message."""

    thought: str
    then: Calls | Says

    @property
    def stop_reason(self) -> str:
        return self.then.stop_reason

    def block(self, number: int) -> Json:
        del number
        return {"type": "thinking", "thinking": "", "signature": ""}

    def delta(self) -> Json:
        return {"type": "thinking_delta", "thinking": self.thought}


Step = Calls | Says | Thinks


@frozen
class Seen:
    """One request of the main loop: what the model saw before a step."""

    request: Json

    @property
    def told(self) -> str:
        """All text but the tools' results; a server's instructions are in a reminder of the client's."""
        system = self.request.get("system", "")
        blocks = [{"type": "text", "text": system}] if isinstance(system, str) else system
        return "\n".join(each["text"] for each in [*blocks, *self._blocks()] if each["type"] == "text")

    @property
    def tools(self) -> dict[str, Json]:
        """The tools on offer, by name."""
        return {each["name"]: each for each in self.request["tools"]}

    @property
    def results(self) -> list[Json]:
        """The results of the tools called so far."""
        return [each for each in self._blocks() if each["type"] == "tool_result"]

    @property
    def replies(self) -> list[str]:
        """Texts of the server in those results."""
        return [_first_text(each["content"]) for each in self.results]

    def _blocks(self) -> Iterator[Json]:
        for message in self.request["messages"]:
            content = message["content"]
            yield from [{"type": "text", "text": content}] if isinstance(content, str) else content


Reacts = Callable[[Seen], Step]
"""The step that the model takes because of what it saw."""


@define(eq=False)
class ScriptedMessages:
    """The API on a free port of the loopback; each request that offers tools takes the next step of the script.

    Other requests, which a client makes on the side, are answered with a word. So is what comes after the script.
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

    def answer(self, request: Json) -> list[tuple[str, Json]]:
        """The events of the next message."""
        step: Step = Says("done")
        with self._turn:
            if request.get("tools"):
                step = self._step(request)
            number = len(self.seen)
        return _events(step, str(request.get("model")), number)

    def _step(self, request: Json) -> Step:
        """The next step; a request that is repeated, because its answer did not come in time, gets the same."""
        if self._last is None or request["messages"] != self.seen[-1].request["messages"]:
            self.seen.append(Seen(request))
            following = self.script.pop(0) if self.script else Says("done")
            try:
                self._last = following if isinstance(following, Step) else following(self.seen[-1])
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
        """Stays silent."""

    def do_HEAD(self) -> None:
        self._send(200, b"")

    def do_GET(self) -> None:
        self._send(404, b"{}")

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        if "count_tokens" in self.path:
            self._send(200, b'{"input_tokens": 12000}')
        elif "/v1/messages" not in self.path:
            self._send(404, b"{}")
        else:
            request = json.loads(body)
            events = self.messages.answer(request)
            if request.get("stream"):
                stream = "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in events)
                self._send(200, stream.encode(), "text/event-stream")
            else:
                self._send(200, json.dumps(_whole(events)).encode())

    def _send(self, status: int, body: bytes, kind: str = "application/json") -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def _events(step: Step, model: str, number: int) -> list[tuple[str, Json]]:
    message: Json = {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 1},
    }
    stop = {"stop_reason": step.stop_reason, "stop_sequence": None}
    events: list[Json] = [{"type": "message_start", "message": message}]
    for index, part in enumerate([step, step.then] if isinstance(step, Thinks) else [step]):
        events += [
            {"type": "content_block_start", "index": index, "content_block": part.block(number)},
            {"type": "content_block_delta", "index": index, "delta": part.delta()},
            {"type": "content_block_stop", "index": index},
        ]
    events += [
        {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 5}},
        {"type": "message_stop"},
    ]
    return [(each["type"], each) for each in events]


def _whole(events: list[tuple[str, Json]]) -> Json:
    """The message that the events make, for a client that doesn't stream."""
    data = dict(events)
    block, delta = data["content_block_start"]["content_block"], data["content_block_delta"]["delta"]
    filled = {"text": delta["text"]} if "text" in delta else {"input": json.loads(delta["partial_json"])}
    return {
        **data["message_start"]["message"],
        **data["message_delta"]["delta"],
        "content": [{**block, **filled}],
    }


def _first_text(content: str | list[Json]) -> str:
    """The server's text; the client may end it with a line break and put a reminder of its own behind it."""
    text = content if isinstance(content, str) else str(content[0]["text"])
    return text.partition("\n<system-reminder>")[0].removesuffix("\n")
