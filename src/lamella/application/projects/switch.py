"""Switch memory on or off in a project."""

from collections.abc import Iterable

from attrs import define, evolve

from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.errors import ProjectChangeError
from lamella.domain.projects.identity import is_everywhere, machine_key
from lamella.domain.projects.key import key_of_name
from lamella.domain.projects.project import Project
from lamella.ports.spool import Spool
from lamella.ports.storage.storage import Capability, Storage
from lamella.ports.system import Clock


@define
class SwitchProject:
    """Stop or resume saving and showing memories in a project."""

    storage: Storage
    projects: ProjectResolver
    clock: Clock
    spool: Spool

    def __call__(self, call: Call, *, on: bool) -> Project | None:
        """Switch memory on or off in the project of a call. Stored memories stay.

        Args:
            call: Context of the call. Switching off creates a missing project.
            on: True to switch memory on, False to switch it off.

        Returns:
            The project after the switch. None if memory is switched on in a project that doesn't exist, because
            nothing needs to be done.

        Raises:
            ProjectChangeError: Global memories can't be switched off.
            UnknownProjectError: `call.project` is unknown.
            StorageError: The storage failed.
        """
        even_off = evolve(call, even_off=True)
        find = self.projects.find if on else self.projects.find_or_create
        project = find(even_off).project
        if project is None:
            return None
        if not on and is_everywhere(project.aliases):
            raise ProjectChangeError(
                reason="Global memories are switched off by a setting: LAMELLA_EVERYWHERE=off"
            )
        switched = self.storage.registry.switch(project.id, on=on, now=self.clock.now())
        self.spool.silence(off_places(self.projects, self.storage.registry.all()))
        return switched


def off_places(projects: ProjectResolver, every: Iterable[Project]) -> frozenset[str]:
    """Return the locations, ids and names of projects with memory off, as keys that hooks can look up.

    Args:
        projects: Resolver of projects on this machine.
        every: All projects of the storage.
    """
    known = {each.id: each for each in every}
    places: set[str] = set()
    for each in known.values():
        home = each
        while home.moved_to in known:
            home = known[home.moved_to]
        if home.off_since is not None:
            found = {key for key, id in projects.places.items() if id == each.id}
            places |= {*each.aliases, *found, key_of_name(each.id), key_of_name(each.name)}
    if places and Capability.SHARED in projects.storage.capabilities:
        here = machine_key(projects.machine.id(), "")
        places = {each.removeprefix(here) for each in places}
    return frozenset(places)
