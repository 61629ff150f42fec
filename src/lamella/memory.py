"""The front door for programs: one object with the use cases, for one caller."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from os import PathLike, environ, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

from attrs import define, evolve, frozen

from lamella.container import Lamella, running
from lamella.domain.call import USER, Call
from lamella.domain.errors import InvalidValueError, MemoryClosedError
from lamella.domain.memories.query import DEFAULT_CHANGES, NO_FILTERS, Filters
from lamella.domain.validation import refuse_type, require_number, require_type
from lamella.entry_points import adapter

if TYPE_CHECKING:
    # Most programs use few of them.
    from lamella.application.ledger.check_edit import EditRequest
    from lamella.application.ledger.file_history import FileHistory
    from lamella.application.maintenance.status import Status
    from lamella.application.memories.get import FoundMemories
    from lamella.application.memories.purge_restore_erase import StatusChangeOutcome
    from lamella.application.memories.save import SaveOutcome, SaveRequest
    from lamella.application.memories.timeline import TimelineRequest
    from lamella.application.search.recall import RecallRequest
    from lamella.application.search.request import SearchRequest
    from lamella.caller import Caller
    from lamella.domain.conversations.message import Session
    from lamella.domain.memories.timeline import Surroundings
    from lamella.domain.projects.project import Project
    from lamella.domain.replies.answer import Answer
    from lamella.settings import Settings

_Request = TypeVar("_Request")
_Reply = TypeVar("_Reply")

Ids = Sequence[str | UUID]
"""Ids of memories."""


@define
class _Opened:
    """The use cases while storage is open."""

    lamella: Lamella | None


@frozen
class Memory:
    """The memories of one project, as one caller sees and changes them. May be used from several threads.

    Ids are full ids, texts or UUIDs; `purge`, `restore` and `erase` also take the beginnings that replies show.
    Every method raises a `LamellaError` where it refuses: `UnknownProjectError` where the project that was named
    doesn't exist, `StorageError` where storage fails, `MemoryClosedError` after the `with` block.
    """

    _opened: _Opened
    _call: Call

    def at(
        self,
        directory: str | PathLike[str] | None = None,
        *,
        project: str | None = None,
        session: str | None = None,
        author: str | None = None,
        request: str | None = None,
    ) -> Memory:
        """Return the same storage for another caller; what isn't given stays as it is.

        Args:
            directory: Working directory, whose repository is the project.
            project: Project by its id, an alias or its name, instead of that of the directory. It has to exist.
            session: Id of the conversation that calls are part of.
            author: Name of the person or program that saves.
            request: Id of the next call, the same for its retries: a save is done once.
        """
        given = {"project": project, "session": session, "author": author, "request": request}
        changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        if directory is not None:
            changes["directory"] = _working_directory(directory)
        return Memory(self._opened, evolve(self._call, **changes))

    def save(self, request: SaveRequest) -> SaveOutcome:
        """Save a memory durably, after secrets are taken out. What is saved already is not saved again."""
        return self._asked(self._lamella.save, request)

    def search(self, request: SearchRequest) -> Answer:
        """Return the hits of a search, best first."""
        return self._asked(self._lamella.search, request)

    def recall(self, request: RecallRequest) -> str:
        """Return a page of hits as an agent reads it, within its token budget.

        Raises:
            NothingFoundError: Something was asked for and isn't there.
            ObservationPurgedError: It was asked for by its id, and is purged.
        """
        return self._asked(self._lamella.recall, request)

    def similar(self, text: str, *, limit: int = 10, filters: Filters = NO_FILTERS) -> str:
        """Return the memories nearest in meaning to `text`, as an agent reads them. Needs an embedder."""
        require_type("text", text, str)
        require_number("limit", limit, least=1)
        require_type("filters", filters, Filters)
        return self._lamella.search_by_meaning(self._call, text, limit=limit, filters=filters)

    def get(self, ids: Ids) -> FoundMemories:
        """Return live memories by their full ids, and the ids that none has."""
        return self._lamella.get(self._call, _texts(ids))

    def timeline(self, request: TimelineRequest) -> Surroundings:
        """Return the memories nearest in time on either side of an anchor."""
        return self._asked(self._lamella.timeline, request)

    def purge(self, ids: Ids) -> StatusChangeOutcome:
        """Take memories out of search until they are restored. A failure never stops the others."""
        return self._lamella.purge(self._call, _texts(ids))

    def restore(self, ids: Ids) -> StatusChangeOutcome:
        """Restore purged memories. A failure never stops the others."""
        return self._lamella.restore(self._call, _texts(ids))

    def erase(self, ids: Ids) -> StatusChangeOutcome:
        """Delete memories for good."""
        return self._lamella.erase(self._call, _texts(ids))

    def check_edit(self, request: EditRequest) -> str | None:
        """Return a warning if an edit brings back code that was removed for a reason; None otherwise."""
        return self._asked(self._lamella.check_edit, request)

    def file_history(self, path: str, *, limit: int = DEFAULT_CHANGES) -> FileHistory:
        """Return the latest changes of a file, under its former names too."""
        require_type("path", path, str)
        require_number("limit", limit, least=1)
        return self._lamella.file_history(self._call, path, limit=limit)

    def recall_messages(self, text: str, *, filters: Filters = NO_FILTERS) -> str:
        """Return messages of past conversations that hold words of `text`, as an agent reads them."""
        require_type("filters", filters, Filters)
        return self._lamella.recall_messages(self._call, text, filters=filters)

    def show_message(self, number: int) -> str:
        """Return a message and what was said around it, as an agent reads them."""
        require_number("number", number, least=1)
        return self._lamella.show_message(self._call, number)

    def sessions(self) -> tuple[Session, ...]:
        """Return the past conversations of the project, the latest first."""
        return self._lamella.projects.find(self._call).conversations().sessions()

    def erase_conversation(self, session: str) -> int:
        """Delete a conversation for good, and return how many messages it had."""
        require_type("session", session, str)
        return self._lamella.erase_conversation(self._call, session)

    def projects(self) -> tuple[Project, ...]:
        """Return all projects of the storage, by name."""
        return self._lamella.storage.registry.all()

    def status(self) -> Status:
        """Return what is stored for the project, and what its sessions were given."""
        return self._lamella.status(self._call)

    def _asked(self, use_case: Callable[[Call, _Request], _Reply], request: _Request) -> _Reply:
        """Call a use case, with a request of its type."""
        require_type("request", request, type(use_case).__call__.__annotations__["request"])
        return use_case(self._call, request)

    @property
    def _lamella(self) -> Lamella:
        if self._opened.lamella is None:
            raise MemoryClosedError
        return self._opened.lamella


@contextmanager
def open_memory(
    directory: str | PathLike[str] = ".",
    *,
    project: str | None = None,
    session: str | None = None,
    author: str | None = None,
    actor: str = USER,
    data_directory: str | PathLike[str] | None = None,
    storage: str | None = None,
    tokenizer: str | None = None,
    embedder: str | None = None,
) -> Iterator[Memory]:
    """Open the memories of a project, and close them at the end of the `with` block.

    What isn't given is as the `LAMELLA_…` environment variables say, or as in the server that agents use: the same
    memories are read and written.

    Args:
        directory: Working directory, whose repository is the project.
        project: Name of the project, instead of that of the directory. The first save under a new name creates it.
        session: Id of the conversation that calls are part of.
        author: Name of the person or program that saves.
        actor: Kind of the one who saves: `user`, `agent` or another word.
        data_directory: Folder of lamella's files.
        storage: URL whose scheme names the storage adapter, such as `memory:`.
        tokenizer: Name of the tokenizer that counts the tokens of replies.
        embedder: Name of the embedder for search by meaning; `auto` for the one that needs no set-up, if the extra
            `semantic` is installed; `none` for none. The first question loads it and waits for that.

    Raises:
        InvalidValueError: A value has the wrong type, or no adapter has the name.
        StorageError: The storage refuses to open.
    """
    settings: Settings = adapter("settings", "environment")(environ)
    given = {"storage": storage, "tokenizer": tokenizer, "embedder": embedder}
    changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if data_directory is not None:
        changes["data_directory"] = _folder("data_directory", data_directory)
    caller: Caller = adapter("caller", "environment")(environ, _working_directory(directory), actor=actor)
    context = caller.context
    call = evolve(
        context,
        session=session,
        default_project=project or context.default_project,
        author=author or context.author,
    )
    # The same question is to have the same answer, whenever it is asked.
    with running(evolve(settings, **changes, patient=True)) as lamella:
        opened = _Opened(lamella)
        try:
            yield Memory(opened, call)
        finally:
            opened.lamella = None


def _texts(ids: Ids) -> Sequence[str]:
    """Return ids as texts.

    Raises:
        InvalidValueError: They are no list of texts or UUIDs.
    """
    if not isinstance(ids, list | tuple):
        refuse_type("ids", ids, "a list of ids")
    return [str(each) if isinstance(each, UUID) else each for each in ids]


def _folder(name: str, given: object) -> Path:
    """Return a folder, absolute.

    Raises:
        InvalidValueError: `given` is no path.
    """
    if isinstance(given, str | PathLike):
        return Path(fspath(given)).expanduser().absolute()
    raise InvalidValueError(name=name, given=f"{given!r}", allowed="a path")


def _working_directory(given: object) -> Path:
    """Return the folder that a caller works in: a typing error would make a project of its own.

    Raises:
        InvalidValueError: It is no path, or no folder that exists.
    """
    directory = _folder("directory", given)
    if not directory.is_dir():
        raise InvalidValueError(name="directory", given=f"{str(directory)!r}", allowed="a folder that exists")
    return directory
