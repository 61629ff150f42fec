"""Errors of storages. Their texts are in tables beside the code."""

from collections.abc import Callable

from lamella.domain import errors
from lamella.domain.tables import read_rows


def failures(module: str) -> Callable[..., errors.StorageError]:
    """Return a function that creates an error from its name and from values of the placeholders in its texts.

    The errors are in the table `errors.tsv` beside the module: name, class, reason and advice of each error. The
    table is read immediately. When an error occurs, the program may have run out of file descriptors, and couldn't
    read the table.

    Args:
        module: `__file__` of the module.
    """
    table = {name: (getattr(errors, kind), *said) for name, kind, *said in read_rows(module, "errors.tsv")}

    def failure(name: str, /, **values: object) -> errors.StorageError:
        kind, reason, advice = table[name]
        made: errors.StorageError = kind(reason=reason.format(**values), advice=advice.format(**values))
        return made

    return failure
