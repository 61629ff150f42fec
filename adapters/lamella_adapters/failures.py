"""Errors of storages, with their texts in tables beside the code."""

from collections.abc import Callable

from lamella.domain import errors
from lamella.domain.tables import read_rows


def failures(module: str) -> Callable[..., errors.StorageError]:
    """Return a function that makes an error by its name, given the values of the placeholders in its texts.

    The table is `errors.tsv` beside the module: name, class, reason and advice of each error. It is read
    immediately, because a program that has run out of file descriptors couldn't read it when an error occurs.

    Args:
        module: `__file__` of the module.
    """
    table = {name: (getattr(errors, kind), *said) for name, kind, *said in read_rows(module, "errors.tsv")}

    def failure(name: str, /, **values: object) -> errors.StorageError:
        kind, reason, advice = table[name]
        made: errors.StorageError = kind(reason=reason.format(**values), advice=advice.format(**values))
        return made

    return failure
