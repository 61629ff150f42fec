"""Answers to single requests of the older protocol versions.

This server has no sessions. For a request of these versions, the SDK would nevertheless start a session with three
tasks.
"""

from typing import Any

import anyio
import pydantic_core
from attrs import field, frozen
from mcp.server.connection import Connection
from mcp.server.lowlevel import Server
from mcp.server.runner import serve_one
from mcp.server.streamable_http import CONTENT_TYPE_JSON, check_accept_headers
from mcp.shared.exceptions import NoBackChannelError
from mcp.shared.inbound import MCP_PROTOCOL_VERSION_HEADER
from mcp.shared.jsonrpc_dispatcher import handler_exception_to_error_data
from mcp.shared.message import ServerMessageMetadata
from mcp.shared.transport_context import TransportContext
from mcp_types import DEFAULT_NEGOTIATED_VERSION, JSONRPCError, JSONRPCRequest, JSONRPCResponse, RequestId
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response

_TRANSPORT = TransportContext(kind="streamable-http", can_send_request=False)


@frozen(eq=False)
class _Exchange:
    """SDK's context of a request without a channel back to the caller. Notifications are dropped."""

    request_id: RequestId
    message_metadata: ServerMessageMetadata
    transport: TransportContext = _TRANSPORT
    can_send_request: bool = False
    cancel_requested: anyio.Event = field(factory=anyio.Event)

    async def send_raw_request(self, method: str, *_: object, **__: object) -> dict[str, Any]:
        raise NoBackChannelError(method)

    async def notify(self, *_: object, **__: object) -> None: ...

    async def progress(self, *_: object, **__: object) -> None: ...


def direct_call(request: Request, body: bytes) -> JSONRPCRequest | None:
    """Return the call in a body; None if the SDK has to validate, refuse or answer it."""
    headers = request.headers
    versions = headers.getlist(MCP_PROTOCOL_VERSION_HEADER) or [DEFAULT_NEGOTIATED_VERSION]
    kind = headers.get("content-type", "").partition(";")[0].strip()
    if versions[0] not in HANDSHAKE_PROTOCOL_VERSIONS or kind != CONTENT_TYPE_JSON:
        return None
    if not check_accept_headers(request)[0]:
        return None
    try:
        return JSONRPCRequest.model_validate(pydantic_core.from_json(body), by_name=False)
    except (ValueError, ValidationError):
        return None


async def answer(server: Server[Any], call: JSONRPCRequest, request: Request) -> Response:
    """Return the response to a call, as the SDK's session would.

    Raises:
        Exception: The server's handlers failed unexpectedly.
    """
    version = request.headers.get(MCP_PROTOCOL_VERSION_HEADER, DEFAULT_NEGOTIATED_VERSION)
    exchange = _Exchange(call.id, ServerMessageMetadata(request_context=request))
    connection = Connection.from_envelope(version, None, None)
    made: JSONRPCResponse | JSONRPCError
    try:
        result = await serve_one(
            server, exchange, call.method, call.params, connection=connection, lifespan_state={}
        )
        made = JSONRPCResponse(jsonrpc="2.0", id=call.id, result=result)
    except Exception as error:
        data = handler_exception_to_error_data(error)
        if data is None:
            raise
        made = JSONRPCError(jsonrpc="2.0", id=call.id, error=data)
    return Response(made.model_dump_json(by_alias=True, exclude_unset=True), media_type=CONTENT_TYPE_JSON)
