"""Recording of a server's answers to the first requests of clients.

`python -m lamella_adapters.mcp.early.record` writes the package's own replies.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import anyio
from attrs import define
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCMessage, JSONRPCRequest, JSONRPCResponse
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from lamella_adapters.background import Pause
from lamella_adapters.mcp.early import replies
from lamella_adapters.mcp.early.front import MEMORIES, METADATA, key
from lamella_adapters.mcp.server.handlers import make_server
from lamella_adapters.mcp.toolsets.registry import chosen, instructions
from lamella_adapters.mcp.transport.wire import encode
from lamella_adapters.process.start import TOOLSETS

_TEMPLATES = "resources/templates/list"
_LISTS = ("tools/list", "prompts/list", _TEMPLATES)
_CLIENT = {"name": "lamella", "version": "0"}
_ID = "?"


async def recorded(server: Server[Any]) -> dict[str, str]:
    """Return a server's replies, as `Recorded` takes them. No memory is read."""
    found: dict[str, str] = {}
    for version in HANDSHAKE_PROTOCOL_VERSIONS:
        asked = {"protocolVersion": version, "capabilities": {}, "clientInfo": _CLIENT}
        await _record(server, version, [("initialize", asked), *((each, {}) for each in ("ping", *_LISTS))], found)
    for version in MODERN_PROTOCOL_VERSIONS:
        given = {"protocolVersion": version, "clientInfo": _CLIENT, "clientCapabilities": {}}
        metadata = {"_meta": {f"{METADATA}{name}": value for name, value in given.items()}}
        await _record(server, version, [(each, metadata) for each in ("server/discover", *_LISTS)], found)
    return found


async def _record(
    server: Server[Any], version: str, asked: list[tuple[str, dict[str, Any]]], found: dict[str, str]
) -> None:
    """Send the requests `asked` to a server over a separate connection, and store its replies in `found`."""
    send, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](1)
    outgoing, receive = anyio.create_memory_object_stream[SessionMessage](1)
    async with send, receive, anyio.create_task_group() as tasks:
        tasks.start_soon(server.run, incoming, outgoing, server.create_initialization_options())
        for method, params in asked:
            await send.send(SessionMessage(JSONRPCRequest(jsonrpc="2.0", id=_ID, method=method, params=params)))
            found.update(_behind_id(key(method, version), (await receive.receive()).message))
        if templates := found.get(key(_TEMPLATES, version)):
            # Derive the reply for an empty list of memories from the reply that lists templates. Both replies have
            # the same other fields, which depend on the version of the protocol.
            reply = json.loads(f'{{"id":0{templates}')
            reply["result"]["resources"] = reply["result"].pop("resourceTemplates")[:0]
            rest = json.dumps({"result": reply["result"]}, separators=(",", ":")).removeprefix("{")
            found[key(MEMORIES, version)] = f",{rest}\n"
        tasks.cancel_scope.cancel()


def _behind_id(named: str, reply: JSONRPCMessage) -> Iterator[tuple[str, str]]:
    head, id, rest = encode(reply).decode().partition(f'"id":"{_ID}"')
    if isinstance(reply, JSONRPCResponse) and id and head == '{"jsonrpc":"2.0",':
        yield named, rest


@define(eq=False)
class Recording:
    """Background job that records the replies of a server once.

    Attributes:
        server: The server.
        keep: Stores the replies.
    """

    server: Server[Any]
    keep: Callable[[dict[str, str]], None]
    _done: bool = False

    def __call__(self, _: Pause) -> None:
        """Record the replies, unless this was already tried."""
        if not self._done:
            self._done = True
            self.keep(anyio.run(recorded, self.server))


def empty_server(toolset: str) -> Server[Any]:
    """Return a server of a toolset, without memories."""
    return make_server(chosen(toolset), instructions(toolset), _no_memories)


def _no_memories(*_: object) -> NoReturn:
    raise NotImplementedError


def main() -> None:
    """Write the package's own replies."""
    for toolset in TOOLSETS:
        text = replies.as_shipped(anyio.run(recorded, empty_server(toolset)))
        Path(replies.SHIPPED, f"{toolset}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
