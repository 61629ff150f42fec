"""A server behind `Access`: it asks for a scope, and says who it thinks is there."""

import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from threading import Thread

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from lamella.domain.access.grant import Scope
from lamella_adapters.mcp.http.access.access import Access
from lamella_adapters.mcp.http.access.authenticator import ProviderUnreachableError, RefusedError
from tests.waiting import HANG_SECONDS

PATH = "/mcp"


@contextmanager
def listening() -> Iterator[tuple[socket.socket, str]]:
    """Yield a bound socket, and the address of the server to start on it."""
    with closing(socket.create_server(("127.0.0.1", 0))) as there:
        yield there, f"http://127.0.0.1:{there.getsockname()[1]}{PATH}"


@contextmanager
def serving(there: socket.socket, access: Access) -> Iterator[None]:
    """Serve on a socket."""

    async def answer(request: Request) -> Response:
        needed = Scope((await request.json())["needs"])
        try:
            grant = await run_in_threadpool(access.authenticator.grant, request.headers.get("Authorization"))
            if needed not in grant.scopes:
                raise access.challenges.insufficient(needed)
        except RefusedError as error:
            headers = {"WWW-Authenticate": error.challenge}
            return JSONResponse({"error": str(error)}, error.status, headers=headers)
        except ProviderUnreachableError as error:
            return JSONResponse({"error": str(error)}, 503)
        said = {"tenant": grant.tenant, "author": grant.author, "name": grant.name}
        return JSONResponse({**said, "scopes": sorted(grant.scopes)})

    app = Starlette(routes=[Route(PATH, answer, methods=["POST"]), *access.routes])
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="off"))
    thread = Thread(target=server.run, kwargs={"sockets": [there]})
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join(HANG_SECONDS)
