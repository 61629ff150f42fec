"""Checks of the copies of projects."""

from collections.abc import Iterator

from lamella_adapters.sqlite.doctor.check import Check, fault, fine, warning
from lamella_adapters.sqlite.file.folders import RESTORING
from lamella_adapters.sqlite.maintenance.copies import copies, trouble
from lamella_adapters.sqlite.projects.registry import SqliteRegistry


def check_copies(registry: SqliteRegistry) -> Iterator[Check]:
    """Say when the latest copy was made, and why there is no later one."""
    if (registry.folder / RESTORING).exists():
        yield fault("backups", "a restore is not finished; it goes on when lamella is started next")
    if why := trouble(registry):
        yield warning("backups", f"the latest one could not be made: {why}")
    if found := copies(registry):
        size = sum(each.size for each in found) / 1e6
        yield fine("backups", f"{len(found)} copies, {size:,.1f} MB, the latest of {found[-1].at:%Y-%m-%d}")
