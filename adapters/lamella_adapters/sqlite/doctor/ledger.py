"""Whether the ledger of a project's file agrees with the changes that it is made of."""

import apsw

from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.file.database import Database
from lamella_adapters.sqlite.ledger import queries

_LATEST = 200
"""So many of the latest changes are read and compared; of the others only the form is looked at."""

_MALFORMED = """
SELECT l.seq FROM changed_lines AS l LEFT JOIN code_change AS c USING (seq, place)
WHERE c.seq IS NULL OR length(came) % 8 OR length(went) % 8
UNION SELECT seq FROM told_removal WHERE seq NOT IN (SELECT seq FROM observation)
"""
_COMPARED = "SELECT seq, place, came, went FROM changed_lines ORDER BY seq DESC LIMIT ?"


def wrong(connection: apsw.Connection) -> set[int]:
    """The sequence numbers of memories whose changes say otherwise than the ledger."""
    found = {sequence for (sequence,) in fetch(connection, _MALFORMED)}
    for sequence, place, came, went in fetch(connection, _COMPARED, (_LATEST,)):
        if sequence not in found:
            made = queries.lines_of(connection, sequence)[place]
            if made != queries.read_lines(came, went):
                found.add(sequence)
    return found


def made_anew(database: Database) -> str:
    """Drops what is wrong, so that it is made of the changes when it is asked for; says how much that was."""
    with database.writing() as connection:
        sequences = [(sequence,) for sequence in wrong(connection)]
        connection.executemany("DELETE FROM changed_lines WHERE seq = ?", sequences)
        orphans = "DELETE FROM told_removal WHERE seq = ? AND seq NOT IN (SELECT seq FROM observation)"
        connection.executemany(orphans, sequences)
    return f"The ledger of {len(sequences)} memories is made anew."
