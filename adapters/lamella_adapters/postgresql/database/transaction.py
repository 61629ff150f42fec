"""One transaction, in as few round trips as its questions need.

Statements are put together with their values by the driver and wait until an answer is needed. Then all of them
travel in one message; the first one begins the transaction, and the last one ends it.
"""

import time
from collections.abc import Mapping
from typing import Any

from attrs import define, field
from psycopg import ClientCursor

from lamella.domain.errors import (
    OutcomeUnknownError,
    StorageReadOnlyError,
    StorageUnreachableError,
    UnknownProjectError,
)
from lamella_adapters.postgresql.database.connection import PatientConnection
from lamella_adapters.postgresql.database.errors import translated
from lamella_adapters.postgresql.database.tenant_sizes import OWN, KnownSize

COMMIT = "COMMIT"
"""The end of the last message of a transaction."""

_WAIT_FOR_STANDBY = "SET LOCAL statement_timeout = 0"
"""Without it, a commit that waits for a standby for too long is called done, and is lost with its server."""

Row = tuple[Any, ...]
"""Values of a row of an answer."""

Question = tuple[str, Mapping[str, object]]
"""A statement and its values."""


@define(eq=False)
class Transaction:
    """A transaction in the making.

    Attributes:
        connection: Connection that belongs to this transaction until it ends.
        begin: Statement that begins the transaction.
        asked: Project that it is about, by id; None for the registry.
        locked: True if it changes something, and takes turns with others.
        size: Size of the tenant, for which its first message asks from time to time.
        round_trips: Number of messages that were sent so far.
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
        """Id of the project that has the rows now. It is known after the first answer."""
        return self._project

    @property
    def _ending(self) -> tuple[str, ...]:
        return (_WAIT_FOR_STANDBY, COMMIT) if self.locked else (COMMIT,)

    def run(self, statement: str, **values: object) -> None:
        """Add a statement that nobody waits for. It is sent with the next question, or with the commit."""
        self._waiting.append(self._cursor.mogrify(statement.encode(), values))

    def rows(self, statement: str, *, last: bool = False, **values: object) -> list[Row]:
        """Return the rows of a question.

        Args:
            statement: The question.
            last: True if the transaction ends with it, which saves a round trip.
            **values: Values by the names of their placeholders.
        """
        return self.answers((statement, values), last=last)[0]

    def answers(self, *questions: Question, last: bool = False) -> list[list[Row]]:
        """Return the rows of several questions that are asked at once."""
        for statement, values in questions:
            self.run(statement, **values)
        answers = self._sent(commit=last)
        end = len(answers) - len(self._ending) * last
        return answers[end - len(questions) : end]

    def end(self) -> None:
        """Commit."""
        if not self._ended:
            self._sent(commit=True)

    def abandon(self) -> None:
        """Roll back, unless nothing was begun."""
        if self.round_trips and not self._ended and not self.connection.closed:
            self.connection.execute("ROLLBACK")

    def _sent(self, *, commit: bool = False) -> list[list[Row]]:
        """Send what waits, and return all answers."""
        if commit:
            self._waiting += self._ending
        first = not self.round_trips
        message, self._waiting = ";\n".join(self._waiting), []
        self.round_trips += 1
        try:
            with translated():
                answers = self._exchanged(message)
        except StorageReadOnlyError:
            # It leads to a server that does not lead any more; the next one will not.
            self.connection.close()
            raise
        except StorageUnreachableError as error:
            if commit and self.locked:
                raise OutcomeUnknownError from error
            raise
        self._ended = commit
        if first and self.asked is not None:
            ((home,),) = answers[2]
            if home is None:
                raise UnknownProjectError(asked=self.asked)
            self._project = home
        if first and self._sizes:
            self.size.learn(answers[2 + (self.asked is not None)])
        return answers

    def _exchanged(self, message: str) -> list[list[Row]]:
        """Send a message, and return the rows of each of its statements."""
        cursor = self._cursor
        cursor.execute(message.encode())
        answers = [cursor.fetchall() if cursor.description else []]
        while cursor.nextset():
            answers.append(cursor.fetchall() if cursor.description else [])
        return answers
