"""Server process, from start to graceful shutdown."""

# Nine tenths of a start are imports. A third of the imports' time is the garbage collector, which finds no garbage
# in modules. So the collector is off until the end of the imports, and then ignores all modules.
import gc

gc.disable()

import ctypes  # noqa: E402 - see above
import linecache  # noqa: E402 - see above
import logging  # noqa: E402 - see above
import sys  # noqa: E402 - see above
from collections.abc import Callable, Iterator  # noqa: E402 - see above
from contextlib import ExitStack, suppress  # noqa: E402 - see above
from pathlib import Path  # noqa: E402 - see above
from threading import Lock  # noqa: E402 - see above
from typing import TYPE_CHECKING, NoReturn  # noqa: E402 - see above

from attrs import define, field  # noqa: E402 - see above

from lamella.caller import Caller  # noqa: E402 - see above
from lamella.container import Lamella, forwards_tools, keeps_hook_copy, open_history, open_shared_folders, running  # noqa: E402 - see above
from lamella.domain.call import Call  # noqa: E402 - see above
from lamella.domain.errors import MemoryOffError  # noqa: E402 - see above
from lamella.settings import Settings  # noqa: E402 - see above
from lamella_adapters.background import Copying, Job, Learning, Maintaining, Sharing, begin  # noqa: E402 - see above
from lamella_adapters.mcp import sdk  # noqa: E402, F401 - must be imported before the SDK
from lamella_adapters.mcp.early.front import Front  # noqa: E402 - see above
from lamella_adapters.mcp.early.record import Recording  # noqa: E402 - see above
from lamella_adapters.mcp.server.handlers import make_server  # noqa: E402 - see above
from lamella_adapters.mcp.toolsets.registry import chosen, instructions  # noqa: E402 - see above
from lamella_adapters.mcp.transport.stdio import serve_stdio  # noqa: E402 - see above

if TYPE_CHECKING:
    from lamella.ports.shared_folder import Share

gc.freeze()
gc.enable()

# attrs leaves the source of all generated methods in this cache, for tracebacks: 0.4 MB.
linecache.clearcache()

_M_ARENA_MAX = -8
"""`mallopt`'s name for the number of heaps (malloc.h of glibc)."""


def serve(
    settings: Settings,
    open_caller: Callable[[], Caller],
    *,
    toolset: str,
    front: Front | None = None,
    keep_replies: Callable[[dict[str, str]], None] | None = None,
) -> NoReturn:
    """Serve MCP on stdin and stdout until the client is done, then end the process.

    Storage is opened by the first call, or as soon as hooks have captured memories. If storage can't be opened,
    the server lists its tools anyway, and each call answers with the reason and a remedy.

    Args:
        settings: Settings of the process.
        open_caller: Returns the client of the process. Called at the first call of a tool.
        toolset: Names of the toolsets, with commas between the names.
        front: Thread that has answered the client so far.
        keep_replies: Stores the server's answers to the first requests of clients. None if they are stored
            already.

    Raises:
        InvalidValueError: A toolset doesn't exist.
    """
    _share_one_heap()
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="lamella: %(message)s")
    opened = _OnFirstUse(settings, open_caller)
    forward = toolset if forwards_tools(settings) else None
    tools = chosen(toolset, all_projects=settings.all_projects and not forward)
    server = make_server(tools, instructions(toolset), opened.for_call, forward=forward)
    sharing = Sharing(lambda: opened.uses, opened.begins_sharing, opened.shared_stamp, opened.sync)
    jobs: list[Job] = [sharing, Maintaining(lambda: opened.uses, opened.maintain)]
    if keeps_hook_copy(settings):
        jobs.append(Copying(lambda: opened.uses, opened.copy))
    if settings.learns_commits:
        jobs.append(Learning(opened.head, opened.learn))
    if keep_replies:
        jobs.append(Recording(server, keep_replies))
    background = begin(settings, opened.use, *jobs)

    def close() -> None:
        background.close()
        opened.close()

    serve_stdio(server, front=front, on_shutdown=close)


def _share_one_heap() -> None:
    """Make all threads share the main heap, if the C library is glibc. Call this before any thread starts.

    By default, glibc gives each thread a heap, and shrinks the heap at the end of a query. The next query must
    then load every page again, which costs a tenth of a recall's time (measured over stdio: `bench/README.md`).
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_ARENA_MAX, 1)


@define
class _OnFirstUse:
    """Use cases, opened on demand. After a failure, the next call tries again. `uses` counts calls of `use`."""

    settings: Settings
    open_caller: Callable[[], Caller]
    uses: int = 0
    _lamella: Lamella | None = None
    _caller: Caller | None = None
    _share: "Share | None" = None
    _placed: bool = False
    """True if the project of the server's working directory was already looked up."""
    _open: ExitStack = field(factory=ExitStack)
    _lock: Lock = field(factory=Lock)

    def use(self) -> Lamella:
        """Return the use cases.

        Raises:
            LamellaError: The settings are invalid, or the storage can't be opened.
        """
        with self._lock:
            self.uses += 1
        return self._opened()

    def _opened(self) -> Lamella:
        with self._lock:
            if self._lamella is None:
                self._lamella = self._open.enter_context(running(self.settings))
            return self._lamella

    def call(self, request: str | None = None) -> Call:
        """Return the context of a call with this id from the client."""
        with self._lock:
            if self._caller is None:
                self._caller = self.open_caller()
            caller = self._caller
        return caller.call(request=request)

    def for_call(self, _: object, request: str | None) -> tuple[Lamella, Call]:
        """Return the use cases and the context of a call with this id from the client."""
        return self.use(), self.call(request)

    def maintain(self) -> bool:
        """Run a step of maintenance, if storage is open. Return True if more may be pending."""
        return self._lamella is not None and self._lamella.look_after()

    def begins_sharing(self) -> bool:
        """Return True if a project shares a folder in the working tree of the server's working directory."""
        return open_shared_folders(self.settings).around(Path.cwd())

    def shared_stamp(self) -> str:
        """Return a stamp that changes with the files of the shared folder; empty without a shared folder."""
        return "" if self._share is None else open_shared_folders(self.settings).stamp(self._share)

    def sync(self) -> Iterator[object]:
        """Sync the project's shared folder, if the project has a shared folder. Yield after each step."""
        lamella, call, account = self._opened(), self.call(), None
        self._share = lamella.share.shared(call)
        if self._share is not None:
            for account in lamella.share(call):
                yield account
        if account is not None and (account.new or account.edited):
            # Count an import as a use: imported memories need index maintenance, too.
            self.uses += 1

    def copy(self) -> Iterator[object]:
        """Copy changes of this machine's projects into the copy that hooks read. Yield after each step."""
        lamella = self._opened()
        if not self._placed:
            call = self.call()
            lamella.projects.everywhere(call)
            with suppress(MemoryOffError):
                lamella.projects.find(call)
            # If calls are forwarded, another server may create projects at any time. So look again next time.
            self._placed = not forwards_tools(self.settings)
        yield from lamella.keep_hook_copy()

    def head(self) -> str | None:
        """Return the commit that is checked out in the server's working directory."""
        return open_history().head(Path.cwd())

    def learn(self) -> Iterator[object]:
        """Learn from the latest commits. Yield after each step."""
        yield from self._opened().learn_history.unasked(self.call())

    def close(self) -> None:
        """Close the storage, unless an abandoned thread is opening it."""
        if self._lock.acquire(blocking=False):
            self._open.close()
