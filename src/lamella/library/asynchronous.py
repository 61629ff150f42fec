"""Asynchronous API: the methods of `Memory` as coroutines, each running in a worker thread."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager
from contextvars import copy_context
from functools import partial, wraps
from typing import Concatenate, ParamSpec, TypeVar

from attrs import frozen

from lamella.domain.errors import MemoryClosedError
from lamella.library.memory import Memory
from lamella.library.opening import open_memory
from lamella.library.results import Stream

_Given = ParamSpec("_Given")
_Reply = TypeVar("_Reply")

_THREADS = 8
"""Maximum number of concurrent calls. Further calls would only wait, because a file has one writer at a time."""


class _Threads(ThreadPoolExecutor):
    """Threads of memories that coroutines have opened."""

    _closed = False

    def submit(
        self, fn: Callable[_Given, _Reply], /, *args: _Given.args, **kwargs: _Given.kwargs
    ) -> Future[_Reply]:
        """Run a call in a thread, unless the memories are closed before it begins."""

        def begun() -> _Reply:
            if self._closed:
                raise MemoryClosedError
            return fn(*args, **kwargs)

        if self._closed:
            raise MemoryClosedError
        return super().submit(begun)

    def close(self) -> None:
        """Refuse queued calls, and wait for running calls."""
        self._closed = True
        self.shutdown()


def _awaitable(
    method: Callable[Concatenate[Memory, _Given], _Reply],
) -> "Callable[Concatenate[AsyncMemory, _Given], Awaitable[_Reply]]":
    """Wrap a method of `Memory` as a coroutine function."""

    @wraps(method)
    async def called(self: "AsyncMemory", /, *args: _Given.args, **kwargs: _Given.kwargs) -> _Reply:
        call = partial(copy_context().run, partial(method, self._memory, *args, **kwargs))
        reply = await asyncio.get_running_loop().run_in_executor(self._threads, call)
        if isinstance(reply, Stream):
            reply.threads = self._threads
        return reply

    return called


def _beside(
    method: Callable[Concatenate[Memory, _Given], Memory],
) -> "Callable[Concatenate[AsyncMemory, _Given], AsyncMemory]":
    """Wrap a method that returns a `Memory`. The wrapper returns an `AsyncMemory`."""

    @wraps(method)
    def made(self: "AsyncMemory", /, *args: _Given.args, **kwargs: _Given.kwargs) -> "AsyncMemory":
        return AsyncMemory(method(self._memory, *args, **kwargs), self._threads)

    return made


@frozen
class AsyncMemory:
    """Asynchronous version of `Memory`. Iterate over streams and search results with `async for`.

    Cancelling a task returns immediately. A queued call is dropped. A running call finishes in its thread, so a
    save is either complete or not done at all. When the memories close, queued calls raise `MemoryClosedError`.

    Example:
        >>> async def titles(question):
        ...     async with lamella.open_async(storage="memory:") as memory:
        ...         await memory.save("Staging is reset every night.")
        ...         return [hit.observation.title async for hit in await memory.search(question)]
        >>> asyncio.run(titles("staging"))
        ['Staging is reset every night.']
    """

    _memory: Memory
    _threads: ThreadPoolExecutor

    at = _beside(Memory.at)
    save = _awaitable(Memory.save)
    replace = _awaitable(Memory.replace)
    search = _awaitable(Memory.search)
    recall = _awaitable(Memory.recall)
    similar = _awaitable(Memory.similar)
    get = _awaitable(Memory.get)
    timeline = _awaitable(Memory.timeline)
    history = _awaitable(Memory.history)
    purge = _awaitable(Memory.purge)
    restore = _awaitable(Memory.restore)
    erase = _awaitable(Memory.erase)
    delete = _awaitable(Memory.delete)
    check_edit = _awaitable(Memory.check_edit)
    file_history = _awaitable(Memory.file_history)
    recall_messages = _awaitable(Memory.recall_messages)
    show_message = _awaitable(Memory.show_message)
    sessions = _awaitable(Memory.sessions)
    messages = _awaitable(Memory.messages)
    add_messages = _awaitable(Memory.add_messages)
    erase_conversation = _awaitable(Memory.erase_conversation)
    log = _awaitable(Memory.log)
    undo = _awaitable(Memory.undo)
    export = _awaitable(Memory.export)
    import_from = _awaitable(Memory.import_from)
    projects = _awaitable(Memory.projects)
    merge = _awaitable(Memory.merge)
    split = _awaitable(Memory.split)
    switch = _awaitable(Memory.switch)
    status = _awaitable(Memory.status)


def _in_threads(
    opening: Callable[_Given, AbstractContextManager[Memory]],
) -> Callable[_Given, AbstractAsyncContextManager[AsyncMemory]]:
    """Turn a context manager that opens memories into an asynchronous one."""

    @wraps(opening)
    @asynccontextmanager
    async def opened(*args: _Given.args, **kwargs: _Given.kwargs) -> AsyncIterator[AsyncMemory]:
        manager = opening(*args, **kwargs)
        memory = await asyncio.to_thread(manager.__enter__)
        threads = _Threads(_THREADS, "lamella")

        def close() -> None:
            threads.close()
            manager.__exit__(None, None, None)

        try:
            yield AsyncMemory(memory, threads)
        finally:
            await asyncio.shield(asyncio.to_thread(close))

    return opened


open_async = _in_threads(open_memory)
