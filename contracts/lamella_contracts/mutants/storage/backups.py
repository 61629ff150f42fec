"""Faults in backups. The mutants are subclasses of SQLite's backups."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from uuid import UUID

from attrs import evolve

from lamella.domain.audit.entry import Signature
from lamella.domain.errors import BackupUnusableError
from lamella.domain.transactions.status import StatusChange
from lamella.ports.storage.backups import Backups, Copy, Label, OpenBackup, Restored
from lamella.ports.storage.observations import ObservationStorage
from lamella.ports.storage.storage import Capability
from lamella_adapters.sqlite import erasure
from lamella_adapters.sqlite.maintenance.backups import SqliteBackups
from lamella_adapters.sqlite.memories.observations import SqliteObservations
from lamella_adapters.sqlite.projects.scope import Scope
from lamella_adapters.sqlite.storage import SqliteStorage
from lamella_contracts.mutants.broken_storage import changed
from lamella_contracts.mutants.mutant import Mutants, Opening


def _opening(broken: type) -> Opening:
    class WithBackups(SqliteStorage):
        @property
        def backups(self) -> Backups:
            made: Backups = broken(self.registry)
            return made

    storage = broken if issubclass(broken, SqliteStorage) else WithBackups
    return {"open_storage": lambda _, folder: storage(folder)}


MUTANTS = Mutants(_opening)


@MUTANTS.add("an unchanged project is copied again")
class CopiesAlways(SqliteBackups):
    def copy(self, project: str, label: Label) -> Copy | None:
        return super().copy(project, label) or self.copies()[-1]


@MUTANTS.add("dropped copies stay")
class NeverDrops(SqliteBackups):
    def drop(self, copies: Sequence[Copy]) -> None:
        del copies


@MUTANTS.add("any file is accepted as a backup")
class TakesAnything(SqliteBackups):
    @contextmanager
    def opened(self, source: Path | Copy) -> Iterator[OpenBackup]:
        try:
            with super().opened(source) as backup:
                yield backup
        except BackupUnusableError:
            yield OpenBackup((), tuple)


class Restoring(SqliteBackups):
    """Backups that restore by `restored`, which subclasses override with a fault."""

    @contextmanager
    def opened(self, source: Path | Copy) -> Iterator[OpenBackup]:
        with super().opened(source) as backup:
            yield evolve(backup, restoring=partial(self.restored, backup))

    def restored(self, backup: OpenBackup) -> tuple[Restored, ...]:
        """Restore the backup."""
        return backup.restore()


@MUTANTS.add("a restore keeps later memories")
class KeepsLater(Restoring):
    def restored(self, backup: OpenBackup) -> tuple[Restored, ...]:
        scopes = [
            SqliteObservations(Scope(self.registry.file_of(each.project), self.registry))
            for each in backup.previews
        ]
        pages = [scope.page(limit=100) for scope in scopes]
        done = super().restored(backup)
        for scope, page in zip(scopes, pages, strict=True):
            scope.insert_new(page)
        return done


@MUTANTS.add("a restore keeps no copy of what it replaces")
class KeepsNothing(Restoring):
    def restored(self, backup: OpenBackup) -> tuple[Restored, ...]:
        done = super().restored(backup)
        self.drop([copy for copy in self.copies() if copy.label is Label.REPLACED])
        return done


@MUTANTS.add("an erase skips copies")
class SkipsCopies(SqliteStorage):
    def observations(self, project: str) -> ObservationStorage:
        return Erasing(self._scope(project))


class Erasing(SqliteObservations):
    def erase(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        with changed(erasure, backups_of=lambda _: ()):
            return super().erase(ids, by=by)


@MUTANTS.add("BACKUP is neither declared nor refused")
class Undeclared(SqliteStorage):
    @property
    def capabilities(self) -> frozenset[Capability]:
        return super().capabilities - {Capability.BACKUP}
