"""Methods of `Memory` for the files, conversations, changes and projects around memories."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn, TypeVar

from attrs import define, frozen

from lamella.domain.audit.entry import named_entry
from lamella.domain.errors import InvalidValueError, MemoryClosedError
from lamella.domain.memories.query import DEFAULT_CHANGES, NO_FILTERS, Filters
from lamella.domain.validation import require_number, require_type
from lamella.library.results import Stream
from lamella.library.wording import in_words_of_programs

if TYPE_CHECKING:
    # Not imported at run time, to keep `import lamella` fast.
    from lamella.application.audit.log import Logged
    from lamella.application.audit.undo import Undone
    from lamella.application.exchange.export import ExportRequest
    from lamella.application.exchange.taking_over import ImportAccount
    from lamella.application.ledger.check_edit import EditRequest
    from lamella.application.ledger.file_history import FileHistory
    from lamella.application.maintenance.status import Status
    from lamella.application.projects.manage import Moved
    from lamella.container import Lamella
    from lamella.domain.call import Call
    from lamella.domain.conversations.message import Message, Role, Session
    from lamella.domain.projects.project import Project

_Request = TypeVar("_Request")
_Reply = TypeVar("_Reply")


@define
class Opened:
    """Reference to the use cases, shared by all `Memory` objects of one storage. None after closing."""

    lamella: Lamella | None


@in_words_of_programs
@frozen
class ProjectMemory:
    """Base of `Memory` with methods for files, conversations, changes and projects."""

    _opened: Opened
    _call: Call

    def check_edit(self, request: EditRequest) -> str | None:
        """Return a warning if an edit brings back code that was removed for a reason; None otherwise.

        Raises:
            PathOutsideProjectError: The file is outside the project.
            CapabilityUnsupportedError: The storage has no code ledger.
        """
        return self._asked(self._lamella.check_edit, request)

    def file_history(self, path: str, *, limit: int = DEFAULT_CHANGES) -> FileHistory:
        """Return the latest changes of a file, including those under former names.

        Raises:
            PathOutsideProjectError: The file is outside the project.
            CapabilityUnsupportedError: The storage has no code ledger.
        """
        require_type("path", path, str)
        require_number("limit", limit, least=1)
        return self._lamella.file_history(self._call, path, limit=limit)

    def recall_messages(self, text: str, *, filters: Filters = NO_FILTERS) -> str:
        """Search past conversations for `text`. Return messages as text for an agent.

        Raises:
            CapabilityUnsupportedError: The storage keeps no conversations.
        """
        require_type("filters", filters, Filters)
        return self._lamella.recall_messages(self._call, text, filters=filters)

    def show_message(self, number: int) -> str:
        """Return a message with the messages around it, as text for an agent.

        Raises:
            MessageNotFoundError: No message has this number.
            CapabilityUnsupportedError: The storage keeps no conversations.
        """
        require_number("number", number, least=1)
        return self._lamella.show_message(self._call, number)

    def sessions(self) -> tuple[Session, ...]:
        """Return the past conversations of the project, latest first.

        Raises:
            CapabilityUnsupportedError: The storage keeps no conversations.
        """
        return self._lamella.projects.find(self._call).conversations().sessions()

    def messages(self, session: str) -> tuple[Message, ...]:
        """Return the messages of a conversation in order.

        Raises:
            CapabilityUnsupportedError: The storage keeps no conversations.
        """
        require_type("session", session, str)
        return tuple(self._lamella.read_conversation(self._call, session))

    def add_messages(self, session: str, messages: Iterable[tuple[Role, str]]) -> None:
        """Append messages to a conversation durably. Redact secrets first. Create the conversation if necessary.

        Args:
            session: Id of the conversation.
            messages: Roles and texts. Tool calls and their results are shortened.

        Raises:
            ConversationsNotSharedError: The storage is shared with other machines, and sharing of conversations is
                off.
            CapabilityUnsupportedError: The storage keeps no conversations.

        Example:
            memory.add_messages("chat-7", [(Role.HUMAN, "When?"), (Role.ASSISTANT, "At 4.")])
        """
        require_type("session", session, str)
        self._lamella.add_messages(self._call, session, messages)

    def erase_conversation(self, session: str) -> int:
        """Delete a conversation permanently. Return the number of deleted messages.

        Raises:
            UnfinishedEraseError: The messages are deleted, but their bytes may remain on disk.
            CapabilityUnsupportedError: The storage keeps no conversations, or can't erase.
        """
        require_type("session", session, str)
        return self._lamella.erase_conversation(self._call, session)

    def log(self, id: str | None = None, *, limit: int = 20) -> tuple[Logged, ...]:
        """Return the latest entries of the audit trail, newest first: edits, purges, imports, merges.

        Args:
            id: Id of a memory, or a prefix of it; None for all memories.
            limit: Maximum number of entries.

        Raises:
            NothingFoundError: No memory has the id.
            AmbiguousIdError: The id matches several memories.
            CapabilityUnsupportedError: The storage keeps no audit trail.
        """
        require_number("limit", limit, least=1)
        memory = None if id is None else self._lamella.find_one(self._call, id).observation.id
        return self._lamella.log(self._call, limit=limit, memory=memory, titles=limit)

    def undo(self, entry: str | None = None, *, dry_run: bool = False) -> Undone:
        """Undo a change, except for memories changed again since.

        Args:
            entry: Name of the audit entry, as in `Logged.name`; None for the latest one still in effect.
            dry_run: True to only report the memories that would be changed.

        Raises:
            NotUndoableError: The entry doesn't exist, or nothing of it can be undone.
            CapabilityUnsupportedError: The storage keeps no audit trail.
        """
        number, everywhere = (None, False) if entry is None else named_entry(str(entry)) or _no_entry(entry)
        return self._lamella.undo(self._call, number, everywhere=everywhere, dry_run=dry_run)

    def export(self, request: ExportRequest | None = None) -> Stream[bytes]:
        """Export memories as JSON lines, to pass to `writelines` of a binary file.

        Without a request, export this project.

        Raises:
            PathOutsideProjectError: The path of the filters is outside the project.
        """
        from lamella.domain.exchange import json_lines  # noqa: PLC0415 - most programs export nothing

        use_case = self._lamella.export
        kind = type_of_request(use_case)
        request = kind() if request is None else request
        require_type("request", request, kind)
        return Stream(lambda: json_lines.written(use_case(self._call, request)))

    def import_from(self, file: BinaryIO, *, into: str | None = None, dry_run: bool = False) -> ImportAccount:
        """Import an export. Memories keep their ids and times. Existing memories aren't changed.

        Args:
            file: Export, opened in binary mode.
            into: Project to import everything into; None to keep the original projects.
            dry_run: True to only count.

        Raises:
            UnreadableExportError: The file isn't an export, or is damaged. Records before the damage are imported.
        """
        from lamella.domain.exchange import json_lines  # noqa: PLC0415 - most programs import nothing

        accounts = self._lamella.import_records(self._call, json_lines.read(file), into=into, dry_run=dry_run)
        (account,) = deque(accounts, maxlen=1)
        # A large import may leave no idle time for background maintenance, so do it now.
        deque(iter(self._lamella.storage.tidy, False), maxlen=0)
        return account

    def projects(self) -> tuple[Project, ...]:
        """Return all projects of the storage, by name."""
        return self._lamella.storage.registry.all()

    def merge(self, old: str, new: str) -> Moved:
        """Merge a project with its conversations into another one. `split` reverts it.

        Args:
            old: Id, alias or name of the project to merge.
            new: Id, alias or name of the project to merge into.

        Raises:
            ProjectChangeError: Both are the same project, or `old` was already merged into another.
        """
        return self._lamella.merge_projects(self._call, old, new)

    def split(self, old: str) -> Moved:
        """Revert a merge. Memories saved in `old` before the merge move back.

        Raises:
            ProjectChangeError: The project wasn't merged into another.
        """
        return self._lamella.split_project(self._call, old)

    def switch(self, *, on: bool) -> Project | None:
        """Switch memory on or off in the project. While off, nothing is saved, shown or deleted.

        Returns:
            The project; None if it doesn't exist yet, so that memory is on.
        """
        require_type("on", on, bool)
        return self._lamella.switch_project(self._call, on=on)

    def status(self) -> Status:
        """Return statistics of the project: stored data, and memories given to sessions."""
        return self._lamella.status(self._call)

    def _asked(self, use_case: Callable[[Call, _Request], _Reply], request: _Request) -> _Reply:
        """Check the type of a request, and call the use case."""
        require_type("request", request, type_of_request(use_case))
        return use_case(self._call, request)

    @property
    def _lamella(self) -> Lamella:
        if self._opened.lamella is None:
            raise MemoryClosedError
        return self._opened.lamella


def type_of_request(use_case: Callable[..., object]) -> Any:
    """Return the request type of a use case, without importing it here."""
    return type(use_case).__call__.__annotations__["request"]


def _no_entry(given: object) -> NoReturn:
    raise InvalidValueError(name="entry", given=repr(given), allowed="the name of a change, such as '3' or 'e3'")
