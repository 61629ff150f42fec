"""Results that are read step by step, also from coroutines."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Generic, TypeVar

from attrs import define, field

from lamella.domain.memories.query import Hit
from lamella.library.wording import for_programs

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from lamella.domain.conversations.query import MessageHit
    from lamella.domain.replies.answer import Answer

_T = TypeVar("_T")

_AT_A_TIME = 50
"""Results that a thread reads for a coroutine before it goes on."""


@define(eq=False)
class Stream(Generic[_T]):
    """Results one by one, read when they are asked for. Also iterable with `async for`."""

    _read: Callable[[], Iterator[_T]]
    _threads: Executor | None = field(default=None, init=False)

    def __iter__(self) -> Iterator[_T]:
        """Read from the first result on."""
        with for_programs():
            yield from self._read()

    async def __aiter__(self) -> AsyncIterator[_T]:
        """Read from the first result on, in a thread."""
        import asyncio  # noqa: PLC0415 - only coroutines need it, and it is large

        results, loop = iter(self), asyncio.get_running_loop()
        while some := await loop.run_in_executor(self._threads, list, islice(results, _AT_A_TIME)):
            for each in some:
                yield each

    def in_threads(self, threads: Executor) -> None:
        """Let these threads read for coroutines."""
        self._threads = threads


@define(eq=False)
class SearchResults(Stream[Hit]):
    """Memories that a search finds. Iterating reads all of them, best first, in constant memory.

    Without a limit, what comes after the best 1,000 of a search by text comes by time, latest first.
    """

    _answer: Answer
    _offset: int

    @property
    def hits(self) -> tuple[Hit, ...]:
        """First hits, up to the limit, by default 50."""
        return self._answer.hits[self._offset :]

    @property
    def messages(self) -> tuple[MessageHit, ...]:
        """Messages of past conversations, if they were asked for."""
        return self._answer.messages

    @property
    def missing(self) -> tuple[str, ...]:
        """Ids that no memory has, if ids were asked for."""
        return self._answer.missing

    @property
    def notices(self) -> tuple[str, ...]:
        """Limits of the search, in a few words each."""
        return self._answer.notices
