"""Base of the classes that make up `Memory`: one storage, one caller, and errors worded for programs.

In error messages, names of parameters and methods replace names of environment variables and shell commands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from inspect import isfunction
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define, evolve, frozen

from lamella.domain.errors import LamellaError, MemoryClosedError
from lamella.domain.tables import read_rows
from lamella.domain.validation import require_type

if TYPE_CHECKING:
    # Not imported at run time, to keep `import lamella` fast.
    from lamella.container import Lamella
    from lamella.domain.call import Call

_Request = TypeVar("_Request")
_Reply = TypeVar("_Reply")
_T = TypeVar("_T")

_SAID = ("name", "allowed", "reason", "advice", "commands", "listing")
"""Fields of errors that contain lamella's own texts. The other fields contain values from the caller."""

_WORDS = read_rows(__file__, "wording.tsv")
"""Patterns of phrases for command-line users, each with its replacement for programs."""


@define(eq=False, repr=False, slots=False)
class Opened:
    """Reference to the use cases; None after closing. All `Memory` objects of one storage share it."""

    lamella: Lamella | None


@frozen(eq=False, repr=False)
class CallerMemory:
    """Use cases for one caller."""

    _opened: Opened
    _call: Call

    def _asked(self, use_case: Callable[[Call, _Request], _Reply], request: _Request) -> _Reply:
        """Check the type of a request, and call the use case."""
        require_type("request", request, type_of_request(use_case))
        return use_case(self._call, request)

    @property
    def _lamella(self) -> Lamella:
        if self._opened.lamella is None:
            raise MemoryClosedError
        return self._opened.lamella


def type_of_request(use_case: Callable[..., object]) -> Any:
    """Return the request type of a use case, without importing it here."""
    return type(use_case).__call__.__annotations__["request"]


@contextmanager
def for_programs() -> Iterator[None]:
    """Reword the messages of errors raised in the block, for programs."""
    try:
        yield
    except LamellaError as error:
        spoken = {name: getattr(error, name) for name in _SAID if hasattr(error, name)}
        words = {name: _translated(said) for name, said in spoken.items()}
        if words == spoken:
            raise
        raise evolve(error, **words).with_traceback(error.__traceback__) from error.__cause__  # type: ignore[misc]


def in_words_of_programs(kind: type[_T]) -> type[_T]:
    """Decorate a class to reword the errors of its public methods for programs."""
    for name, method in [*vars(kind).items()]:
        if isfunction(method) and not name.startswith("_"):
            setattr(kind, name, for_programs()(method))
    return kind


def _translated(text: str | Sequence[str]) -> str | Sequence[str]:
    if not isinstance(text, str):
        return tuple(str(_translated(each)) for each in text)
    for pattern, words in _WORDS:
        text = re.sub(pattern, words, text)
    return text
