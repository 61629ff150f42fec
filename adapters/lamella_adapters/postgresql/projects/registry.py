"""Registry of the projects of a tenant."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from attrs import define
from psycopg.types.json import Jsonb

from lamella.domain.audit.entry import Action, Signature
from lamella.domain.projects.project import OffPeriod, Project
from lamella.domain.text.printing import stored_key
from lamella.domain.transactions.catalogue import Catalogue, ProjectLook
from lamella.domain.transactions.merging import Move
from lamella.domain.transactions.registry import KeepOff, LeadTo, MakeProject, RegistryPlan, RegistryWrite
from lamella.ports.storage.projects import ProjectRegistry, T
from lamella_adapters.postgresql.database.columns import (
    from_microseconds,
    maybe_microseconds,
    maybe_time,
    storable,
    to_microseconds,
)
from lamella_adapters.postgresql.database.database import Database
from lamella_adapters.postgresql.database.transaction import Row, Transaction
from lamella_adapters.postgresql.projects.transfer import move
from lamella_adapters.postgresql.tables.audit_rows import copy_split, write_move
from lamella_adapters.statements import statements

SQL = statements(__file__)


def found(tx: Transaction, look: ProjectLook, *, last: bool = False) -> Catalogue:
    """Return the projects requested by `look`.

    Args:
        tx: Transaction on the registry.
        look: Ids, aliases and names of projects.
        last: True to commit with this query.
    """
    condition = "true" if look.every else SQL["families" if look.families else "these"]
    values = {
        "ids": list(filter(storable, look.ids)),
        "aliases": list(look.aliases),
        "names": list(filter(storable, look.names)),
    }
    rows = tx.rows(SQL["read"].format(condition=condition), **values, last=last)
    return Catalogue({row[0]: _project(row) for row in rows}, {row[0]: row[-1] for row in rows})


def _project(row: Row) -> Project:
    id, name, aliases, created_at, moved_to, off, _ = row
    return Project(
        id=id,
        name=name,
        aliases=tuple(aliases),
        created_at=from_microseconds(created_at),
        moved_to=moved_to,
        off=tuple(OffPeriod(from_microseconds(since), maybe_time(until)) for since, until in off),
    )


@define(eq=False)
class PostgresRegistry(ProjectRegistry):
    """Registry of a tenant's projects."""

    database: Database

    def require(self, project: str) -> None:
        """Check that a project exists. Ask the server only the first time.

        Raises:
            UnknownProjectError: No project has this id.
        """
        if project not in self.database.known:
            self.look(ProjectLook(ids=(project,))).known(project)

    def look(self, look: ProjectLook) -> Catalogue:
        """See `ProjectRegistry.look`."""
        with self.database.reading() as tx:
            return self._remember(found(tx, look, last=True))

    def transact(self, look: ProjectLook, decide: Callable[[Catalogue], tuple[RegistryPlan, T]]) -> T:
        """See `ProjectRegistry.transact`."""
        with self._changing() as tx:
            plan, outcome = decide(found(tx, look))
            for write in plan:
                _write(tx, write)
        return outcome

    def move(self, look: ProjectLook, decide: Callable[[Catalogue], Move], *, by: Signature) -> int:
        """See `ProjectRegistry.move`."""
        with self._changing() as tx:
            change = decide(found(tx, look))
            if change.again:
                return 0
            old, home = change.old, change.home
            numbers: dict[str, int] = dict(tx.rows(SQL["numbers"], ids=[old, home]))
            if change.action is Action.MERGE:
                write_move(tx, numbers[old], action=Action.MERGE, by=by, origin=home, old=old, new=home)
                _mark(tx, old, home)
                return move(tx, numbers[old], numbers[home])
            _mark(tx, old, None)
            moved = move(tx, numbers[home], numbers[old], split=change)
            entry = write_move(tx, numbers[old], action=Action.SPLIT, by=by, origin=old, old=old, new=home)
            copy_split(tx, entry, numbers[home], home)
            return moved

    @contextmanager
    def _changing(self) -> Iterator[Transaction]:
        """Begin a transaction under the tenant's registry lock."""
        with self.database.writing() as tx:
            tx.run(SQL["lock"])
            yield tx

    def _remember(self, known: Catalogue) -> Catalogue:
        self.database.known.update(known.projects)
        return known


def _write(tx: Transaction, write: RegistryWrite) -> None:
    match write:
        case MakeProject(project):
            tx.run(SQL["make"], id=project.id, name=project.name, created_at=to_microseconds(project.created_at))
            _write(tx, LeadTo(project.id, project.aliases))
            if project.off:
                _write(tx, KeepOff(project))
        case LeadTo(id, aliases):
            tx.run(SQL["lead_to"], aliases=list(map(stored_key, aliases)), id=id)
        case KeepOff(project):
            periods = [[maybe_microseconds(each.since), maybe_microseconds(each.until)] for each in project.off]
            tx.run(SQL["switch"], id=project.id, off=Jsonb(periods))


def _mark(tx: Transaction, project: str, moved_to: str | None) -> None:
    tx.run(SQL["mark"], id=project, moved_to=moved_to)
    tx.run(SQL["settle"])
