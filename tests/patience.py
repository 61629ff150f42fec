"""The time limits of the product that a loaded machine may exceed, where a test is about something else."""

from collections.abc import Callable

from lamella.application import embedding
from lamella_adapters.sqlite import connection, files, salvage, shared_connection

from .waiting import HANG_SECONDS

LIMITS = (
    (connection, "BUSY_SECONDS"),
    (files, "BUSY_SECONDS"),
    (files, "_MIGRATION_SECONDS"),
    (salvage, "BUSY_SECONDS"),
    (shared_connection, "BUSY_SECONDS"),
    (embedding, "PATIENT_SECONDS"),
)


def be_patient(set_limit: Callable[[object, str, float], object] = setattr) -> None:
    """Have this process wait for others, and for its own threads, until they are done.

    Args:
        set_limit: Sets an attribute; that of a `MonkeyPatch` takes it back afterwards.
    """
    for module, limit in LIMITS:
        set_limit(module, limit, HANG_SECONDS)
