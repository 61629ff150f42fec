"""Registry of the projects of a tenant."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from attrs import define
from psycopg.types.json import Jsonb

from lamella.domain.audit.entry import Action
from lamella.domain.audit.signature import Signature
from lamella.domain.projects.project import Location, Project
from lamella.domain.text.keys import stored_key
from lamella.domain.transactions.catalogue import Catalogue
from lamella.ports.storage.projects import ProjectRegistry
from lamella_adapters.postgresql.database.columns import maybe_microseconds, storable, to_microseconds
from lamella_adapters.postgresql.database.database import Database
from lamella_adapters.postgresql.database.turn import Turn
from lamella_adapters.postgresql.projects.rows import EVERY, FAMILY, catalogue, found
from lamella_adapters.postgresql.projects.transfer import move
from lamella_adapters.postgresql.tables.audit_rows import copy_split, write_move

_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(current_setting('lamella.tenant'), 0))"
"""One process of a tenant changes the registry at a time, and aliases lead to one project."""

_MAKE = """
INSERT INTO project (id, name, created_at, home) VALUES (%(id)s, %(name)s, %(created_at)s, %(id)s)
ON CONFLICT DO NOTHING
"""
_LEAD_TO = """
INSERT INTO alias (alias, project) SELECT unnest(%(aliases)s::text[]), %(id)s ON CONFLICT DO NOTHING
"""
_SWITCH = "UPDATE project SET off = %(off)s WHERE id = %(id)s"
_NUMBERS = "SELECT id, number FROM project WHERE id = ANY(%(ids)s::text[]) ORDER BY id FOR UPDATE"
_MARK = "UPDATE project SET moved_to = %(moved_to)s WHERE id = %(id)s"
_SETTLE = """
WITH RECURSIVE family AS (
  SELECT id, id AS home FROM project WHERE moved_to IS NULL
  UNION ALL SELECT p.id, f.home FROM project AS p JOIN family AS f ON p.moved_to = f.id
)
UPDATE project AS p SET home = f.home FROM family AS f WHERE f.id = p.id AND p.home <> f.home
"""


@define(eq=False)
class PostgresRegistry(ProjectRegistry):
    """Projects of the tenant of a database."""

    database: Database

    def require(self, project: str) -> None:
        """Check that there is a project with this id, without asking the server again once it is known.

        Raises:
            UnknownProjectError: There is none.
        """
        if project not in self.database.known:
            with self.database.reading() as turn:
                known = found(turn, ids=[project] if storable(project) else (), last=True)
            self._remember(known)
            known.known(project)

    def all(self) -> tuple[Project, ...]:
        """See `ProjectRegistry.all`."""
        with self.database.reading() as turn:
            return tuple(self._remember(catalogue(turn.rows(EVERY, last=True))).projects.values())

    def named(self, asked: str) -> Project:
        """See `ProjectRegistry.named`."""
        whole = [asked] if storable(asked) else []
        with self.database.reading() as turn:
            known = found(turn, ids=whole, aliases=[stored_key(asked)], names=whole, last=True)
        return self._remember(known).named(asked)

    def living_at(self, location: Location) -> Project | None:
        """See `ProjectRegistry.living_at`."""
        with self.database.reading() as turn:
            known = self._remember(found(turn, aliases=_aliases(location), last=True))
        return known.living_at(location)

    def at(self, location: Location, *, now: datetime) -> Project:
        """See `ProjectRegistry.at`."""
        with self.database.reading() as turn:
            known = self._remember(found(turn, aliases=_aliases(location), last=True))
        owner, alias = known.owner(location), stored_key(location.alias)
        if owner is not None and (location.repository is None or alias in owner.aliases):
            return known.home(owner.id)
        with self._changing() as turn:
            owner = found(turn, aliases=_aliases(location)).owner(location)
            if owner is None:
                owner = Project(id=location.project_id, name=location.name, created_at=now)
                _make(turn, owner)
            turn.run(_LEAD_TO, aliases=[alias], id=owner.id)
            known = self._remember(found(turn, ids=[owner.id]))
        return known.home(owner.id)

    def take_over(self, project: Project) -> Project:
        """See `ProjectRegistry.take_over`."""
        with self._changing() as turn:
            known = found(turn, ids=[project.id], aliases=list(map(stored_key, project.aliases)))
            here, is_new = known.arriving(project)
            if is_new:
                _make(turn, here)
            turn.run(_LEAD_TO, aliases=list(here.aliases), id=here.id)
            if is_new and here.off:
                _keep_off(turn, here)
            known = self._remember(found(turn, ids=[here.id]))
        return known.home(here.id)

    def switch(self, project: str, *, on: bool, now: datetime) -> Project:
        """See `ProjectRegistry.switch`."""
        with self._changing() as turn:
            switched = _known(turn, project).home(project).switched(on=on, now=now)
            _keep_off(turn, switched)
        return switched

    def merge(self, old: str, new: str, *, by: Signature) -> int:
        """See `ProjectRegistry.merge`."""
        with self._changing() as turn:
            known = _known(turn, old, new)
            target = known.merge_target(old, new).id
            if known.known(old).moved_to is not None:
                return 0
            numbers = _numbers(turn, old, target)
            write_move(turn, numbers[old], action=Action.MERGE, by=by, origin=target, old=old, new=target)
            _mark(turn, old, target)
            return move(turn, numbers[old], numbers[target])

    def split(self, old: str, *, by: Signature) -> int:
        """See `ProjectRegistry.split`."""
        with self._changing() as turn:
            home = _known(turn, old).merged_into(old).id
            numbers = _numbers(turn, old, home)
            _mark(turn, old, None)
            origins = [each for each, leads in catalogue(turn.rows(FAMILY, id=old)).homes.items() if leads == old]
            moved = move(turn, numbers[home], numbers[old], origins=origins)
            entry = write_move(turn, numbers[old], action=Action.SPLIT, by=by, origin=old, old=old, new=home)
            copy_split(turn, entry, numbers[home], home)
            return moved

    @contextmanager
    def _changing(self) -> Iterator[Turn]:
        """Change the registry, alone of all processes of the tenant."""
        with self.database.writing() as turn:
            turn.run(_LOCK)
            yield turn

    def _remember(self, known: Catalogue) -> Catalogue:
        self.database.known.update(known.projects)
        return known


def _aliases(location: Location) -> list[str]:
    return [stored_key(location.alias), stored_key(location.key)]


def _make(turn: Turn, project: Project) -> None:
    turn.run(_MAKE, id=project.id, name=project.name, created_at=to_microseconds(project.created_at))


def _keep_off(turn: Turn, project: Project) -> None:
    periods = [[maybe_microseconds(each.since), maybe_microseconds(each.until)] for each in project.off]
    turn.run(_SWITCH, id=project.id, off=Jsonb(periods))


def _known(turn: Turn, *ids: str) -> Catalogue:
    """Return projects and their homes.

    Raises:
        UnknownProjectError: One of them does not exist.
    """
    known = found(turn, ids=list(filter(storable, ids)))
    for id in ids:
        known.known(id)
    return known


def _numbers(turn: Turn, *ids: str) -> dict[str, int]:
    """Lock projects, and return their numbers."""
    return dict(turn.rows(_NUMBERS, ids=list(ids)))


def _mark(turn: Turn, project: str, moved_to: str | None) -> None:
    turn.run(_MARK, id=project, moved_to=moved_to)
    turn.run(_SETTLE)
