"""Reasons why search by meaning is unavailable."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from attrs import frozen

from lamella.domain.embeddings.errors import OtherModelError
from lamella.domain.errors import LamellaError

_BY_WORDS = "Search by words instead."

_logger = logging.getLogger(__name__)


@frozen
class NotReadyError(LamellaError):
    """Search by meaning is unavailable: `reason` says why, in a few words, and `advice` what to do next."""

    reason: str
    advice: str = _BY_WORDS

    def __str__(self) -> str:
        return f"Search by meaning cannot answer now: {self.reason}. {self.advice}"


def not_ready(error: Exception) -> NotReadyError:
    """Convert `error` to a `NotReadyError`. Log unexpected errors."""
    match error:
        case NotReadyError():
            return error
        case OtherModelError():
            return NotReadyError(
                "another program embeds with a different model", "To use this one, run: lamella embed"
            )
        case LamellaError():
            reason, _, advice = str(error).partition(". ")
            return NotReadyError(reason.rstrip("."), advice or _BY_WORDS)
    _logger.error("Search by meaning failed", exc_info=error)
    return NotReadyError("the embedder failed")


@contextmanager
def answering() -> Iterator[None]:
    """Turn every error of the block into `NotReadyError`, so that the caller can search by words instead.

    Raises:
        NotReadyError: The block raised an error.
    """
    try:
        yield
    except Exception as error:
        raise not_ready(error) from error
