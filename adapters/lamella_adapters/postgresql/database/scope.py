"""One project, as far as its parts need it."""

from contextlib import AbstractContextManager

from attrs import frozen

from lamella_adapters.postgresql.database.database import Database
from lamella_adapters.postgresql.database.transaction import Transaction


@frozen
class Scope:
    """The memories of a project, wherever merges have put them."""

    id: str
    database: Database

    def reading(self) -> AbstractContextManager[Transaction]:
        """Read one state of the project."""
        return self.database.reading(self.id)

    def writing(self) -> AbstractContextManager[Transaction]:
        """Change the project. Others who do the same wait."""
        return self.database.writing(self.id)
