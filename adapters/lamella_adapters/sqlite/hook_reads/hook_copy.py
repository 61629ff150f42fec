"""Copy of a remote storage in SQLite files, for hooks.

The copy is a separate data directory in the folder `copies`. It has a registry and a file for each project. The
aliases of its projects are the keys of their locations on this machine.
"""

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from uuid import UUID, uuid4

import apsw
from attrs import define, field

from lamella.domain.audit.entry import Signature
from lamella.domain.errors import StorageDamagedError, StorageGoneError, StorageTooNewError
from lamella.domain.projects.key import key_from_bytes, key_to_bytes
from lamella.domain.projects.project import Project
from lamella.domain.transactions.erasing import decide_erase, look_for_erase
from lamella.domain.transactions.importing import decide_arrivals
from lamella.domain.transactions.look import Look
from lamella.ports.hook_copy import Copied, HookCopy
from lamella.ports.storage.feed import Change, FeedState, Mark
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.file.database import Database
from lamella_adapters.sqlite.file.folders import new_file, own_data_directory
from lamella_adapters.sqlite.hook_reads.copy import REFRESHED, copy_folder
from lamella_adapters.sqlite.projects.registry import SqliteRegistry
from lamella_adapters.sqlite.projects.scope import Scope
from lamella_adapters.sqlite.tables.context_column import refresh_followers
from lamella_adapters.sqlite.tables.observation_rows import DerivedRow
from lamella_adapters.sqlite.transaction import InTransactions, SqliteTransaction
from lamella_adapters.statements import statements

SQL = statements(__file__)

KEPT_FOR = timedelta(days=30)
"""Age at which a copy is deleted if it wasn't refreshed."""


def open_hook_copy(url: str, data_directory: Path) -> "SqliteHookCopy":
    """Open the copy of the storage at a URL; see `OpenHookCopy`."""
    return SqliteHookCopy(Path(copy_folder(url, os.fspath(data_directory))))


@define(eq=False)
class SqliteHookCopy(HookCopy):
    """Copy of a remote storage, in a local folder."""

    folder: Path
    _registry: SqliteRegistry = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._registry = SqliteRegistry(self.folder)

    def places(self) -> Mapping[str, str]:
        """See `HookCopy.places`."""
        if not self._registry.path.exists():
            self._begin_anew()
            return {}
        with self._mended(), self._registry.ensure_database().reading() as connection:
            return {key_from_bytes(alias): id for alias, id in fetch(connection, SQL["places"])}

    def lead(self, places: Mapping[str, FeedState | None]) -> None:
        """See `HookCopy.lead`."""
        for key, state in places.items():
            if state is not None and state.project not in self._registry.catalogue().projects:
                self._make(key, state)
        with self._registry.ensure_database().writing() as connection:
            for key, state in places.items():
                alias = key_to_bytes(key)
                if state is None:
                    connection.execute("DELETE FROM alias WHERE alias = ?", (alias,))
                else:
                    connection.execute(SQL["lead"], (alias, state.project))
            unled = [id for (id,) in fetch(connection, SQL["unled"])]
            connection.executemany("DELETE FROM project WHERE id = ?", [(id,) for id in unled])
            connection.executemany("DELETE FROM off_period WHERE project = ?", [(id,) for id in unled])
        for id in unled:
            self._delete(id)

    def _make(self, key: str, state: FeedState) -> None:
        """Create the file of a project, and the data directory if it is missing."""
        own_data_directory(self.folder.parent.parent)
        own_data_directory(self.folder.parent)
        # Create the project together with its location, because another process would delete a project without
        # locations.
        free = () if key in self._registry.catalogue().by_alias else (key,)
        made = Project(id=state.project, name=state.name, aliases=free, created_at=datetime.now(UTC))
        self._registry.upsert(made)

    def _delete(self, project: str) -> None:
        path = self._registry.path_of(project)
        self._reopen()
        for each in path.parent.glob(f"{path.name}*"):
            each.unlink(missing_ok=True)

    def copied(self, project: str) -> Copied:
        """See `HookCopy.copied`."""
        with self._mended(), self._database(project).reading() as connection:
            if not fetch(connection, "SELECT 1 FROM sqlite_schema WHERE name = 'copied'"):
                return Copied()
            ((revision, sequence, settled),) = fetch(connection, SQL["copied"])
        return Copied(Mark(revision, sequence), settled)

    def put(self, project: str, changes: Sequence[Change]) -> None:
        """See `HookCopy.put`."""
        arrivals = [each.arrival for each in changes]
        derived = {each.observation.id: DerivedRow.of(each.observation) for each in arrivals}
        file = self._registry.file_of(project)
        with file.database.writing() as connection:
            transaction = SqliteTransaction(connection, project, derived)
            for id in derived:
                _remove(connection, id)
            plan, _ = decide_arrivals(arrivals, None, transaction.look(Look()))
            transaction.apply(plan)
            _begin(connection)
            last = changes[-1].mark
            connection.execute(SQL["advance"], (last.revision, last.sequence))

    def ids(self, project: str) -> Sequence[UUID]:
        """See `HookCopy.ids`."""
        with self._database(project).reading() as connection:
            return [UUID(bytes=id) for (id,) in fetch(connection, "SELECT id FROM observation")]

    def erase(self, project: str, ids: Sequence[UUID], *, by: Signature) -> None:
        """See `HookCopy.erase`."""
        decide = partial(decide_erase, ids, entry=uuid4(), by=by)
        InTransactions(Scope(self._registry.file_of(project), self._registry)).transact(
            look_for_erase(ids), decide
        )

    def settle(self, project: str, revision: int) -> None:
        """See `HookCopy.settle`."""
        with self._database(project).writing() as connection:
            _begin(connection)
            connection.execute(SQL["settle"], (revision,))

    def refresh(self, now: datetime) -> None:
        """See `HookCopy.refresh`."""
        if not self.folder.exists():
            return
        note = self.folder / REFRESHED
        with suppress(FileExistsError):
            new_file(note)
        os.utime(note, (now.timestamp(), now.timestamp()))
        for other in self.folder.parent.iterdir():
            if other != self.folder and _is_stale(other, now):
                shutil.rmtree(other, ignore_errors=True)

    def refreshed(self) -> datetime | None:
        """See `HookCopy.refreshed`."""
        return _refreshed(self.folder)

    def close(self) -> None:
        """See `HookCopy.close`."""
        self._registry.close()

    @contextmanager
    def _mended(self) -> Iterator[None]:
        """If the copy is unreadable, delete it, and raise the error. The next run makes a new copy."""
        try:
            yield
        except (StorageDamagedError, StorageGoneError, StorageTooNewError):
            self._begin_anew()
            raise

    def _begin_anew(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self._reopen()

    def _reopen(self) -> None:
        self._registry.close()
        self._registry = SqliteRegistry(self.folder)

    def _database(self, project: str) -> Database:
        return self._registry.file_of(project).database


def _begin(connection: apsw.Connection) -> None:
    connection.execute(SQL["make"])
    connection.execute(SQL["begin"])


def _remove(connection: apsw.Connection, id: UUID) -> None:
    """Delete the former row of an observation, if it has one."""
    for sequence, session, moment in fetch(connection, SQL["place"], (id.bytes,)):
        connection.execute("DELETE FROM observation WHERE seq = ?", (sequence,))
        refresh_followers(connection, session, moment, sequence)


def _refreshed(folder: Path) -> datetime | None:
    with suppress(FileNotFoundError):
        return datetime.fromtimestamp((folder / REFRESHED).stat().st_mtime, UTC)
    return None


def _is_stale(folder: Path, now: datetime) -> bool:
    """Return True if a copy wasn't refreshed for a long time.

    A copy that was never refreshed isn't stale, because it is still being made.
    """
    refreshed = _refreshed(folder)
    return refreshed is not None and now - refreshed > KEPT_FOR
