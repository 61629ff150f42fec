"""Client of a team's server: calls of its tools, and operations for hooks."""

import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

import httpx2
from attrs import define, field

from lamella.application.capture.serve_hooks import ServeHooks
from lamella.domain.call import Call
from lamella.domain.errors import InvalidValueError, StorageBusyError, StorageError, StorageUnreachableError
from lamella.ports.remote_tools import RemoteTools
from lamella_adapters.operations import CLIENT, EVERYWHERE, HOOKS, PROJECT, SESSION, TOOLSET, request, result
from lamella_adapters.process.connection import connection
from lamella_adapters.process.tables import sentences

P = ParamSpec("P")
T = TypeVar("T")
_Operation = Callable[Concatenate[ServeHooks, Call, P], T]

_SECONDS = httpx2.Timeout(35.0, connect=5.0)
"""Time limits of a request. The server itself gives up after 30 seconds."""

_SECONDS_IN_ALL, _MOST_BYTES = 60.0, 64 * 1024 * 1024
"""Limits of an answer: seconds and bytes. The server's own limits are far lower."""

_JSON = "application/json"
_HEADERS = {"accept": f"{_JSON}, text/event-stream", "content-type": _JSON, "mcp-protocol-version": "2025-11-25"}
_LARGE, _FINAL = 413, (200, 401, 403, 404)
"""HTTP statuses. The first is for a request that is too large. The others have texts in `errors.toml`.

With status 200, the response is an error of MCP.
"""

_TOOL_USE = "claudecode/toolUseId"
_ANYWHERE = Call(directory=Path("/"))


def server_at(url: str, data_directory: Path) -> "Server":
    """Return the client of the team's server at `url`, with the token stored in the data directory.

    Raises:
        StorageError: This data directory is not connected to the server.
    """
    known = connection(data_directory)
    place = url.partition("#")[0]
    if known is None or known.url != url or not known.token:
        raise StorageError(**sentences(__file__, "unconnected", url=place))
    return Server(place, known.token)


@define(eq=False)
class Server(RemoteTools):
    """Client of a team's server, with a person's token. Thread-safe."""

    url: str
    _token: str = field(repr=False)
    _client: httpx2.Client = field(init=False)

    def __attrs_post_init__(self) -> None:
        headers = {**_HEADERS, "authorization": f"Bearer {self._token}"}
        self._client = httpx2.Client(headers=headers, timeout=_SECONDS)

    def ask(self, operation: "_Operation[P, T]", *arguments: P.args, **_: P.kwargs) -> T:
        """Request an operation, a method of `ServeHooks`.

        Raises:
            StorageError: The server can't be reached, or refuses.
            InvalidValueError: The server doesn't understand the request.
        """
        name = operation.__name__
        answer = self.call(_ANYWHERE, HOOKS, HOOKS, {"request": request(name, arguments)})
        try:
            text, failed = str(answer["content"][0]["text"]), bool(answer.get("isError"))
            found = None if failed else result(name, text)
        except Exception as error:  # a server may send anything
            raise StorageError(**sentences(__file__, "200", url=self.url, why=type(error).__name__)) from error
        if failed:
            raise StorageError(**sentences(__file__, "refused", why=text.removesuffix(".")))
        return cast("T", found)

    def call(self, call: Call, toolset: str, name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """See `RemoteTools.call`."""
        named = {TOOLSET: toolset, PROJECT: call.default_project, SESSION: call.session, CLIENT: call.client}
        named[EVERYWHERE] = "off" if call.confined else None
        headers = {header.encode(): value.encode() for header, value in named.items() if value}
        meta = {} if call.request is None else {_TOOL_USE: call.request}
        params = {"name": name, "arguments": arguments, "_meta": meta}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        try:
            status, said = self._answer(body.encode(), headers)
        except (httpx2.HTTPError, httpx2.InvalidURL, RecursionError, TypeError, ValueError) as error:
            raise StorageUnreachableError(**sentences(__file__, "unreachable", url=self.url)) from error
        if "result" in said:
            return cast("Mapping[str, Any]", said["result"])
        if status == _LARGE:
            raise InvalidValueError(name="The request", given="larger", allowed="at most 4 MiB")
        why = str(said.get("error")).removesuffix(".")
        refusal = StorageError if status in _FINAL else StorageBusyError
        raise refusal(**sentences(__file__, str(status) if status in _FINAL else "busy", url=self.url, why=why))

    def _answer(self, body: bytes, headers: Mapping[bytes, bytes]) -> tuple[int, dict[str, Any]]:
        """Return the status and the JSON of an answer, unless it is too large or too slow."""
        content, ends_at = bytearray(), time.monotonic() + _SECONDS_IN_ALL
        with self._client.stream("POST", self.url, content=body, headers=headers) as answer:
            for piece in answer.iter_bytes():
                content += piece
                if len(content) > _MOST_BYTES or time.monotonic() > ends_at:
                    raise httpx2.ReadTimeout("endless")
        return answer.status_code, dict(json.loads(content))

    def close(self) -> None:
        """Close the connections."""
        self._client.close()
