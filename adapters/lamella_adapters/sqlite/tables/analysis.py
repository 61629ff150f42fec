"""Update rows that an earlier version has indexed: derive their search columns again, in steps.

Until a row is updated, searches use its old columns. The table `unanalysed` stores how far the update has come.
"""

import time
from collections.abc import Iterator
from typing import Any

import apsw

from lamella.domain.search import indexing
from lamella_adapters.sqlite.file.connection import failure, fetch
from lamella_adapters.sqlite.schema.migrations import ANALYSE_ANEW
from lamella_adapters.sqlite.tables import context_column, index_segments
from lamella_adapters.sqlite.tables.observation_rows import from_microseconds
from lamella_adapters.statements import statements

SQL = statements(__file__)

STEP_SECONDS = 0.05
"""Time limit of a step, in seconds. A step ends after the row in work. A save may have to wait for a step."""

_BATCH = 20


def is_unanalysed(connection: apsw.Connection) -> bool:
    """Return True if rows remain that were analysed by an earlier version."""
    return any(fetch(connection, SQL["places"])[0])


def leave_unanalysed(leaving: apsw.Connection, arriving: apsw.Connection) -> None:
    """Restart the analysis of a file if rows arrive from a file whose analysis is unfinished.

    The rows get new numbers in the file `arriving`, so the position stored in `leaving` is useless. Rows that are
    up to date are compared, but not written.
    """
    if is_unanalysed(leaving):
        arriving.execute(ANALYSE_ANEW)


def analyse(connection: apsw.Connection) -> bool:
    """Analyse some rows again, the latest first. Return True if rows remain.

    `connection` must be in a write transaction.

    Raises:
        StorageDamagedError: A row can't be read.
    """
    if not is_unanalysed(connection):
        return False
    deadline = time.monotonic() + STEP_SECONDS
    try:
        observation, message = fetch(connection, SQL["places"])[0]
        observation = _analyse_observations(connection, observation, deadline)
        # Observations first, because they are few, and searched more often than messages.
        message = message if observation else _analyse_messages(connection, message, deadline)
    except (ValueError, OverflowError) as error:
        raise failure("damaged") from error
    connection.execute("UPDATE unanalysed SET observation = ?, message = ?", (observation, message))
    if not (observation or message):
        index_segments.begin_merging_all(connection)
    return True


def _analyse_observations(connection: apsw.Connection, last: int, deadline: float) -> int:
    """Analyse observations from the number `last` downwards. Return the next number; 0 if no row remains."""
    for row in _backwards(connection, SQL["observations"], last):
        sequence, actor, kind, source, created_at, title, content, keywords, session, moment, purged, *former = row
        columns = [
            indexing.indexed_title(title, content),
            indexing.observation_heading(actor, kind, from_microseconds(created_at), keywords),
            indexing.observation_hidden_forms(kind, source, title, content, keywords),
            # A purged row has no context.
            "" if purged else context_column.context_before(connection, content, session, moment, sequence),
        ]
        # Skip an unchanged row, because FTS5 would index it again.
        if columns != former:
            connection.execute(SQL["set_observation"], (*columns, sequence))
        if time.monotonic() >= deadline:
            return int(sequence) - 1
    return 0


def _analyse_messages(connection: apsw.Connection, last: int, deadline: float) -> int:
    """Analyse messages from the number `last` downwards. Return the next number; 0 if no row remains."""
    from lamella.domain.conversations.message import Role  # noqa: PLC0415 - rarely needed
    from lamella_adapters.sqlite.tables.conversations.message_rows import derived, said_before  # noqa: PLC0415 - rarely needed

    for number, session, called, at, text, *former in _backwards(connection, SQL["messages"], last):
        role = Role(called)
        hidden, before = "", []
        if role.searched:
            hidden, before = indexing.all_hidden_forms("", text), said_before(connection, session, number)
        columns = list(derived(role, from_microseconds(at), hidden, before))
        if columns != former:
            connection.execute(SQL["set_message"], (*columns, number))
        if time.monotonic() >= deadline:
            return int(number) - 1
    return 0


def _backwards(connection: apsw.Connection, query: str, last: int) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a query from the number `last` downwards."""
    while batch := fetch(connection, query, (last, _BATCH)):
        yield from batch
        last = batch[-1][0] - 1
