"""Base of the classes that make up `Memory`: one storage, one caller."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define, frozen

from lamella.domain.errors import MemoryClosedError
from lamella.domain.validation import require_type

if TYPE_CHECKING:
    # Not imported at run time, to keep `import lamella` fast.
    from lamella.container import Lamella
    from lamella.domain.call import Call

_Request = TypeVar("_Request")
_Reply = TypeVar("_Reply")


@define
class Opened:
    """Reference to the use cases, shared by all `Memory` objects of one storage. None after closing."""

    lamella: Lamella | None


@frozen
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
