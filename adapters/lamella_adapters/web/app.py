"""ASGI application of the web pages."""

import logging
from collections.abc import Awaitable, Callable
from pathlib import Path

from attrs import define
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from lamella.caller import Caller
from lamella.container import Lamella
from lamella.domain.conversations.errors import MessageNotFoundError, UnknownSessionError
from lamella.domain.errors import LamellaError, MemoryOffError, StorageError, UnknownProjectError
from lamella.domain.memories.errors import NothingFoundError, ObservationNotFoundError
from lamella_adapters.web.guards.forms import form_token, read_form, require_token
from lamella_adapters.web.guards.gate import Gate
from lamella_adapters.web.guards.uploads import Uploads, read_upload
from lamella_adapters.web.live import PATH, Live
from lamella_adapters.web.page_context import THEME, PageContext, said_to_person
from lamella_adapters.web.pages import ROUTES, UPLOADS, Page
from lamella_adapters.web.tables import TABLES

_STATIC = Path(__file__).with_name("static")
_NOT_FOUND = (
    NothingFoundError,
    ObservationNotFoundError,
    MessageNotFoundError,
    UnknownProjectError,
    UnknownSessionError,
)

_logger = logging.getLogger(__name__)


def guarded(lamella: Lamella, caller: Caller, port: int, data_directory: Path, live: Live) -> Gate:
    """Return the application behind its gate.

    Args:
        lamella: Use cases.
        caller: Makes the call of each request.
        port: Port that the server listens on.
        data_directory: Data directory; uploads are stored on its disk.
        live: Streams of events that notify pages of changes.
    """
    site = _Site(lamella, caller, Uploads(data_directory), live)
    pages = [
        Route(path, site.answering(page, with_file=path in UPLOADS), methods=[method])
        for path, methods in ROUTES.items()
        for method, page in methods.items()
    ]
    files = [
        Route(path, Response((_STATIC / each["file"]).read_bytes(), media_type=each["type"]), methods=["GET"])
        for path, each in TABLES["static"].items()
    ]
    # Handle disconnects too: nobody receives the response, but an unhandled error would be logged.
    handlers = {HTTPException: site.refused, ClientDisconnect: site.refused}
    events = Route(PATH, site.events, methods=["GET"])
    app = Starlette(routes=[*pages, *files, events], exception_handlers=handlers)
    app.router.redirect_slashes = False
    gate = Gate(app, port)
    site.cookie = gate.cookie
    return gate


@define(eq=False)
class _Site:
    """Builder of the context of each request, and of error pages."""

    lamella: Lamella
    caller: Caller
    uploads: Uploads
    live: Live
    cookie: str = ""

    def answering(self, page: Page, *, with_file: bool) -> Callable[[Request], Awaitable[Response]]:
        """Return an endpoint that runs a page function in a separate thread."""

        async def answer(request: Request) -> Response:
            context = self._context(request)
            try:
                if request.method == "POST" and with_file:
                    context.form, context.upload = await read_upload(request, self.cookie, self.uploads)
                elif request.method == "POST":
                    context.form = await read_form(request)
                    require_token(context.form, self.cookie)
            except HTTPException as error:
                return await run_in_threadpool(context.refuse, error.detail, error.status_code)
            if request.method == "GET" and "" in request.query_params.values():
                return context.without_empty()
            return await run_in_threadpool(_answered, page, context)

        return answer

    async def events(self, request: Request) -> Response:
        """Return the event stream of a project. A HEAD request gets no events."""
        if request.method == "HEAD":
            return Response(media_type="text/event-stream")
        return self.live.answer(self._context(request))

    def _context(self, request: Request) -> PageContext:
        return PageContext(
            lamella=self.lamella,
            caller=self.caller,
            path=request.url.path,
            asked=request.query_params,
            form_token=form_token(self.cookie),
            uploads=self.uploads,
            theme=request.cookies.get(THEME, ""),
        )

    async def refused(self, request: Request, error: Exception) -> Response:
        """Return the page about an invalid request."""
        status = error.status_code if isinstance(error, HTTPException) else 400
        sentence = {404: "There is no such page.", 405: "This page does not support this method."}.get(status)
        sentence = sentence or str(getattr(error, "detail", error))
        return await run_in_threadpool(self._context(request).refuse, sentence, status)


def _answered(page: Page, context: PageContext) -> Response:
    try:
        context.direct_home()
        return page(context)
    except LamellaError as error:
        status = 404 if isinstance(error, _NOT_FOUND) else 503 if isinstance(error, StorageError) else 400
        leads = {"All projects": "/projects"} if isinstance(error, UnknownProjectError) else {}
        return context.refuse(said_to_person(error), status, off=isinstance(error, MemoryOffError), leads=leads)
    except HTTPException as error:
        return context.refuse(error.detail, error.status_code)
    except Exception:
        # Log the reason, because the response must not show it.
        _logger.exception("A page failed: %s", context.path)
        return context.refuse(
            "Something went wrong inside lamella. The terminal of `lamella web` says where.", 500
        )
