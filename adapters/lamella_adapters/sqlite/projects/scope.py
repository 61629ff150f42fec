"""Access to a project's rows, whose file is looked up inside each transaction."""

from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, NamedTuple

import apsw
from attrs import define

from lamella_adapters.sqlite.file.save_counter import (
    COUNT,
    count_saved,
    noted_count,
    raise_count,
    require_all_saved,
)
from lamella_adapters.sqlite.projects.project_file import ProjectFile
from lamella_adapters.sqlite.projects.registry import SqliteRegistry

_STATE = f"SELECT moved_to, ({COUNT}) FROM project"  # noqa: S608 - made of our own constants


class Opened(NamedTuple):
    """A transaction in the file that has the rows.

    Attributes:
        project: Id of the file's own project.
        connection: Connection of the transaction.
        file: The file.
        cleared: Ids or keys of rows that were erased from files leading here, if it erases.
    """

    project: str
    connection: apsw.Connection
    file: ProjectFile
    cleared: Collection[Any] = ()


@define(eq=False)
class Scope:
    """One project's memories, in its own file or in the file that a merge moved them to.

    The merge mark is read inside each transaction, so that nothing is ever written into a file that a merge has
    emptied, even if it was opened long before.
    """

    file: ProjectFile
    registry: SqliteRegistry

    def reading(self) -> AbstractContextManager[Opened]:
        """Open a transaction that sees one state."""
        return self._opened(writes=False)

    def writing(self) -> AbstractContextManager[Opened]:
        """Open a transaction that is durable when the block ends, and is rolled back if the block raises."""
        return self._opened(writes=True)

    @contextmanager
    def _opened(self, *, writes: bool) -> Iterator[Opened]:
        file: ProjectFile | None = self.file
        while file is not None:
            here = file
            # Read before the transaction begins, because others save meanwhile.
            noted = noted_count(here.database.path)
            with here.database.writing() if writes else here.database.reading() as connection:
                moved_to, saved = connection.execute(_STATE).get
                if moved_to is None:
                    require_all_saved(saved, noted)
                    yield Opened(here.id, connection, here)
                    saved = count_saved(connection) if writes else saved
            file = None if moved_to is None else self.registry.file_of(moved_to)
        if writes:
            raise_count(here.database.path, saved)
