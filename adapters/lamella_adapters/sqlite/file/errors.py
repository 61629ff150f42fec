"""Errors of this storage. Their classes, reasons and next steps are in `errors.tsv`."""

from lamella.domain import errors
from lamella.domain.tables import read_rows

_ERRORS = {name: (kind, reason, advice) for name, kind, reason, advice in read_rows(__file__, "errors.tsv")}


def failure(name: str, /, **values: object) -> errors.StorageError:
    """Return the error called `name` in the table.

    Args:
        name: Name of the error.
        **values: Values of the placeholders in its reason.
    """
    kind, reason, advice = _ERRORS[name]
    made: type[errors.StorageError] = getattr(errors, kind)
    return made(reason=reason.format(**values), advice=advice)
