"""Lazy results, for `for` and `async for`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Generic, TypeVar

from attrs import define, field

from lamella.domain.memories.query import Hit
from lamella.library.base import for_programs

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from lamella.domain.conversations.query import MessageHit
    from lamella.domain.replies.answer import Answer

_T = TypeVar("_T")

_AT_A_TIME = 50
"""Number of results that a worker thread reads at a time, on behalf of a coroutine."""


@define(eq=False)
class Stream(Generic[_T]):
    """Lazy iterable of results, for `for` and `async for`. `async for` reads in the executor `threads`."""

    _read: Callable[[], Iterator[_T]]
    threads: Executor | None = field(default=None, init=False)

    def __iter__(self) -> Iterator[_T]:
        """Iterate from the first result."""
        with for_programs():
            yield from self._read()

    async def __aiter__(self) -> AsyncIterator[_T]:
        """Iterate from the first result, reading in a worker thread."""
        import asyncio  # noqa: PLC0415 - only coroutines need it, and it is large

        results, loop = iter(self), asyncio.get_running_loop()
        while some := await loop.run_in_executor(self.threads, list, islice(results, _AT_A_TIME)):
            for each in some:
                yield each


@define(eq=False)
class SearchResults(Stream[Hit]):
    """Hits of a search. Iterating reads all of them, best first, in constant memory.

    Only the best 1,000 hits of a search by text are ranked. Without a limit, all other hits follow, latest first.
    """

    _answer: Answer
    _offset: int

    @property
    def hits(self) -> tuple[Hit, ...]:
        """First hits, up to the limit (default: 50)."""
        return self._answer.hits[self._offset :]

    @property
    def messages(self) -> tuple[MessageHit, ...]:
        """Matching messages of past conversations, if requested."""
        return self._answer.messages

    @property
    def missing(self) -> tuple[str, ...]:
        """Requested ids without a memory."""
        return self._answer.missing

    @property
    def notices(self) -> tuple[str, ...]:
        """Short notices about limits of the search, such as a weak match."""
        return self._answer.notices
