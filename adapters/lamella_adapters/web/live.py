"""Server-sent events that notify a page of changes in its project."""

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import timedelta

from attrs import define
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from lamella.domain.errors import LamellaError
from lamella_adapters.web.page_context import PageContext

PATH = "/events"
"""Path of the events of a project."""

LOOKS_EVERY_SECONDS = 0.5
"""Interval of checking the storage for changes."""

_MARKED = timedelta(minutes=1)
"""Maximum age of activity at the beginning of a stream. Older activity is ignored."""

_CHANGED = b"event: changed\ndata:\n\n"
_ALIVE = b":\n\n"


@define(eq=False)
class Live:
    """Streams of events. The streams must end when the server stops, because the server waits for them.

    Attributes:
        ends: Returns True if the server is stopping.
    """

    ends: Callable[[], bool] = bool

    def answer(self, context: PageContext) -> StreamingResponse:
        """Return the events of a project, one for each change."""
        return StreamingResponse(self._events(context), media_type="text/event-stream")

    async def _events(self, context: PageContext) -> AsyncIterator[bytes]:
        since = context.lamella.projects.clock.now() - _MARKED

        def mark() -> object:
            try:
                return context.lamella.overview.mark(context.call, since)
            except LamellaError as error:
                return str(error)

        seen = await run_in_threadpool(mark)
        yield _ALIVE
        while not self.ends():
            await asyncio.sleep(LOOKS_EVERY_SECONDS)
            now = await run_in_threadpool(mark)
            if now != seen:
                seen = now
                yield _CHANGED
