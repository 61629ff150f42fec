"""Translation of error messages for programs: parameters and methods replace variables and commands."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from inspect import isfunction
from typing import TypeVar

from attrs import evolve

from lamella.domain.errors import LamellaError
from lamella.domain.tables import read_rows

_T = TypeVar("_T")

_SAID = ("name", "allowed", "reason", "advice", "listing")
"""Fields of errors with lamella's own texts, as opposed to values from the caller."""

_WORDS = read_rows(__file__, "wording.tsv")
"""Patterns of phrases for users of the command line, and their replacements for programs."""


@contextmanager
def for_programs() -> Iterator[None]:
    """Translate the messages of errors raised in the block."""
    try:
        yield
    except LamellaError as error:
        spoken = {name: getattr(error, name) for name in _SAID if hasattr(error, name)}
        words = {name: _translated(text) for name, text in spoken.items()}
        if words == spoken:
            raise
        raise evolve(error, **words).with_traceback(error.__traceback__) from error.__cause__  # type: ignore[misc]


def in_words_of_programs(kind: type[_T]) -> type[_T]:
    """Decorate a class to translate the errors of its public methods."""
    for name, method in [*vars(kind).items()]:
        if isfunction(method) and not name.startswith("_"):
            setattr(kind, name, for_programs()(method))
    return kind


def _translated(text: str) -> str:
    for pattern, words in _WORDS:
        text = re.sub(pattern, words, text)
    return text
