"""Access to a project's rows, whose file is looked up inside each transaction."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import NamedTuple

import apsw
from attrs import define

from lamella_adapters.sqlite.file.save_counter import count_saved, noted_count, raise_count, require_all_saved
from lamella_adapters.sqlite.projects.project_file import ProjectFile
from lamella_adapters.sqlite.projects.registry import SqliteRegistry


class Opened(NamedTuple):
    """A transaction in the file that has the rows; `project` is the id of that file's own project."""

    project: str
    connection: apsw.Connection
    file: ProjectFile


@define(eq=False)
class Scope:
    """One project's memories, in its own file or in the file that a merge moved them to.

    The merge mark is read inside each transaction, so that nothing is ever written into a file that a merge has
    emptied, even if it was opened long before.
    """

    project: str
    registry: SqliteRegistry

    def reading(self) -> AbstractContextManager[Opened]:
        """Open a transaction that sees one state."""
        return self._opened(writes=False)

    def writing(self) -> AbstractContextManager[Opened]:
        """Open a transaction that is durable when the block ends, and is rolled back if the block raises."""
        return self._opened(writes=True)

    @contextmanager
    def _opened(self, *, writes: bool) -> Iterator[Opened]:
        project: str | None = self.project
        count = 0
        while project is not None:
            file = self.registry.file_of(project)
            # Read before the transaction begins, because others save meanwhile.
            noted = noted_count(file.database.path)
            with file.database.writing() if writes else file.database.reading() as connection:
                here, project = project, connection.execute("SELECT moved_to FROM project").get
                if project is None:
                    require_all_saved(connection, noted)
                    yield Opened(here, connection, file)
                    count = count_saved(connection) if writes else 0
        if writes:
            raise_count(file.database.path, count)
