"""What a program can do in a project, besides saving and finding memories."""

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
    # Most programs use few of them.
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
    """The use cases while storage is open."""

    lamella: Lamella | None


@in_words_of_programs
@frozen
class ProjectMemory:
    """The files, conversations, changes and projects that memories belong to."""

    _opened: Opened
    _call: Call

    def check_edit(self, request: EditRequest) -> str | None:
        """Return a warning if an edit brings back code that was removed for a reason; None otherwise.

        Raises:
            PathOutsideProjectError: The file is not in the project.
            CapabilityUnsupportedError: The storage keeps no changes of code.
        """
        return self._asked(self._lamella.check_edit, request)

    def file_history(self, path: str, *, limit: int = DEFAULT_CHANGES) -> FileHistory:
        """Return the latest changes of a file, under its former names too.

        Raises:
            PathOutsideProjectError: The file is not in the project.
            CapabilityUnsupportedError: The storage keeps no changes of code.
        """
        require_type("path", path, str)
        require_number("limit", limit, least=1)
        return self._lamella.file_history(self._call, path, limit=limit)

    def recall_messages(self, text: str, *, filters: Filters = NO_FILTERS) -> str:
        """Return messages of past conversations that hold words of `text`, as an agent reads them.

        Raises:
            CapabilityUnsupportedError: The storage keeps no conversations.
        """
        require_type("filters", filters, Filters)
        return self._lamella.recall_messages(self._call, text, filters=filters)

    def show_message(self, number: int) -> str:
        """Return a message and what was said around it, as an agent reads them.

        Raises:
            MessageNotFoundError: No message has this number.
            CapabilityUnsupportedError: The storage keeps no conversations.
        """
        require_number("number", number, least=1)
        return self._lamella.show_message(self._call, number)

    def sessions(self) -> tuple[Session, ...]:
        """Return the past conversations of the project, the latest first.

        Raises:
            CapabilityUnsupportedError: The storage keeps no conversations.
        """
        return self._lamella.projects.find(self._call).conversations().sessions()

    def messages(self, session: str) -> tuple[Message, ...]:
        """Return what was said in a conversation, in its order.

        Raises:
            CapabilityUnsupportedError: The storage keeps no conversations.
        """
        require_type("session", session, str)
        return tuple(self._lamella.read_conversation(self._call, session))

    def add_messages(self, session: str, messages: Iterable[tuple[Role, str]]) -> None:
        """Add messages to a conversation durably, after secrets are taken out. The first one begins it.

        Args:
            session: Id of the conversation.
            messages: Roles and texts. Calls of tools and their results are shortened.

        Raises:
            ConversationsNotSharedError: Other machines use the storage, and the user shares no conversations.
            CapabilityUnsupportedError: The storage keeps no conversations.

        Example:
            memory.add_messages("chat-7", [(Role.HUMAN, "When?"), (Role.ASSISTANT, "At 4.")])
        """
        require_type("session", session, str)
        self._lamella.add_messages(self._call, session, messages)

    def erase_conversation(self, session: str) -> int:
        """Delete a conversation for good, and return how many messages it had.

        Raises:
            UnfinishedEraseError: The messages are gone, but bytes of them may remain.
            CapabilityUnsupportedError: The storage keeps no conversations, or does not erase.
        """
        require_type("session", session, str)
        return self._lamella.erase_conversation(self._call, session)

    def log(self, id: str | None = None, *, limit: int = 20) -> tuple[Logged, ...]:
        """Return the latest changes of all memories or of one, newest first: purges, edits, imports, merges.

        Args:
            id: Id of the memory, or its beginning; None for all.
            limit: Most changes.

        Raises:
            NothingFoundError: No memory has the id.
            AmbiguousIdError: It could mean several.
            CapabilityUnsupportedError: The storage keeps no audit trail.
        """
        require_number("limit", limit, least=1)
        memory = None if id is None else self._lamella.find_one(self._call, id).observation.id
        return self._lamella.log(self._call, limit=limit, memory=memory, titles=limit)

    def undo(self, entry: str | None = None, *, dry_run: bool = False) -> Undone:
        """Undo a change, except on memories changed again since.

        Args:
            entry: Name of the change, as in `Logged.name`; None for the latest one in effect.
            dry_run: True to change nothing, and return what would be changed.

        Raises:
            NotUndoableError: There is no such change, or nothing of it can be taken back.
            CapabilityUnsupportedError: The storage keeps no audit trail.
        """
        number, everywhere = (None, False) if entry is None else named_entry(str(entry)) or _no_entry(entry)
        return self._lamella.undo(self._call, number, everywhere=everywhere, dry_run=dry_run)

    def export(self, request: ExportRequest | None = None) -> Stream[bytes]:
        """Return the lines of an export, for `writelines` of a binary file. Without a request, this project's.

        Raises:
            PathOutsideProjectError: The path of the filters is not in the project.
        """
        from lamella.domain.exchange import json_lines  # noqa: PLC0415 - most programs export nothing

        use_case = self._lamella.export
        kind = type_of_request(use_case)
        request = kind() if request is None else request
        require_type("request", request, kind)
        return Stream(lambda: json_lines.written(use_case(self._call, request)))

    def import_from(self, file: BinaryIO, *, into: str | None = None, dry_run: bool = False) -> ImportAccount:
        """Take over an export. Memories keep their ids and times; those that are here stay as they are.

        Args:
            file: The export, opened in binary mode.
            into: Project that everything goes into; None for the projects that they are from.
            dry_run: True to count only.

        Raises:
            UnreadableExportError: The file is no export, or damaged. What came before was taken over.
        """
        from lamella.domain.exchange import json_lines  # noqa: PLC0415 - most programs import nothing

        accounts = self._lamella.import_records(self._call, json_lines.read(file), into=into, dry_run=dry_run)
        (account,) = deque(accounts, maxlen=1)
        # Who adds much at once has no quiet second to wait for.
        deque(iter(self._lamella.storage.tidy, False), maxlen=0)
        return account

    def projects(self) -> tuple[Project, ...]:
        """Return all projects of the storage, by name."""
        return self._lamella.storage.registry.all()

    def merge(self, old: str, new: str) -> Moved:
        """Move the memories and conversations of one project into another. `split` takes it back.

        Args:
            old: Id, alias or name of the project that is merged.
            new: The same of the other one.

        Raises:
            ProjectChangeError: They are the same, or `old` was merged elsewhere.
        """
        return self._lamella.merge_projects(self._call, old, new)

    def split(self, old: str) -> Moved:
        """Take a merge back: what was saved in `old` before it returns there.

        Raises:
            ProjectChangeError: It was not merged into another.
        """
        return self._lamella.split_project(self._call, old)

    def switch(self, *, on: bool) -> Project | None:
        """Switch memory on or off in the project. While it is off, nothing is kept or shown; what is stored stays.

        Returns:
            The project; None if there is none yet, whose memory is on.
        """
        require_type("on", on, bool)
        return self._lamella.switch_project(self._call, on=on)

    def status(self) -> Status:
        """Return what is stored for the project, and what its sessions were given."""
        return self._lamella.status(self._call)

    def _asked(self, use_case: Callable[[Call, _Request], _Reply], request: _Request) -> _Reply:
        """Call a use case, with a request of its type."""
        require_type("request", request, type_of_request(use_case))
        return use_case(self._call, request)

    @property
    def _lamella(self) -> Lamella:
        if self._opened.lamella is None:
            raise MemoryClosedError
        return self._opened.lamella


def type_of_request(use_case: Callable[..., object]) -> Any:
    """Return the type of the requests of a use case, which is imported with it."""
    return type(use_case).__call__.__annotations__["request"]


def _no_entry(given: object) -> NoReturn:
    raise InvalidValueError(name="entry", given=repr(given), allowed="the name of a change, such as '3' or 'e3'")
