"""Storage of a team's server over HTTP. It writes captures to the server, and reads from a local copy.

The copy has the projects with locations on this machine. Agents save and recall through the server's tools
(`RemoteTools`), so other writes are refused.
"""

import time
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import unquote
from uuid import UUID

from attrs import define, field, frozen

from lamella.application.capture.serve_hooks import ServeHooks
from lamella.domain.errors import CapabilityUnsupportedError, LamellaError, StorageError
from lamella.domain.projects.project import Location, Project
from lamella.domain.transactions.catalogue import Catalogue, ProjectLook
from lamella.domain.transactions.importing import ImportResult
from lamella.entry_points import adapter
from lamella.ports.hook_copy import HookCopy
from lamella.ports.storage.activity import ActivityLog
from lamella.ports.storage.diagnosis import Finding, Severity, StorageDiagnosis
from lamella.ports.storage.feed import Change, Feed, FeedState, Mark
from lamella.ports.storage.ledger import Capture, CodeLedger, Recorded
from lamella.ports.storage.observations import ObservationStorage
from lamella.ports.storage.projects import ProjectRegistry
from lamella.ports.storage.search import ObservationSearch
from lamella.ports.storage.storage import Capability, Storage
from lamella.ports.storage.transaction import Transactional
from lamella_adapters.process.tables import sentences
from lamella_adapters.remote.server import Server, server_at

_FRESH_SECONDS = 10.0
"""Seconds after which the server is asked again for changes of a project, or for the list of all projects."""

_ABLE = ("DURABLE", "LEDGER", "ACTIVITY", "FEED", "SHARED", "DIAGNOSE")

_OF_ID = "id:"
"""Prefix of a project's key in the copy, as long as the copy doesn't know the project's location."""


def open_storage(url: str, data_directory: Path) -> "RemoteStorage":
    """Open the storage of the team's server at `url`.

    Raises:
        StorageError: This data directory is not connected to the server.
    """
    server, copy = server_at(url, data_directory), adapter("hook_copy", "https")(url, data_directory)
    return RemoteStorage(
        url, server, copy, adapter("storage", "sqlite")(f"sqlite://{copy.folder}", data_directory)
    )


def _refuse(*_: object) -> NoReturn:
    raise StorageError(**sentences(__file__, "write"))


def _copied(part: str, name: str) -> Any:
    """Return a method that calls the method `name` of a part of the local copy, such as the part `ledger`."""

    def read(data: "_OfProject", *arguments: Any, **more: Any) -> Any:
        copied = getattr(data.storage.copied(data.project), part)(data.project)
        return getattr(copied, name)(*arguments, **more)

    return read


@frozen
class _OfProject(Transactional):
    storage: "RemoteStorage"
    project: str
    look = _copied("observations", "look")
    transact = _refuse  # type: ignore[assignment]


class _Observations(_OfProject, ObservationStorage):
    page = _copied("observations", "page")

    def known(self, ids: Collection[UUID]) -> Mapping[UUID, ImportResult]:
        return self.storage.server.ask(ServeHooks.known, self.project, tuple(ids))


class _Ledger(_OfProject, CodeLedger):
    names, history, removals = (_copied("ledger", each) for each in ("names", "history", "removals"))

    def record(self, captures: Sequence[Capture]) -> tuple[Recorded, ...]:
        self.storage.asked.pop(self.project, None)
        return self.storage.server.ask(ServeHooks.record, self.project, tuple(captures)) if captures else ()

    def age(self, before: datetime, *, limit: int) -> bool:  # noqa: ARG002 - the server ages edits itself
        return False


@define(eq=False)
class _There(ProjectRegistry, Feed, StorageDiagnosis):
    """Projects on the server, and their changes."""

    server: Server
    transact = _refuse  # type: ignore[assignment]
    _every: tuple[float, Catalogue] = (0.0, Catalogue({}, {}))
    """All projects, and the monotonic time until which they aren't requested again."""

    def look(self, look: ProjectLook) -> Catalogue:
        now = time.monotonic()
        if look.every and now < self._every[0]:
            return self._every[1]
        found = Catalogue.of(self.server.ask(ServeHooks.look, look))
        if look.every:
            self._every = now + _FRESH_SECONDS, found
        return found

    def at(self, location: Location, *, now: datetime) -> Project:  # noqa: ARG002 - the server uses its own clock
        return self.server.ask(ServeHooks.at, location)

    def upsert(self, project: Project) -> Project:
        return project  # don't send the aliases that identify a moved folder

    def states(self, projects: Collection[str]) -> Mapping[str, FeedState]:
        return self.server.ask(ServeHooks.states, tuple(projects))

    def after(self, project: str, mark: Mark, *, limit: int) -> tuple[Change, ...]:
        changes = self.server.ask(ServeHooks.after, project, mark)[:limit]
        if changes and changes[-1].mark == mark:  # without progress, the caller would read the same page forever
            raise StorageError(**sentences(__file__, "200", url=self.server.url, why="no progress"))
        return changes

    def findings(self) -> tuple[Finding, ...]:
        severity, message = Severity.FINE, f"{self.server.url} answers, and accepts the token."
        try:
            self.states(())
        except LamellaError as error:
            severity, message = Severity.FAULT, str(error)
        return (Finding(subject="connection", severity=severity, message=message),)


@define(eq=False)
class RemoteStorage(Storage):
    """Storage of a team's server.

    Attributes:
        url: URL of the storage.
        server: The server.
        hook_copy: The local copy.
        reads: Storage that reads from the copy.
        asked: Monotonic time of the latest refresh of each project.
    """

    capabilities = frozenset(each for each in Capability if each.name in _ABLE)
    """See `Storage.capabilities`."""

    url: str
    server: Server
    hook_copy: HookCopy
    reads: Storage
    asked: dict[str, float] = field(init=False, factory=dict)
    registry: _There = field(init=False)
    """See `Storage.registry`."""
    feed: Feed = field(init=False)
    """See `Storage.feed`."""
    diagnosis: StorageDiagnosis = field(init=False)
    """See `Storage.diagnosis`."""

    def __attrs_post_init__(self) -> None:
        self.registry = self.feed = self.diagnosis = _There(self.server)

    @property
    def tenant(self) -> str:
        """See `Storage.tenant`. The fragment of the URL names it, once the machine is connected."""
        return unquote(self.url.partition("#")[2]) or self.server.ask(ServeHooks.tenant)

    def observations(self, project: str) -> ObservationStorage:
        """See `Storage.observations`."""
        return _Observations(self, project)

    def search(self, project: str) -> ObservationSearch:
        """See `Storage.search`."""
        return self.copied(project).search(project)

    def ledger(self, project: str) -> CodeLedger:
        """See `Storage.ledger`."""
        return _Ledger(self, project)

    def activity(self, project: str) -> ActivityLog:
        """See `Storage.activity`. Records of the memories that hooks showed stay on this machine."""
        return self.copied(project).activity(project)

    def copied(self, project: str) -> Storage:
        """Return a storage that reads from the copy, after copying new changes of the project from the server.

        Raises:
            CapabilityUnsupportedError: Memory is switched off in the project.
            StorageError: The server or the copy failed.
        """
        now, copy = time.monotonic(), self.hook_copy
        if now - self.asked.get(project, -_FRESH_SECONDS) < _FRESH_SECONDS:
            return self.reads
        state = self.feed.states([project]).get(project)
        if state is None:
            raise CapabilityUnsupportedError(capability="projects with memory off")
        if project not in copy.places().values():
            copy.lead({f"{_OF_ID}{project}": state})
        mark = copy.copied(project).mark
        while changes := self.feed.after(project, mark, limit=200):
            copy.put(project, changes)
            mark = changes[-1].mark
        self.asked[project] = now
        return self.reads

    def close(self) -> None:
        """See `Storage.close`."""
        for each in (self.server, self.hook_copy, self.reads):
            each.close()
