"""The life of a server process."""

# Nine tenths of a start are imports, and a third of those is the garbage collector looking at modules in vain:
# it is off until everything is imported, and then told to leave all of that alone for good.
import gc

gc.disable()

import linecache  # noqa: E402 - see above
import logging  # noqa: E402 - see above
import sys  # noqa: E402 - see above
from contextlib import ExitStack  # noqa: E402 - see above
from functools import partial  # noqa: E402 - see above
from threading import Lock  # noqa: E402 - see above
from typing import NoReturn  # noqa: E402 - see above

from attrs import define, field  # noqa: E402 - see above

from lamella.container import Lamella, Settings, open_spool, running  # noqa: E402 - see above
from lamella_adapters.mcp.allocator import share_one_heap  # noqa: E402 - see above
from lamella_adapters.mcp.server.background import Background, Draining, Tidying  # noqa: E402 - see above
from lamella_adapters.mcp.server.handlers import make_server  # noqa: E402 - see above
from lamella_adapters.mcp.toolsets.registry import chosen, instructions  # noqa: E402 - see above
from lamella_adapters.mcp.transport.stdio import serve_stdio  # noqa: E402 - see above

gc.freeze()
gc.enable()

# attrs leaves the source of all methods that it made there, for tracebacks: 0.4 MB.
linecache.clearcache()


def serve(settings: Settings, *, toolset: str = "unified") -> NoReturn:
    """Serves MCP on stdin and stdout until the client is done, then ends the process.

    Storage is opened by the first call, or as soon as hooks have captured something. If it can't be, the server
    lists its tools all the same, and each call answers why and what to do.

    Raises:
        InvalidValueError: there is no such toolset.
    """
    share_one_heap()
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="lamella: %(message)s")
    opened = _OnFirstUse(settings)
    server = make_server(chosen(toolset), instructions(toolset), opened.use)
    draining = Draining(partial(open_spool, settings), opened.use)
    background = Background([draining, Tidying(lambda: opened.uses, opened.tidy)])
    background.start()

    def close() -> None:
        background.close()
        opened.close()

    serve_stdio(server, on_shutdown=close)


@define
class _OnFirstUse:
    """The use cases, made when first asked for; tried again where that failed. `uses` counts who asked."""

    settings: Settings
    uses: int = 0
    _lamella: Lamella | None = None
    _open: ExitStack = field(factory=ExitStack)
    _turn: Lock = field(factory=Lock)

    def use(self) -> Lamella:
        """The use cases.

        Raises:
            LamellaError: the settings or the storage don't allow it.
        """
        with self._turn:
            if self._lamella is None:
                self._lamella = self._open.enter_context(running(self.settings))
            self.uses += 1
            return self._lamella

    def tidy(self) -> bool:
        """Tidies what is open; whether there may be more of that to do."""
        return self._lamella is not None and self._lamella.tidy()

    def close(self) -> None:
        """Gives storage back, unless a thread that was abandoned is just opening it."""
        if self._turn.acquire(blocking=False):
            self._open.close()
