"""Checks of the copies of projects."""

import os
from collections.abc import Iterator

from lamella.domain.errors import StorageError
from lamella.domain.text.printing import counted
from lamella_adapters.sqlite.doctor.check import Check, fault, fine, warning
from lamella_adapters.sqlite.file.folders import RESTORING
from lamella_adapters.sqlite.maintenance.copies import copies, trouble
from lamella_adapters.sqlite.projects.registry import SqliteRegistry


def check_copies(registry: SqliteRegistry) -> Iterator[Check]:
    """Report the time of the latest copy, and the error of a later attempt, if any."""
    if os.path.exists(registry.folder / RESTORING):  # noqa: PTH110 - unlike `Path.exists` it never raises
        yield fault("backups", "a restore is not finished; it continues when lamella starts next")
    try:
        why, found = trouble(registry), copies(registry)
    except StorageError as error:
        yield fault("backups", f"they cannot be listed: {error}")
        return
    if why:
        yield warning("backups", f"the latest one could not be made: {why}")
    if found:
        size = sum(each.size for each in found) / 1e6
        yield fine(
            "backups", f"{counted(len(found), 'copy')}, {size:,.1f} MB, the latest of {found[-1].at:%Y-%m-%d}"
        )
