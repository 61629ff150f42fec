"""Implementation of `lamella.ports.hook_reads` on SQLite's files.

Each method has its own imports. The classes don't inherit from the protocols, because importing protocols would
slow a hook down.
"""

# ruff: noqa: PLC0415 - see above
# ruff: noqa: PTH118 - importing pathlib would take longer than the rest of a hook

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from lamella.domain.hook_context import ROOT

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw

    from lamella.domain.hook_context import Index, Related, Surroundings
    from lamella.domain.ledger.removed_code import RemovedCode
    from lamella.domain.projects.moved import ListedProject
    from lamella.domain.text.words import Word


def open_hook_reads(url: str, data_directory: str) -> "SqliteHookReads | None":
    """See `OpenHookReads`. For a URL refused by the storage, return None."""
    folder = data_directory
    if url != "sqlite:":
        folder = url.removeprefix("sqlite://")
        if folder == url or not folder.startswith("/") or not folder.strip("/"):
            return None
        # In the file's URI, text after two slashes would be a host name.
        folder = "/" + folder.lstrip("/")
    return SqliteHookReads(folder) if os.path.lexists(os.path.join(folder, "registry.db")) else None


class SqliteHookReads:
    """Reads of the storage in a folder."""

    shared = False

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def projects(self) -> "list[ListedProject]":
        """See `HookReads.projects`."""
        from lamella_adapters.sqlite.hook_reads.open_project import Deadline, listed

        return listed(self._folder, Deadline())

    @contextmanager
    def project(self, key: str, repository: str | None, name: str) -> "Iterator[SqliteProjectReads]":
        """See `HookReads.project`."""
        from lamella_adapters.sqlite.hook_reads.open_project import Deadline, project_at

        del repository  # on a single machine, projects are found by their keys
        with project_at(self._folder, key, name, Deadline()) as connection:
            yield SqliteProjectReads(connection)


class SqliteProjectReads:
    """Reads of a project's file."""

    def __init__(self, connection: "apsw.Connection") -> None:
        self._connection = connection

    def index(self, *, here: "Surroundings" = ROOT, **most: int) -> "Index":
        """See `ProjectReads.index`."""
        from lamella_adapters.sqlite.hook_reads.session_index import read_index

        return read_index(self._connection, here, **most)

    def related(self, words: "Sequence[Word]", limit: int) -> "list[Related]":
        """See `ProjectReads.related`."""
        from lamella_adapters.sqlite.hook_reads.related import related_memories

        return related_memories(self._connection, words, limit)

    def knows_file(self, path: str) -> bool:
        """See `ProjectReads.knows_file`."""
        known = "SELECT 1 FROM code_change WHERE path = ? LIMIT 1"
        return self._connection.execute(known, (path,)).get is not None

    def removals(self, path: str, fingerprints: frozenset[int]) -> "list[RemovedCode]":
        """See `ProjectReads.removals`."""
        from lamella.domain.ledger.removed_code import RemovedCode
        from lamella.domain.memories.kind import Kind
        from lamella_adapters.sqlite.hook_reads.open_project import begin_anew
        from lamella_adapters.sqlite.ledger.queries import touching

        begin_anew(self._connection)
        return [
            RemovedCode(
                key=entry.id.hex(),
                at=entry.occurred_at,
                kind=Kind(entry.kind),
                source=entry.source,
                session=entry.session,
                title=entry.title,
                path=entry.path,
                fingerprints=removed,
            )
            for entry, lines in touching(self._connection, path, fingerprints)
            if (removed := fingerprints & lines.removed)
        ]

    def hunks(self, key: str, path: str) -> str:
        """See `ProjectReads.hunks`."""
        from lamella_adapters.sqlite.ledger.queries import change_hunks

        return change_hunks(self._connection, bytes.fromhex(key), path)

    def decision(self, session: str, path: str) -> tuple[str, str] | None:
        """See `ProjectReads.decision`."""
        from lamella_adapters.sqlite.ledger.queries import SQL

        return self._connection.execute(SQL["decision"], (session, path)).fetchone()

    def short_id(self, key: str) -> str:
        """See `ProjectReads.short_id`."""
        from lamella_adapters.sqlite.tables.short_ids import short_ids

        (id,) = short_ids(self._connection, [bytes.fromhex(key)])
        return id
