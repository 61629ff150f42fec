"""Serve hooks on other machines, which can't log in to the database."""

from collections.abc import Sequence
from itertools import accumulate
from uuid import UUID

from attrs import define, evolve

from lamella.application.projects.context import ProjectContext, place_everywhere
from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.errors import InvalidValueError
from lamella.domain.memories.kind import LEARNED
from lamella.domain.projects.identity import is_everywhere, is_of_a_machine
from lamella.domain.projects.key import key_of_name
from lamella.domain.projects.project import Location, Project
from lamella.domain.transactions.catalogue import ProjectLook
from lamella.domain.transactions.importing import ImportResult
from lamella.ports.storage.feed import Change, FeedState, Mark
from lamella.ports.storage.ledger import Capture, Recorded
from lamella.ports.storage.storage import Storage
from lamella.ports.system import Clock

_PAGE = 200
"""Maximum number of changes in an answer."""

_PAGE_CHARACTERS = 1_000_000
"""Number of characters after which an answer ends. Texts of memories and hunks of their changes are counted."""


@define
class ServeHooks:
    """Serve hooks on other machines: send changes for the copies that these hooks read, and store their captures.

    Each public method is called over a network: its arguments are the request, and its result is the answer.
    Callers see all projects of their tenant, but no global memories of other users.
    """

    projects: ProjectResolver
    storage: Storage
    clock: Clock

    def tenant(self, call: Call) -> str:  # noqa: ARG002 - operations have one
        """Return the name of the caller's tenant."""
        return self.storage.tenant

    def look(self, call: Call, look: ProjectLook) -> tuple[Project, ...]:
        """Return the visible projects; see `ProjectRegistry.look`.

        The caller's global memories have one location on the server, and another on the caller's machine. If
        `look` asks for the location on the caller's machine, the project on the server is returned.
        """
        own = place_everywhere(call, self.projects.machine)
        aliases = () if own is None else own.stored_aliases
        found = self.storage.registry.look(look).projects.values()
        shown = [each for each in found if not is_everywhere(each.aliases) or set(aliases) & set(each.aliases)]
        asked = tuple(alias for alias in look.aliases if is_everywhere([alias]))
        mine = self.storage.registry.living_at(own) if own is not None and asked else None
        also = [] if mine is None else [evolve(mine, aliases=(*mine.aliases, *asked))]
        return tuple({each.id: each for each in (*shown, *also)}.values())

    def at(self, call: Call, location: Location) -> Project:
        """Return the project at a location, creating it if it doesn't exist; see `ProjectRegistry.at`.

        Raises:
            InvalidValueError: The location is neither a folder nor a repository on a machine.
        """
        if not is_of_a_machine(location):
            raise InvalidValueError(
                name="location", given="another kind of location", allowed="a folder or repository on a machine"
            )
        return self.storage.registry.at(evolve(location, root=call.directory), now=self.clock.now())

    def states(self, call: Call, projects: tuple[str, ...]) -> dict[str, FeedState]:
        """Return the states of visible projects in the change feed; see `Feed.states`."""
        shown = {each.id for each in self.look(call, ProjectLook(ids=projects))}
        return dict(self.storage.feed.states([id for id in projects if id in shown]))

    def after(self, call: Call, project: str, mark: Mark) -> tuple[Change, ...]:
        """Return the next page of changes after `mark`; see `Feed.after`."""
        return _page(self.storage.feed.after(self._here(call, project).id, mark, limit=_PAGE))

    def known(self, call: Call, project: str, ids: tuple[UUID, ...]) -> dict[UUID, ImportResult]:
        """Return the statuses of observations, keyed by id; see `ObservationStorage.known`."""
        return dict(self._here(call, project).observations.known(ids))

    def record(self, call: Call, project: str, captures: tuple[Capture, ...]) -> tuple[Recorded, ...]:
        """Store captures with the caller as author; see `CodeLedger.record`. Commits keep their own author."""
        here = self._here(evolve(call, even_off=True), project)
        return here.ledger().record([_signed(each, call.author) for each in captures])

    def _here(self, call: Call, project: str) -> ProjectContext:
        nowhere = Location(key=key_of_name(project), name=project, root=call.directory)
        return self.projects.find(evolve(call, project=project, location=nowhere))


def _page(changes: Sequence[Change]) -> tuple[Change, ...]:
    """Return the first changes, up to the one that reaches `_PAGE_CHARACTERS`."""
    said = [each.arrival.observation for each in changes]
    sizes = [len(each.content) + sum(len(change.hunks) for change in each.changes) for each in said]
    ends = accumulate(sizes, initial=0)
    return tuple(each for each, before in zip(changes, ends, strict=False) if before < _PAGE_CHARACTERS)


def _signed(capture: Capture, author: str | None) -> Capture:
    draft = capture.draft
    return capture if draft.source == LEARNED else evolve(capture, draft=evolve(draft, author=author))
