"""Where a project's rows are at present, looked up inside each transaction."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import NamedTuple

import apsw
from attrs import define, field

from lamella_adapters.sqlite.file import saved_count
from lamella_adapters.sqlite.file.database import Database
from lamella_adapters.sqlite.schema.conversations import INDEX
from lamella_adapters.sqlite.tables.term_statistics import TermStatistics


@define(eq=False)
class ProjectFile:
    """The file of one project, with what this process has counted in it."""

    id: str
    database: Database
    live_terms: TermStatistics
    purged_terms: TermStatistics
    message_terms: TermStatistics = field(factory=lambda: TermStatistics(INDEX))


class Opened(NamedTuple):
    """A transaction in the file where the rows are; `project` is that file's own id."""

    project: str
    connection: apsw.Connection
    file: ProjectFile


@define(eq=False)
class Scope:
    """One project's memories, wherever a merge may have moved them.

    The mark of a merge is read inside the transaction that reads or writes, so that nothing is ever written into
    a file that was left, however long ago it was opened.
    """

    project: str
    file_of: Callable[[str], ProjectFile]

    def reading(self) -> AbstractContextManager[Opened]:
        """A transaction that sees one state."""
        return self._opened(writes=False)

    def writing(self) -> AbstractContextManager[Opened]:
        """A transaction that is durable when the block ends, and did not happen if it raises."""
        return self._opened(writes=True)

    @contextmanager
    def _opened(self, *, writes: bool) -> Iterator[Opened]:
        project: str | None = self.project
        count = 0
        while project is not None:
            file = self.file_of(project)
            with file.database.writing() if writes else file.database.reading() as connection:
                here, project = project, connection.execute("SELECT moved_to FROM project").get
                if project is None:
                    yield Opened(here, connection, file)
                    count = saved_count.of(connection) if writes else 0
        if writes:
            saved_count.note(file.database.path, count)
