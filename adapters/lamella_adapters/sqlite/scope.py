"""Where a project's rows are at present, looked up inside each transaction."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import apsw
from attrs import define, field, frozen

from lamella_adapters.sqlite import saved_count
from lamella_adapters.sqlite.conversation_schema import INDEX
from lamella_adapters.sqlite.database import Database
from lamella_adapters.sqlite.statistics import TermStatistics


@define(eq=False)
class ProjectFile:
    """The file of one project, with what this process has counted in it."""

    id: str
    database: Database
    live_terms: TermStatistics
    purged_terms: TermStatistics
    message_terms: TermStatistics = field(factory=lambda: TermStatistics(INDEX))


@frozen
class Opened:
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
        return self._followed(lambda database: database.reading())

    @contextmanager
    def writing(self) -> Iterator[Opened]:
        """A transaction that is durable when the block ends, and did not happen if it raises."""
        with self._followed(lambda database: database.writing()) as opened:
            yield opened
            count = saved_count.of(opened.connection)
        saved_count.note(opened.file.database.path, count)

    @contextmanager
    def _followed(self, begin: Callable[[Database], AbstractContextManager[apsw.Connection]]) -> Iterator[Opened]:
        project: str | None = self.project
        while project is not None:
            file = self.file_of(project)
            with begin(file.database) as connection:
                here, project = project, connection.execute("SELECT moved_to FROM project").get
                if project is None:
                    yield Opened(here, connection, file)
