"""Check that the vectors of a project's file match its memories."""

from collections.abc import Iterator

import apsw

from lamella.domain.embeddings.vector import Vector
from lamella.domain.text.printing import counted
from lamella_adapters.sqlite.doctor.check import Check, fault, fine
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.file.database import Database
from lamella_adapters.sqlite.schema.embeddings import CODED
from lamella_adapters.statements import statements

SQL = statements(__file__)


def check_vectors(subject: str, database: Database) -> Iterator[Check]:
    """Compare the vectors with the memories, and the blocks of sign codes with the vectors."""
    with database.examining() as connection:
        wrong, misplaced = len(_wrong(connection)), len(_misplaced(connection))
        # There is at most one model.
        embedded = fetch(connection, SQL["embedded"])
    for name, done, total in embedded:
        yield fine(subject, f"{done} of {total} memories embedded by {name}")
    if wrong:
        message = f"{wrong} vectors differ from the memories"
        yield fault(subject, message, "embed these memories again", lambda: embed_again(database))
    elif misplaced:
        message = f"{misplaced} blocks of codes differ from the vectors"
        yield fault(subject, message, "write these blocks again", lambda: rebuild_blocks(database))


def embed_again(database: Database) -> str:
    """Drop wrong vectors, to embed their memories again, and report their number."""
    with database.writing() as connection:
        sequences = [(sequence,) for sequence in _wrong(connection)]
        connection.executemany("DELETE FROM vector WHERE seq = ?", sequences)
        connection.executemany("DELETE FROM unembedded WHERE seq = ?", sequences)
        connection.executemany("INSERT INTO unembedded SELECT seq FROM observation WHERE seq = ?", sequences)
        # A code of the wrong length has shifted the following ones.
        _fill_blocks(connection)
    return f"To embed anew: {counted(len(sequences), 'memory')}."


def rebuild_blocks(database: Database) -> str:
    """Put all sign codes into their blocks again, and report it."""
    with database.writing() as connection:
        _fill_blocks(connection)
    return "The codes of all vectors were read again."


def _wrong(connection: apsw.Connection) -> set[int]:
    """Return the numbers of unusable vectors, of vectors without a memory, and of memories without a vector."""
    others = {seq for seq, code, vector in fetch(connection, SQL["codes"]) if not _agree(code, Vector(vector))}
    return others | {seq for (seq,) in fetch(connection, SQL["wrong"])}


def _misplaced(connection: apsw.Connection) -> set[int]:
    """Return the blocks with a code differing from its row, or without a row."""
    kept = fetch(connection, "SELECT block, states, codes FROM code_block")
    return {block for block, *_ in {*fetch(connection, CODED)} ^ {*kept}}


def _fill_blocks(connection: apsw.Connection) -> None:
    connection.execute("DELETE FROM code_block")
    connection.execute(f"INSERT INTO code_block {CODED}")


def _agree(code: bytes, vector: Vector) -> bool:
    return bool(vector.square) and vector.code == code
