"""Checks of data derived from rows: the search indexes, the vectors and the ledger."""

from collections.abc import Iterator

import apsw

from lamella.domain.embeddings.vector import Vector
from lamella.domain.text.printing import counted
from lamella_adapters.sqlite.doctor.check import Check, fault, fine
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.file.database import Database
from lamella_adapters.sqlite.ledger.queries import computed_fingerprints, stored_fingerprints
from lamella_adapters.sqlite.schema.embeddings import CODED
from lamella_adapters.sqlite.schema.migrations import MESSAGE_INDEX, SPOKEN
from lamella_adapters.statements import statements

SQL = statements(__file__, spoken=SPOKEN)
_INDEXES = ("search", "search_purged", MESSAGE_INDEX)
_LATEST = 200
"""Number of latest changes whose fingerprints are recomputed and compared.

For older changes, only the format is checked.
"""


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
    """Delete wrong vectors, so that their memories are embedded again. Return a sentence about the repair."""
    with database.writing() as connection:
        sequences = [(sequence,) for sequence in _wrong(connection)]
        connection.executemany("DELETE FROM vector WHERE seq = ?", sequences)
        connection.executemany("DELETE FROM unembedded WHERE seq = ?", sequences)
        connection.executemany("INSERT INTO unembedded SELECT seq FROM observation WHERE seq = ?", sequences)
        # Rebuild all blocks, because a code of the wrong length shifts the codes after it.
        _fill_blocks(connection)
    return f"{counted(len(sequences), 'memory')} will be embedded again."


def rebuild_blocks(database: Database) -> str:
    """Rebuild all blocks of sign codes. Return a sentence for the user about the repair."""
    with database.writing() as connection:
        _fill_blocks(connection)
    return "The sign codes of all vectors were computed again."


def _wrong(connection: apsw.Connection) -> set[int]:
    """Return the sequence numbers of wrong vectors, and of vectors without a memory.

    A memory has either a vector or an entry in `unembedded`. Also return the numbers of memories with neither or
    both.
    """
    others = {seq for seq, code, vector in fetch(connection, SQL["codes"]) if not _agree(code, Vector(vector))}
    return others | {seq for (seq,) in fetch(connection, SQL["wrong"])}


def _misplaced(connection: apsw.Connection) -> set[int]:
    """Return the numbers of the blocks that differ from the sign codes in the rows of `vector`."""
    kept = fetch(connection, "SELECT block, states, codes FROM code_block")
    return {block for block, *_ in {*fetch(connection, CODED)} ^ {*kept}}


def _fill_blocks(connection: apsw.Connection) -> None:
    connection.execute("DELETE FROM code_block")
    connection.execute(f"INSERT INTO code_block {CODED}")


def _agree(code: bytes, vector: Vector) -> bool:
    return bool(vector.square) and vector.code == code


def wrong_indexes(connection: apsw.Connection) -> list[str]:
    """Return the names of indexes that differ from their rows. `connection` must hold the write lock."""
    differing = [index for index in _INDEXES if not _agrees(connection, index)]
    if fetch(connection, SQL["counts"]) != fetch(connection, SQL["counted"]):
        differing.append("statistics")
    return differing


def rebuild_indexes(database: Database) -> str:
    """Rebuild all search indexes and their statistics. Return a sentence for the user about the repair."""
    with database.writing() as connection:
        for index in _INDEXES:
            connection.execute(f"INSERT INTO {index} ({index}) VALUES ('rebuild')")  # noqa: S608 - our own constants
        ((live, spoken),) = fetch(connection, SQL["counted"])
        connection.execute("UPDATE statistics SET changes = changes + 1, live = ?", (live,))
        connection.execute("UPDATE message_statistics SET changes = changes + 1, spoken = ?", (spoken,))
    return "The search index was rebuilt from the memories."


def _agrees(connection: apsw.Connection, index: str) -> bool:
    """Return True if an index agrees with its rows. FTS5 compares with rows only if `rank` is 1."""
    try:
        # The name of the index is a constant, so nothing can be injected into the SQL.
        connection.execute(f"INSERT INTO {index} ({index}, rank) VALUES ('integrity-check', 1)")  # noqa: S608 - made of our own constants
    except apsw.CorruptError:
        return False
    # FTS5 doesn't check the separator terms in the index of pages. With a wrong separator term, look-ups begin at
    # the wrong page.
    return all(_leads(term, page) for term, page in fetch(connection, SQL["pages"].format(index=index)))


def _leads(term: bytes, page: bytes | None) -> bool:
    """Return True if `term`, a separator term in the index of pages, is a prefix of its page's first term."""
    if page is None:
        return False
    offset, _ = _varint(page, int.from_bytes(page[2:4], "big"))
    length, begin = _varint(page, offset)
    return page[begin : begin + length].startswith(term)


def _varint(page: bytes, at: int) -> tuple[int, int]:
    """Return the variable-length integer at an offset, and the offset after it."""
    value, more = 0, 1
    while more and at < len(page):
        value, more = value << 7 | page[at] & 0x7F, page[at] & 0x80
        at += 1
    return value, at


def check_ledger(subject: str, database: Database) -> Iterator[Check]:
    """Compare the line fingerprints in the ledger with the changes of files."""
    with database.examining() as connection:
        count = len(_wrong_ledgers(connection))
    if count:
        message = f"the ledger of {counted(count, 'memory')} differs from the changes"
        yield fault(subject, message, "compute it again", lambda: rebuild_ledger(database))


def rebuild_ledger(database: Database) -> str:
    """Delete wrong fingerprints, which are computed again on demand. Return a sentence about the repair."""
    with database.writing() as connection:
        sequences = [(sequence,) for sequence in _wrong_ledgers(connection)]
        connection.executemany("DELETE FROM changed_lines WHERE seq = ?", sequences)
        orphans = "DELETE FROM told_removal WHERE seq = ? AND seq NOT IN (SELECT seq FROM observation)"
        connection.executemany(orphans, sequences)
    return f"The ledger of {counted(len(sequences), 'memory')} will be computed again."


def _wrong_ledgers(connection: apsw.Connection) -> set[int]:
    """Return the sequence numbers of memories whose fingerprints in the ledger don't match their changes."""
    found = {sequence for (sequence,) in fetch(connection, SQL["malformed"])}
    for sequence, place, added, removed in fetch(connection, SQL["compared"], (_LATEST,)):
        if sequence not in found:
            computed = computed_fingerprints(connection, sequence)[place]
            if computed != stored_fingerprints(added, removed):
                found.add(sequence)
    return found
