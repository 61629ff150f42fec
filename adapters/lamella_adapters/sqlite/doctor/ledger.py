"""Comparison of the ledger in a project's file with the changes it is computed from."""

from collections.abc import Iterator

import apsw

from lamella.domain.text.printing import counted
from lamella_adapters.sqlite.doctor.check import Check, fault
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.file.database import Database
from lamella_adapters.sqlite.ledger.queries import computed_fingerprints, stored_fingerprints
from lamella_adapters.statements import statements

SQL = statements(__file__)

_LATEST = 200
"""Number of latest changes to recompute and compare. For others, only the format is checked."""


def check_ledger(subject: str, database: Database) -> Iterator[Check]:
    """Compare the ledger with the changes."""
    with database.examining() as connection:
        count = len(_wrong(connection))
    if count:
        message = f"the ledger of {counted(count, 'memory')} differs from the changes"
        yield fault(subject, message, "make it anew", lambda: rebuild_ledger(database))


def rebuild_ledger(database: Database) -> str:
    """Drop wrong fingerprints, to compute them again on demand, and report the number of memories."""
    with database.writing() as connection:
        sequences = [(sequence,) for sequence in _wrong(connection)]
        connection.executemany("DELETE FROM changed_lines WHERE seq = ?", sequences)
        orphans = "DELETE FROM told_removal WHERE seq = ? AND seq NOT IN (SELECT seq FROM observation)"
        connection.executemany(orphans, sequences)
    return f"The ledger of {counted(len(sequences), 'memory')} is made anew."


def _wrong(connection: apsw.Connection) -> set[int]:
    """Return the sequence numbers of memories with changes contradicting the ledger."""
    found = {sequence for (sequence,) in fetch(connection, SQL["malformed"])}
    for sequence, place, added, removed in fetch(connection, SQL["compared"], (_LATEST,)):
        if sequence not in found:
            computed = computed_fingerprints(connection, sequence)[place]
            if computed != stored_fingerprints(added, removed):
                found.add(sequence)
    return found
