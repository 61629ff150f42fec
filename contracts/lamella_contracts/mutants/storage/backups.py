"""Faults in backups, in a small model of them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from datetime import timedelta
from pathlib import Path
from uuid import UUID

from attrs import define, field

from lamella.domain.audit.signature import Signature
from lamella.domain.errors import BackupUnusableError
from lamella.ports.storage.backups import (
    Archived,
    Backups,
    Copy,
    Difference,
    Held,
    Label,
    OpenBackup,
    Preview,
    Restored,
)
from lamella.ports.storage.observations import ObservationStorage, StatusChange
from lamella.ports.storage.storage import Capability
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.shelf import Shelf
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.contracts import BackupsContract
from lamella_contracts.fixtures.project import START
from lamella_contracts.mutants.broken_storage import BrokenStorage, Mutant, Mutants, without
from lamella_contracts.mutants.fault import naming_clauses

MUTANTS = Mutants()


@define(eq=False)
class Model(Backups):
    """Backups of the in-memory storage."""

    registry: InMemoryRegistry
    shelves: dict[str, tuple[Copy, Shelf]] = field(factory=dict)
    files: dict[bytes, dict[str, Shelf]] = field(factory=dict)

    def copies(self) -> tuple[Copy, ...]:
        return tuple(copy for copy, _ in self.shelves.values())

    def held(self, copy: Copy) -> Held:
        return Held(memories=len(self.shelves[copy.name][1].rows))

    def copy(self, project: str, label: Label) -> Copy | None:
        shelf = self.registry.shelves[project]
        if any(copy.project == project and same(kept, shelf) for copy, kept in self.shelves.values()):
            return None
        return self.keep(project, label, self.taken(shelf))

    def taken(self, shelf: Shelf) -> Shelf:
        return deepcopy(shelf)

    def keep(self, project: str, label: Label, shelf: Shelf) -> Copy:
        name = f"{len(self.shelves)} {project}"
        at = START + timedelta(minutes=len(self.shelves))
        copy = Copy(name=name, project=project, label=label, at=at, size=1, place=name)
        self.shelves[name] = (copy, shelf)
        return copy

    def drop(self, copies: Sequence[Copy]) -> None:
        for copy in copies:
            self.shelves.pop(copy.name, None)

    def trouble(self) -> str | None:
        return None

    def write(self, path: Path) -> tuple[Archived, ...]:
        content = f"a model of a backup, number {len(self.files)}".encode()
        self.files[content] = {id: self.taken(shelf) for id, shelf in self.registry.shelves.items()}
        path.write_bytes(content)
        return tuple(
            Archived(project=id, name=self.registry.known(id).name, held=Held(memories=len(shelf.rows)))
            for id, shelf in self.files[content].items()
        )

    @contextmanager
    def opened(self, source: Path | Copy) -> Iterator[OpenBackup]:
        if isinstance(source, Copy):
            yield self.ready({source.project: self.shelves[source.name][1]})
            return
        found = self.files.get(source.read_bytes())
        if found is None:
            raise BackupUnusableError(reason="It is no backup.", advice="Try another.")
        yield self.ready(found)

    def ready(self, shelves: dict[str, Shelf]) -> OpenBackup:
        return Ready(self, shelves).opened()


@define(eq=False)
class Ready:
    model: Model
    shelves: dict[str, Shelf]

    def opened(self) -> OpenBackup:
        """Return the backup."""
        return OpenBackup(tuple(self.preview(id, shelf) for id, shelf in self.shelves.items()), self.restore)

    def preview(self, id: str, then: Shelf) -> Preview:
        now = self.model.registry.shelves[id]
        name = self.model.registry.known(id).name
        gone, back = difference(now, then), difference(then, now)
        return Preview(project=id, name=name, now=len(live(now)), then=len(live(then)), gone=gone, back=back)

    def restore(self) -> tuple[Restored, ...]:
        return tuple(self.put(id, self.shelves[id]) for id in sorted(self.shelves))

    def put(self, id: str, shelf: Shelf) -> Restored:
        registry = self.model.registry
        before = registry.shelves[id]
        self.model.keep(id, Label.REPLACED, before)
        registry.shelves[id] = put = deepcopy(shelf)
        put.last_sequence = max(put.last_sequence, before.last_sequence)
        return Restored(project=id, name=registry.known(id).name, memories=len(shelf.rows), aside="kept")


class BackedStorage(BrokenStorage):
    """The in-memory storage with backups, which an erase reaches."""

    model: type[Model] = Model

    def __init__(self, mutant: Mutant, folder: Path) -> None:
        super().__init__(mutant, folder)
        self.made = self.model(self.registry)

    @property
    def capabilities(self) -> frozenset[Capability]:
        return super().capabilities | {Capability.BACKUP}

    @property
    def backups(self) -> Backups:
        return self.made

    def observations(self, project: str) -> ObservationStorage:
        self.registry.known(project)
        return Erasing(project, self.registry, self.made)


@define(eq=False)
class Erasing(InMemoryObservations):
    made: Model

    def erase(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        for _, shelf in self.made.shelves.values():
            for id in ids:
                shelf.rows.pop(id, None)
        return super().erase(ids, by=by)


def live(shelf: Shelf) -> dict[UUID, str]:
    """Return the titles of live memories by their ids."""
    return {id: row.observation.title for id, row in shelf.rows.items() if not row.observation.purged}


def difference(shelf: Shelf, other: Shelf) -> Difference:
    """Return what of `shelf` the other one lacks."""
    titles = [title for id, title in live(shelf).items() if id not in live(other)]
    return Difference(count=len(titles), titles=tuple(titles))


def same(shelf: Shelf, other: Shelf) -> bool:
    """Return True if two shelves hold the same."""
    return [row.observation for row in shelf.rows.values()] == [row.observation for row in other.rows.values()]


def backed_by(made: type[Model]) -> type[BackedStorage]:
    """Return a storage with these backups."""

    class Backed(BackedStorage):
        model = made

    return Backed


class CopiesAlways(Model):
    def copy(self, project: str, label: Label) -> Copy | None:
        return self.keep(project, label, self.taken(self.registry.shelves[project]))


class NeverDrops(Model):
    def drop(self, copies: Sequence[Copy]) -> None:
        del copies


class TakesAnything(Model):
    @contextmanager
    def opened(self, source: Path | Copy) -> Iterator[OpenBackup]:
        if isinstance(source, Copy) or source.read_bytes() in self.files:
            with super().opened(source) as backup:
                yield backup
        else:
            yield self.ready({})


class AddsToWhatIsThere(Ready):
    def put(self, id: str, shelf: Shelf) -> Restored:
        before = self.model.registry.shelves[id].rows
        restored = super().put(id, shelf)
        put = self.model.registry.shelves[id].rows
        put |= {id: row for id, row in before.items() if id not in put}
        return restored


class KeepsNothing(Ready):
    def put(self, id: str, shelf: Shelf) -> Restored:
        restored = super().put(id, shelf)
        self.model.drop([copy for copy in self.model.copies() if copy.label is Label.REPLACED])
        return restored


def ready_as(kind: type[Ready]) -> type[BackedStorage]:
    """Return a storage whose backups are previewed and restored in this way."""

    class Made(Model):
        def ready(self, shelves: dict[str, Shelf]) -> OpenBackup:
            return kind(self, shelves).opened()

    return backed_by(Made)


class ForgetsCopies(BackedStorage):
    """Erases, and leaves copies as they are."""

    def observations(self, project: str) -> ObservationStorage:
        return BrokenStorage.observations(self, project)


def backing(fault: str, storage: type[BackedStorage], *trips: str) -> Mutant:
    """Return a mutant with this storage."""
    return Mutant(fault=fault, storage=storage, trips=set(trips))


MUTANTS += (
    backing("backups are as promised", BackedStorage),
    backing("each copy is made anew", backed_by(CopiesAlways), "what_has_not_changed_is_not_copied"),
    backing("copies are never dropped", backed_by(NeverDrops), "dropped_copies_are_gone"),
    backing("anything is a backup", backed_by(TakesAnything), "what_is_no_backup_is_refused"),
    backing(
        "a restore adds to what is there",
        ready_as(AddsToWhatIsThere),
        "a_copy_comes_back",
        "a_file_holds_all_projects",
    ),
    backing("a restore keeps nothing aside", ready_as(KeepsNothing), "what_a_restore_replaces_is_kept"),
    backing("an erase leaves copies as they are", ForgetsCopies, "an_erase_reaches_copies"),
    Mutant(
        fault="backups are not declared, and not refused",
        refuses=True,
        storage=without(Capability.BACKUP, BackedStorage),
        trips=naming_clauses(BackupsContract),
    ),
)
