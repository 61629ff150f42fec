"""Find the project of a call."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import define, evolve, field, frozen

from lamella.application.projects.allowed import may_be_remembered, not_of_others, require_own, required
from lamella.application.projects.context import ProjectContext, Unasked, place_everywhere, refuse_off
from lamella.application.projects.recent_looks import RecentLooks
from lamella.application.projects.traces import cloned, leave_traces
from lamella.domain.call import Call
from lamella.domain.errors import UnknownProjectError
from lamella.domain.projects.identity import machine_key
from lamella.domain.projects.key import EVERYWHERE, key_of_name
from lamella.domain.projects.project import Location, Project
from lamella.domain.transactions.catalogue import Catalogue, ProjectLook, look_for
from lamella.ports.storage.storage import Capability, Storage
from lamella.ports.system import Clock, Machine
from lamella.ports.working_tree import WorkingTree

if TYPE_CHECKING:
    from lamella.domain.audit.entry import Signature

MOST_PLACES = 1_000
"""Maximum number of cached locations. A machine has fewer, but the locations of remote callers are unlimited."""


@frozen(eq=False, repr=False)
class _Sought:
    """Locations of a call, and the candidates for its project.

    Attributes:
        location: Location of the call's working directory.
        home: Location of the call's project, if the call names no project.
        look: Criteria for finding the candidates.
        known: The candidates.
        owner: Project at `home`, even if it is merged; None for an unknown location.
    """

    call: Call
    location: Location
    home: Location
    look: ProjectLook
    known: Catalogue
    owner: Project | None


@define(eq=False, repr=False, slots=False)
class ProjectResolver:
    """Resolver of a call's project: the named, the default, or the working directory's project.

    Attributes:
        open_empty: Opens an empty storage, which stands in for a project that doesn't exist yet.
        shows_everywhere: True to save and show global memories.
        places: Ids of the projects found in this process, keyed by the keys of their locations. The id is None for
            a location without a project.
    """

    storage: Storage
    working_tree: WorkingTree
    clock: Clock
    machine: Machine
    open_empty: Callable[[], Storage]
    shows_everywhere: bool = True
    places: dict[str, str | None] = field(init=False, factory=dict)
    _known: dict[str, str] = field(init=False, factory=dict)  # Ids by alias, in a storage shared by machines.
    _recent: RecentLooks = field(init=False)  # Look-ups by remote callers, if all requested projects were found.
    _traced: set[str] = field(init=False, factory=set)
    _enclosing: dict[str, Location] = field(init=False, factory=dict)
    _shared: bool = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._recent = RecentLooks(self.clock)
        self._shared = Capability.SHARED in self.storage.capabilities

    def remembered(self, call: Call) -> ProjectContext | None:
        """Return the project of `call` if an earlier call has found it. Use it only for `ProjectContext.transact`.

        In a storage shared by machines, this saves a round trip.
        """
        if not (self._known and may_be_remembered(call)):
            return None
        location, name = self.location(call), call.default_project
        alias = key_of_name(name) if name else self.known_as(location).alias
        if alias not in self._known:
            return None
        unasked = Unasked(call, alias, self._known)
        everywhere = partial(self.everywhere, call)
        return ProjectContext(None, location.root, self.storage, self._known[alias], everywhere, unasked)

    def find(self, call: Call) -> ProjectContext:
        """Return the project of `call` for reading. Never creates a project.

        Raises:
            UnknownProjectError: `call.project` is unknown.
            AmbiguousProjectError: `call.project` is the name of several projects.
            MemoryOffError: Memory is switched off in the project, and `call.even_off` is not set.
            StorageError: The storage failed.
        """
        place = self._everywhere(call)
        sought = self._look(call, place, reads=True)
        everywhere = partial(self._everywhere_in, call, place, sought.known)
        project = self._named(sought) or self._living_at(sought)
        if project is not None:
            if call.distant and (place is None or sought.known.owner(place)):
                self._recent.add(sought.look, sought.known)
            return self._opened(sought, project, everywhere)
        self._note(sought, None)
        empty = self.open_empty()
        id = empty.registry.at(sought.location, now=self.clock.now()).id
        return ProjectContext(None, sought.location.root, empty, id, everywhere)

    def find_or_create(self, call: Call) -> ProjectContext:
        """Return the project of `call` for writing. Creates it unless `call.project` names it.

        Raises:
            UnknownProjectError: `call.project` is unknown.
            AmbiguousProjectError: `call.project` is the name of several projects.
            MemoryOffError: Memory is switched off in the project, and `call.even_off` is not set.
            StorageError: The storage failed.
        """
        sought = self._look(call)
        project = self._named(sought)
        if project is None:
            # In a shared storage, the first save in another clone adds its location to the existing project.
            project = sought.known.settled_at(sought.home) if self._shared else self._living_at(sought)
        project = project or self.storage.registry.at(sought.home, now=self.clock.now())
        if not (call.project or call.default_project or sought.home.repository or project.id in self._traced):
            self._traced.add(project.id)
            leave_traces(sought.location, project, self.working_tree, self.storage.registry)
        # Global memories are looked up on first use: only readers need them.
        return self._opened(sought, project, partial(self.everywhere, call))

    def everywhere(self, call: Call) -> ProjectContext | None:
        """Return the user's global memories, for reading.

        Returns:
            The memories; None if none exist, if settings or rights hide them, or if `call` names their project.

        Raises:
            StorageError: The storage failed.
        """
        place = self._everywhere(call)
        if place is None:
            return None
        return self._everywhere_in(call, place, self.storage.registry.look(look_for(place)))

    def _everywhere_in(self, call: Call, place: Location | None, known: Catalogue) -> ProjectContext | None:
        if place is None:
            return None
        project = known.living_at(place)
        self.places[EVERYWHERE] = None if project is None else project.id
        if project is None or project.answers_to(call.project) or project.answers_to(call.default_project):
            return None
        return ProjectContext(project, place.root, self.storage, project.id)

    def make_everywhere(self, call: Call) -> ProjectContext:
        """Return the project of global memories, for writing. Creates a missing project.

        Raises:
            InvalidValueError: Settings or rights hide global memories.
            MemoryOffError: Memory is switched off in the project of `call`.
            StorageError: The storage failed.
        """
        location = required(self._everywhere(call), shown=self.shows_everywhere)
        self.find(call)  # raises an error if memory is off
        project = self.storage.registry.at(location, now=self.clock.now())
        self.places[EVERYWHERE] = project.id
        return ProjectContext(project, location.root, self.storage, project.id)

    def _everywhere(self, call: Call) -> Location | None:
        return place_everywhere(call, self.machine if self._shared else None) if self.shows_everywhere else None

    def root(self, call: Call) -> Path:
        """Return the top of the working tree of `call`."""
        return self.location(call).root

    def author(self, call: Call) -> str | None:
        """Return the author of `call`. In a storage shared by machines, the default author is the user.

        A storage of one machine has a single user, so there is no default author.
        """
        unnamed = call.author is None and not call.distant and self._shared
        return self.machine.user() if unnamed else call.author

    def signature(self, call: Call) -> "Signature":
        """Return the signature of changes made now by `call`."""
        return evolve(call, author=self.author(call)).signature(self.clock.now())

    def lives_here(self, call: Call, project: Project | None) -> bool:
        """Return True if the working directory of `call` is in `project`, even if `call` names another project.

        Raises:
            StorageError: The storage failed.
        """
        return self.storage.registry.living_at(self.known_as(self.location(call))) == project

    def belongs_here(self, call: Call, directory: Path) -> bool:
        """Return True if `directory` belongs to the project of `call`.

        Raises:
            UnknownProjectError: `call.project` is unknown.
            AmbiguousProjectError: `call.project` is the name of several projects.
            StorageError: The storage failed.
        """
        there = self.working_tree.locate(directory)
        if not call.project and there.key == self.location(call).key:
            return True
        project = self.find(call).project
        return project is not None and project == self.storage.registry.living_at(self.known_as(there))

    def _look(self, call: Call, beside: Location | None = None, *, reads: bool = False) -> _Sought:
        """Find the candidates for the project of `call`. Also look up the project at `beside`.

        If `reads` is true, a cached answer may be used for a remote caller.
        """
        named, default, found = call.project and not call.confined, call.default_project, self._located(call)
        places = [found]
        if not (named or default or call.distant or found.in_repository or found.key in self._enclosing):
            places += self.working_tree.around(found)
        if default and not named:
            locations = [Location(key=key_of_name(default), name=default, root=found.root)]
        else:
            locations = places if named else [*map(self.known_as, places)]
        look = look_for(*([] if named else locations), beside, called=(call.project, default))
        known = (self._recent.get(look) if reads and call.distant else None) or self.storage.registry.look(look)
        owners = enumerate(map(known.owner, locations))
        enclosing, owner = next(((number, each) for number, each in owners if each), (0, None))
        if owner is not None and len(places) > 1:
            self._enclosing |= {each.key: places[enclosing] for each in (places[0], places[enclosing])}
        return _Sought(call, places[enclosing], locations[enclosing], look, known, owner)

    def _opened(
        self, sought: _Sought, project: Project, everywhere: Callable[[], ProjectContext | None]
    ) -> ProjectContext:
        """Open the project of a call, unless memory is off in it."""
        call, home = sought.call, sought.home
        self._note(sought, project)
        if project.off:
            refuse_off(project.off_since, call)
        lasting = home.stored_aliases[0] in project.aliases or call.default_project == project.id
        if self._shared and lasting and may_be_remembered(call, project) and len(self._known) < MOST_PLACES:
            self._known[home.alias] = project.id
        return ProjectContext(project, sought.location.root, self.storage, project.id, everywhere)

    def _note(self, sought: _Sought, project: Project | None) -> None:
        """Cache the project found for a call, unless the call names a project."""
        call = sought.call
        if not call.project and len(self.places) < MOST_PLACES:
            key = key_of_name(call.default_project) if call.default_project else sought.location.key
            self.places[key] = None if project is None else project.id

    def location(self, call: Call) -> Location:
        """Return the location of the working directory of `call`.

        A folder without project or repository has the location of the nearest enclosing folder with a project.
        """
        found = self._located(call)
        known = found.in_repository or call.distant or found.key in self._enclosing
        return found if known else self._look(evolve(call, project=None, default_project=None)).location

    def _located(self, call: Call) -> Location:
        found = call.location or self.working_tree.locate(call.directory)
        return self._enclosing.get(found.key, found)

    def key(self, location: Location) -> str:
        """Return the key of a location as the storage knows it."""
        return machine_key(self.machine.id(), location.key) if self._shared else location.key

    def known_as(self, location: Location) -> Location:
        """Return a location as the storage knows it. If machines share the storage, add repository and machine."""
        if not self._shared:
            return location
        return evolve(location, key=self.key(location), repository=self.working_tree.repository_alias(location))

    def _living_at(self, sought: _Sought) -> Project | None:
        if not (sought.owner or self._shared or sought.call.default_project):
            return cloned(sought.location, self.working_tree, self.storage.registry)
        return sought.owner and sought.known.home(sought.owner.id)

    def _named(self, sought: _Sought) -> Project | None:
        """Return the project that a call names. If it names no project, return its default project, or None."""
        call = sought.call
        if call.project and not call.confined:
            return self._called(sought, call.project)
        default = None
        if call.default_project:
            with suppress(UnknownProjectError):
                default = self._called(sought, call.default_project)
        if call.project:
            require_own(call.project, call.default_project, default, self.storage.registry)
        return default

    def _called(self, sought: _Sought, name: str) -> Project:
        project = sought.known.named(name)
        return not_of_others(project, self._everywhere(sought.call)) if sought.call.distant else project
