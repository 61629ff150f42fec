"""Methods of `Memory` for the files, changes and projects around memories."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, BinaryIO, NoReturn

from lamella.domain.errors import InvalidValueError
from lamella.domain.memories.limits import DEFAULT_CHANGES
from lamella.domain.validation import refuse_type, require_number, require_type
from lamella.library.base import CallerMemory, in_words_of_programs, type_of_request
from lamella.library.given import id_prefix

if TYPE_CHECKING:
    # Not imported at run time, to keep `import lamella` fast.
    from uuid import UUID

    from lamella.application.audit.log import Logged
    from lamella.application.audit.undo import Undone
    from lamella.application.exchange.accounts import ImportAccount
    from lamella.application.exchange.export import ExportRequest
    from lamella.application.ledger.check_edit import EditRequest
    from lamella.application.ledger.file_history import FileHistory
    from lamella.application.maintenance.status import Status
    from lamella.application.projects.manage import Moved
    from lamella.domain.projects.project import Project
    from lamella.library.results import Stream


@in_words_of_programs
class ProjectMemory(CallerMemory):
    """Methods of `Memory` for files, changes and projects."""

    def check_edit(self, request: EditRequest) -> str | None:
        """Return a warning if an edit brings back code that was removed for a reason; None otherwise.

        Raises:
            PathOutsideProjectError: The file is outside the project.
            CapabilityUnsupportedError: The storage has no code ledger.

        Example:
            >>> saved = memory.save("One attempt only: cards were charged thrice.", paths=["charge.py"])
            >>> after = "receipt = repeated(charge, card, amount, attempts=3, pause_seconds=5)"
            >>> edit = lamella.EditRequest(path="charge.py", before="receipt = charge(card, amount)", after=after)
            >>> print(memory.check_edit(edit))
            This edit brings back code that was removed on ...
            Data of that removal: path "charge.py", title "One attempt only: cards were charged thrice."
        """
        return self._asked(self._lamella.check_edit, request)

    def file_history(self, path: str, *, limit: int = DEFAULT_CHANGES) -> FileHistory:
        """Return the latest changes of a file, including changes under former names.

        Raises:
            PathOutsideProjectError: The file is outside the project.
            CapabilityUnsupportedError: The storage has no code ledger.

        Example:
            >>> saved = memory.save("One attempt only: cards were charged thrice.", paths=["charge.py"])
            >>> for entry in memory.file_history("charge.py").changes:
            ...     print(f"+{entry.change.additions} -{entry.change.deletions} {entry.title}")
            +1 -1 One attempt only: cards were charged thrice.
        """
        require_type("path", path, str)
        require_number("limit", limit, least=1)
        return self._lamella.file_history(self._call, path, limit=limit)

    def log(self, id: str | UUID | None = None, *, limit: int = 20) -> tuple[Logged, ...]:
        """Return the latest entries of the audit trail, newest first: edits, purges, imports, merges.

        Args:
            id: Id of a memory, or a prefix of the id; None for all memories.
            limit: Maximum number of entries.

        Raises:
            NothingFoundError: No memory has the id.
            AmbiguousIdError: The id matches several memories.
            CapabilityUnsupportedError: The storage keeps no audit trail.

        Example:
            >>> saved = memory.save("Staging is never reset.").observation
            >>> purged = memory.purge([saved.id])
            >>> [(each.name, each.entry.action.value) for each in memory.log()]
            [('1', 'purge')]
        """
        require_number("limit", limit, least=1)
        memory = None if id is None else self._lamella.find_one(self._call, id_prefix(id)).observation.id
        return self._lamella.log(self._call, limit=limit, memory=memory, titles=limit)

    def undo(self, entry: str | None = None, *, dry_run: bool = False) -> Undone:
        """Undo a change. Memories that were changed again later stay unchanged.

        Args:
            entry: Name of the audit entry, as in `Logged.name`; None for the latest entry still in effect.
            dry_run: True to only report the memories that would be changed.

        Raises:
            NotUndoableError: The entry doesn't exist, or nothing of the entry can be undone.
            CapabilityUnsupportedError: The storage keeps no audit trail.

        Example:
            >>> saved = memory.save("Staging is reset every night.").observation
            >>> purged = memory.purge([saved.id])
            >>> memory.undo().restored == (saved.id,)
            True
        """
        from lamella.domain.audit.entry import named_entry  # noqa: PLC0415 - most programs undo nothing

        require_type("dry_run", dry_run, bool)
        number, everywhere = (None, False) if entry is None else named_entry(str(entry)) or _no_entry(entry)
        return self._lamella.undo(self._call, number, everywhere=everywhere, dry_run=dry_run)

    def export(self, request: ExportRequest | None = None) -> Stream[bytes]:
        """Export memories as JSON lines, to pass to `writelines` of a binary file.

        Without a request, export this project.

        Raises:
            PathOutsideProjectError: The path of the filters is outside the project.

        Example:
            >>> saved = memory.save("Staging is reset every night.")
            >>> with open("memories.jsonl", "wb") as file:
            ...     file.writelines(memory.export())
        """
        from lamella.domain.exchange import json_lines  # noqa: PLC0415 - most programs export nothing
        from lamella.library.results import Stream  # noqa: PLC0415 - see above

        kind = type_of_request(self._lamella.export)
        request = kind() if request is None else request
        require_type("request", request, kind)
        return Stream(lambda: json_lines.written(self._lamella.export(self._call, request)))

    def import_from(self, file: BinaryIO, *, into: str | None = None, dry_run: bool = False) -> ImportAccount:
        """Import an export. Memories keep their ids and times.

        If a memory exists here, but was purged, restored or replaced later in the other storage, the import does
        the same here. If the text of a memory was edited in the export, the edited memory replaces the memory
        here.

        Args:
            file: Export, opened in binary mode.
            into: Project to import everything into; None to keep the original projects.
            dry_run: True to count the memories without importing them.

        Raises:
            UnreadableExportError: The file isn't an export, or is damaged. Records before the damage are imported.

        Example:
            >>> import io
            >>> saved = memory.save("Staging is reset every night.")
            >>> export = io.BytesIO(b"".join(memory.export()))
            >>> account = memory.import_from(export)
            >>> account.memories, account.known
            (0, 1)
        """
        from lamella.domain.exchange import json_lines  # noqa: PLC0415 - most programs import nothing

        if not hasattr(file, "readline") or hasattr(file, "encoding"):
            refuse_type("file", file, "a file opened in binary mode")
        require_type("dry_run", dry_run, bool)
        require_type("into", into, str | None, "the name of a project, or None")
        accounts = self._lamella.import_records(self._call, json_lines.read(file), into=into, dry_run=dry_run)
        (account,) = deque(accounts, maxlen=1)
        # A large import may leave no idle time for background maintenance, so do it now.
        deque(iter(self._lamella.storage.maintain, False), maxlen=0)
        return account

    def projects(self) -> tuple[Project, ...]:
        """Return all projects of the storage, sorted by name.

        Example:
            >>> saved = memory.save("Staging is reset every night.")
            >>> [project.name for project in memory.projects()]
            ['payments']
        """
        return self._lamella.storage.registry.all()

    def merge(self, old: str, new: str) -> Moved:
        """Merge a project with its conversations into another project. `split` reverts the merge.

        Args:
            old: Id, alias or name of the project to merge.
            new: Id, alias or name of the project to merge into.

        Raises:
            ProjectChangeError: Both are the same project, or `old` was already merged into another project.

        Example:
            >>> for name in ("shop", "store"):
            ...     saved = memory.at(project=name, create=True).save(f"Opening hours of the {name}.")
            >>> memory.merge("store", "shop").memories
            1
        """
        require_type("old", old, str)
        require_type("new", new, str)
        return self._lamella.merge_projects(self._call, old, new)

    def split(self, old: str) -> Moved:
        """Revert a merge. Memories saved in `old` before the merge move back.

        Raises:
            ProjectChangeError: The project wasn't merged into another project.

        Example:
            >>> for name in ("shop", "store"):
            ...     saved = memory.at(project=name, create=True).save(f"Opening hours of the {name}.")
            >>> merged = memory.merge("store", "shop")
            >>> memory.split("store").memories
            1
        """
        require_type("old", old, str)
        return self._lamella.split_project(self._call, old)

    def switch(self, *, on: bool) -> Project | None:
        """Switch memory on or off in the project. While memory is off, nothing is saved, shown or deleted.

        Returns:
            The project. None if the project doesn't exist yet; its memory is then on.

        Raises:
            ProjectChangeError: Global memories can't be switched off.

        Example:
            >>> saved = memory.save("Staging is reset every night.")
            >>> project = memory.switch(on=False)
            >>> memory.search("staging")
            Traceback (most recent call last):
                ...
            lamella.domain.errors.MemoryOffError: ...
        """
        require_type("on", on, bool)
        return self._lamella.switch_project(self._call, on=on)

    def status(self) -> Status:
        """Return statistics of the project: stored data, and memories given to sessions.

        Example:
            >>> saved = memory.save("Staging is reset every night.")
            >>> memory.status().live[lamella.Kind.NOTE]
            1
        """
        return self._lamella.status(self._call)


def _no_entry(given: object) -> NoReturn:
    raise InvalidValueError(name="entry", given=repr(given), allowed="the name of a change, such as '3' or 'e3'")
