"""Transaction that batches statements to save round trips.

The driver interpolates values into each statement on the client, and the statement waits in a batch. The batch is
sent as one message when rows are needed, or at the commit. The first batch has `BEGIN`, the last one `COMMIT`.
"""

import time
from collections.abc import Mapping
from typing import Any

from attrs import define, field
from psycopg import ClientCursor

from lamella.domain import errors
from lamella_adapters.postgresql.database.connection import PatientConnection
from lamella_adapters.postgresql.database.errors import translated
from lamella_adapters.postgresql.database.tenant_sizes import OWN, KnownSize

COMMIT = "COMMIT"
"""Last statement of a transaction."""

_WAIT_FOR_STANDBY = "SET LOCAL statement_timeout = 0"
"""Statement before the commit, which may wait for a standby server. It switches off the timeout of this wait.

Otherwise, PostgreSQL would report a successful commit after the timeout, even if the standby server lacks it.
"""

Row = tuple[Any, ...]
"""Values of a result row, in the order of its columns."""

Question = tuple[str, Mapping[str, object]]
"""Statement and the values of its placeholders."""


@define(eq=False)
class Transaction:
    """Transaction with a batch of pending statements.

    Attributes:
        connection: Connection reserved for this transaction until it ends.
        begin: Statement that begins the transaction.
        asked: Id of the requested project; None for the registry.
        locked: True for a writing transaction, which locks the project.
        size: Size of the tenant. If the value is old, the first message of the transaction reads the size again.
        round_trips: Number of messages sent so far.
    """

    connection: PatientConnection
    begin: str
    asked: str | None
    locked: bool
    size: KnownSize
    round_trips: int = 0
    _project: str = ""
    _sizes: bool = field(init=False)
    _waiting: list[str] = field(factory=list)
    _cursor: ClientCursor[Row] = field(init=False)
    _ended: bool = False

    def __attrs_post_init__(self) -> None:
        self._cursor = ClientCursor(self.connection)
        self._waiting.append(self.begin)
        if self.asked is not None:
            self.run("SELECT home FROM enter(%(asked)s, %(locked)s)", asked=self.asked, locked=self.locked)
        self._sizes = time.monotonic() >= self.size.until
        if self._sizes:
            self.run(OWN)

    @property
    def project(self) -> str:
        """Id of the project that now holds the rows, after merges. Empty before the first answer."""
        return self._project

    @property
    def _ending(self) -> tuple[str, ...]:
        return (_WAIT_FOR_STANDBY, COMMIT) if self.locked else (COMMIT,)

    def run(self, statement: str, **values: object) -> None:
        """Add a statement to the batch. The batch is sent with the next query or the commit."""
        self._waiting.append(self._cursor.mogrify(statement.encode(), values))

    def rows(self, statement: str, *, last: bool = False, **values: object) -> list[Row]:
        """Send the batch and a query. Return the query's rows.

        Args:
            statement: The query.
            last: True to commit in the same message, which saves a round trip.
            **values: Values of the query's placeholders.
        """
        return self.answers((statement, values), last=last)[0]

    def answers(self, *questions: Question, last: bool = False) -> list[list[Row]]:
        """Send the batch and several queries in one message. Return the rows of each query."""
        for statement, values in questions:
            self.run(statement, **values)
        answers = self._sent(commit=last)
        end = len(answers) - len(self._ending) * last
        return answers[end - len(questions) : end]

    def end(self) -> None:
        """Commit, unless the last query already did."""
        if not self._ended:
            self._sent(commit=True)

    def abandon(self) -> None:
        """Roll back if the transaction has begun and hasn't ended."""
        if self.round_trips and not self._ended and not self.connection.closed:
            self.connection.execute("ROLLBACK")

    def _sent(self, *, commit: bool = False) -> list[list[Row]]:
        """Send the batch. Return the rows of each of its statements."""
        if commit:
            self._waiting += self._ending
        first = not self.round_trips
        message, self._waiting = ";\n".join(self._waiting), []
        self.round_trips += 1
        try:
            with translated():
                answers = self._exchanged(message)
        except errors.StorageReadOnlyError:
            # The server isn't the primary any more. A new connection will find the new primary.
            self.connection.close()
            raise
        except errors.StorageUnreachableError as error:
            if commit and self.locked:
                raise errors.OutcomeUnknownError from error
            raise
        self._ended = commit
        if first and self.asked is not None:
            ((home,),) = answers[2]
            if home is None:
                raise errors.UnknownProjectError(asked=self.asked)
            self._project = home
        if first and self._sizes:
            self.size.learn(answers[2 + (self.asked is not None)])
        return answers

    def _exchanged(self, message: str) -> list[list[Row]]:
        cursor = self._cursor
        cursor.execute(message.encode())
        answers: list[list[Row]] = []
        more: bool | None = True
        while more:
            # Unlike `description`, this builds no objects for the columns.
            answers.append([] if cursor.rownumber is None else cursor.fetchall())
            more = cursor.nextset()
        return answers
