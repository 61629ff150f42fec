"""Transactions on one project."""

from contextlib import AbstractContextManager

from attrs import frozen

from lamella_adapters.postgresql.database.database import Database
from lamella_adapters.postgresql.database.transaction import Transaction


@frozen
class Scope:
    """Project of a database. Transactions follow merges to the project that has the rows now."""

    id: str
    database: Database

    def reading(self) -> AbstractContextManager[Transaction]:
        """Begin a read-only transaction on the project; see `Database.reading`."""
        return self.database.reading(self.id)

    def writing(self) -> AbstractContextManager[Transaction]:
        """Lock the project for a transaction; see `Database.writing`."""
        return self.database.writing(self.id)
