"""Registry of the projects of a tenant."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from attrs import define
from psycopg.types.json import Jsonb

from lamella.domain.audit.entry import Action
from lamella.domain.audit.signature import Signature
from lamella.domain.errors import AmbiguousProjectError, ProjectChangeError, UnknownProjectError
from lamella.domain.projects.identity import is_another_repository
from lamella.domain.projects.project import Location, Project
from lamella.domain.text.keys import stored_key
from lamella.ports.storage.projects import ProjectRegistry
from lamella_adapters.postgresql.database.columns import maybe_microseconds, storable, to_microseconds
from lamella_adapters.postgresql.database.database import Database
from lamella_adapters.postgresql.database.turn import Turn
from lamella_adapters.postgresql.projects.rows import EVERY, FAMILY, Found, found
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
            if project not in known:
                raise UnknownProjectError(asked=project)

    def all(self) -> tuple[Project, ...]:
        """See `ProjectRegistry.all`."""
        with self.database.reading() as turn:
            return tuple(self._remember(Found(turn.rows(EVERY, last=True))).values())

    def named(self, asked: str) -> Project:
        """See `ProjectRegistry.named`."""
        alias, whole = stored_key(asked), [asked] if storable(asked) else []
        with self.database.reading() as turn:
            known = self._remember(found(turn, ids=whole, aliases=[alias], names=whole, last=True))
        one = known.get(asked) or known.with_alias(alias)
        several = [one] if one else [each for each in known.values() if each.name == asked]
        # Several projects that were merged into one count as that one.
        ids = sorted({known.homes[each.id] for each in several})
        if not ids:
            raise UnknownProjectError(asked=asked)
        if len(ids) > 1:
            raise AmbiguousProjectError(asked=asked, candidates=ids)
        return known[ids[0]]

    def living_at(self, location: Location) -> Project | None:
        """See `ProjectRegistry.living_at`."""
        with self.database.reading() as turn:
            known = self._remember(found(turn, aliases=_aliases(location), last=True))
        owner = _owner(known, location)
        return None if owner is None else known.followed(owner.id)

    def at(self, location: Location, *, now: datetime) -> Project:
        """See `ProjectRegistry.at`."""
        with self.database.reading() as turn:
            known = self._remember(found(turn, aliases=_aliases(location), last=True))
        owner = _owner(known, location)
        if owner is not None and (location.repository is None or stored_key(location.repository) in owner.aliases):
            return known.followed(owner.id)
        with self._changing() as turn:
            owner = _owner(found(turn, aliases=_aliases(location)), location)
            id = location.project_id if owner is None else owner.id
            if owner is None:
                _make(turn, Project(id=id, name=location.name, created_at=now))
            turn.run(_LEAD_TO, aliases=[stored_key(location.alias)], id=id)
            known = self._remember(found(turn, ids=[id]))
        return known.followed(id)

    def take_over(self, project: Project) -> Project:
        """See `ProjectRegistry.take_over`."""
        aliases = [stored_key(alias) for alias in project.aliases]
        with self._changing() as turn:
            known = found(turn, ids=[project.id], aliases=aliases)
            leading = [known.with_alias(alias) for alias in aliases]
            here = known.get(project.id) or next(filter(None, leading), None)
            if here is None:
                _make(turn, project)
            id = project.id if here is None else here.id
            turn.run(_LEAD_TO, aliases=aliases, id=id)
            if here is None and project.off:
                _keep_off(turn, project)
            known = self._remember(found(turn, ids=[id]))
        return known.followed(id)

    def switch(self, project: str, *, on: bool, now: datetime) -> Project:
        """See `ProjectRegistry.switch`."""
        with self._changing() as turn:
            switched = _known(turn, project).followed(project).switched(on=on, now=now)
            _keep_off(turn, switched)
        return switched

    def merge(self, old: str, new: str, *, by: Signature) -> int:
        """See `ProjectRegistry.merge`."""
        with self._changing() as turn:
            moved_to, target = _known(turn, old)[old].moved_to, _known(turn, new).homes[new]
            if moved_to not in (None, target):
                raise ProjectChangeError(reason=f"{old} is merged into {moved_to} already.")
            if old == target:
                raise ProjectChangeError(reason="A project cannot be merged into itself.")
            if moved_to is not None:
                return 0
            numbers = _numbers(turn, old, target)
            write_move(turn, numbers[old], action=Action.MERGE, by=by, origin=target, old=old, new=target)
            _mark(turn, old, target)
            return move(turn, numbers[old], numbers[target])

    def split(self, old: str, *, by: Signature) -> int:
        """See `ProjectRegistry.split`."""
        with self._changing() as turn:
            known = _known(turn, old)
            if known[old].moved_to is None:
                raise ProjectChangeError(reason=f"{old} was not merged into another project.")
            home = known.homes[old]
            numbers = _numbers(turn, old, home)
            _mark(turn, old, None)
            origins = [each for each, leads in Found(turn.rows(FAMILY, id=old)).homes.items() if leads == old]
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

    def _remember(self, known: Found) -> Found:
        self.database.known.update(known)
        return known


def _aliases(location: Location) -> list[str]:
    return [stored_key(location.alias), stored_key(location.key)]


def _owner(known: Found, location: Location) -> Project | None:
    """Return the project that lives at a location, without following merges."""
    owner = next(filter(None, map(known.with_alias, _aliases(location))), None)
    if owner is None or is_another_repository(owner.aliases, location.repository):
        return None
    return owner


def _make(turn: Turn, project: Project) -> None:
    turn.run(_MAKE, id=project.id, name=project.name, created_at=to_microseconds(project.created_at))


def _keep_off(turn: Turn, project: Project) -> None:
    periods = [[maybe_microseconds(each.since), maybe_microseconds(each.until)] for each in project.off]
    turn.run(_SWITCH, id=project.id, off=Jsonb(periods))


def _known(turn: Turn, project: str) -> Found:
    """Return a project and its home.

    Raises:
        UnknownProjectError: There is none.
    """
    known = found(turn, ids=[project] if storable(project) else ())
    if project not in known:
        raise UnknownProjectError(asked=project)
    return known


def _numbers(turn: Turn, *ids: str) -> dict[str, int]:
    """Lock projects, and return their numbers."""
    return dict(turn.rows(_NUMBERS, ids=list(ids)))


def _mark(turn: Turn, project: str, moved_to: str | None) -> None:
    turn.run(_MARK, id=project, moved_to=moved_to)
    turn.run(_SETTLE)
