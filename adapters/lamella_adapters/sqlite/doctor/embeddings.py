"""Whether the vectors of a project's file agree with its memories."""

import apsw

from lamella.domain.embeddings.vector import Vector
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.file.database import Database
from lamella_adapters.sqlite.schema.embeddings import CODED

_WRONG = """
SELECT seq FROM vector LEFT JOIN observation AS o USING (seq) LEFT JOIN embedding_model
WHERE o.seq IS NULL OR dimension IS NULL OR purged <> (purged_at IS NOT NULL)
  OR (code IS NULL) <> (vector IS NULL) OR length(vector) <> dimension
UNION SELECT seq FROM unembedded WHERE seq NOT IN (SELECT seq FROM observation)
UNION SELECT seq FROM observation
  WHERE (seq IN (SELECT seq FROM vector)) = (seq IN (SELECT seq FROM unembedded))
"""
_CODES = "SELECT seq, code, vector FROM vector WHERE code IS NOT NULL AND vector IS NOT NULL"
_EMBEDDED = """
SELECT name, (SELECT count(*) FROM live WHERE seq NOT IN (SELECT seq FROM unembedded)), (SELECT count(*) FROM live)
FROM embedding_model
"""


def embedded(connection: apsw.Connection) -> str:
    """How many memories are embedded, and by which model; empty where none has begun."""
    found = fetch(connection, _EMBEDDED)
    return "".join(f"{done} of {total} memories embedded by {name}" for name, done, total in found)


def wrong(connection: apsw.Connection) -> set[int]:
    """The sequence numbers of vectors without a memory or that cannot be compared, and of memories without any."""
    others = {seq for seq, code, vector in fetch(connection, _CODES) if not _agree(code, Vector(vector))}
    return others | {seq for (seq,) in fetch(connection, _WRONG)}


def embed_anew(database: Database) -> str:
    """Drops what is wrong, so that the embedder is asked for it again; says how much that was."""
    with database.writing() as connection:
        sequences = [(sequence,) for sequence in wrong(connection)]
        connection.executemany("DELETE FROM vector WHERE seq = ?", sequences)
        connection.executemany("DELETE FROM unembedded WHERE seq = ?", sequences)
        connection.executemany("INSERT INTO unembedded SELECT seq FROM observation WHERE seq = ?", sequences)
        # A code that was too long or too short has moved those after it.
        _place_anew(connection)
    return f"{len(sequences)} memories will be embedded anew."


def misplaced(connection: apsw.Connection) -> set[int]:
    """The blocks in which a code doesn't stand where its row says, or one stands that no row has."""
    kept = fetch(connection, "SELECT block, states, codes FROM code_block")
    return {block for block, *_ in {*fetch(connection, CODED)} ^ {*kept}}


def place_anew(database: Database) -> str:
    """Puts all codes into their blocks again."""
    with database.writing() as connection:
        _place_anew(connection)
    return "The codes of all vectors were read again."


def _place_anew(connection: apsw.Connection) -> None:
    connection.execute("DELETE FROM code_block")
    connection.execute(f"INSERT INTO code_block {CODED}")


def _agree(code: bytes, vector: Vector) -> bool:
    return bool(vector.square) and vector.code == code
