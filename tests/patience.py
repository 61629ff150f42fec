"""The time limits of the product that a loaded machine may exceed, where a test is about something else."""

from collections.abc import Callable

from lamella.application.embeddings import background_worker
from lamella_adapters.git import history, working_tree
from lamella_adapters.git.changes import branch_files
from lamella_adapters.sqlite.file import connection, migrate
from tests.waiting import HANG_SECONDS

LIMITS = (
    (connection, "BUSY_SECONDS"),
    (migrate, "_MIGRATION_SECONDS"),
    (history, "_LATEST_SECONDS"),
    (working_tree, "_LOOKING_SECONDS"),
    (branch_files, "_SECONDS"),
    (background_worker, "PATIENT_SECONDS"),
)


def be_patient(set_limit: Callable[[object, str, float], object] = setattr) -> None:
    """Make this process wait for others, and for its own threads, without a limit.

    Args:
        set_limit: Sets an attribute; that of a `MonkeyPatch` takes it back afterwards.
    """
    for module, limit in LIMITS:
        set_limit(module, limit, HANG_SECONDS)
    # It gives way to answers, and in a test to nobody.
    set_limit(background_worker, "PAUSE_SECONDS", 0.0)
