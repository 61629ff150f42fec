"""Places of projects on this machine, and the projects that a call may name."""

from contextlib import suppress

from lamella.domain.call import Call
from lamella.domain.errors import AmbiguousProjectError, InvalidValueError, UnknownProjectError
from lamella.domain.projects.identity import author_key, is_everywhere, machine_key
from lamella.domain.projects.key import EVERYWHERE, key_of_name
from lamella.domain.projects.project import Location, Project
from lamella.domain.text.keys import stored_key
from lamella.ports.storage.projects import ProjectRegistry
from lamella.ports.storage.storage import Capability, Storage
from lamella.ports.system import Machine

MOST = 1_000
"""Places that are noted at most. More are not on one machine, but may be named by callers from elsewhere."""


class Places(dict[str, str | None]):
    """Ids of projects by the keys of their places; None for a place without a project."""

    def note(self, call: Call, location: Location, project: Project | None) -> None:
        """Note which project was found for a call, unless the call names it."""
        if not call.project and len(self) < MOST:
            key = key_of_name(call.default_project) if call.default_project else location.key
            self[key] = None if project is None else project.id


def place_of(call: Call, storage: Storage, machine: Machine) -> Location | None:
    """Return where memories live that hold everywhere: in a shared storage, those of the caller's user.

    None for a call that is confined to its project, and for one from another machine by nobody in particular.
    """
    if call.confined:
        return None
    if Capability.SHARED not in storage.capabilities:
        key = EVERYWHERE
    elif not call.distant:
        key = machine_key(machine.id(), EVERYWHERE)
    elif call.author is None:
        return None
    else:
        key = author_key(call.author, EVERYWHERE)
    return Location(key=key, name="everywhere", root=call.directory)


def required(place: Location | None, *, shown: bool) -> Location:
    """Return the place to save a memory at that holds everywhere.

    Args:
        place: What `place_of` returned.
        shown: True if the settings show such memories.

    Raises:
        InvalidValueError: The settings or the rights of the call hide them.
    """
    if not shown:
        raise InvalidValueError(
            name="everywhere", given="true while LAMELLA_EVERYWHERE is off", allowed="false, or the setting on"
        )
    if place is None:
        raise InvalidValueError(
            name="everywhere",
            given="true by a token of one project, or of nobody in particular",
            allowed="false, or a token with an author and without a project",
        )
    return place


def not_of_others(project: Project, own: Location | None) -> Project:
    """Return the project that a call from another machine names, unless it is what another user keeps everywhere.

    Args:
        project: The project.
        own: What `place_of` returned for the call.

    Raises:
        UnknownProjectError: It is what another user keeps everywhere.
    """
    if is_everywhere(project.aliases) and (own is None or stored_key(own.key) not in project.aliases):
        raise UnknownProjectError(asked=project.id)
    return project


def require_own(asked: str, name: str | None, own: Project | None, registry: ProjectRegistry) -> None:
    """Refuse the name of another project than a call's own one, or one that was merged into that.

    Nothing is told of others: neither that they have the name too, nor that there is one.

    Args:
        asked: Name that a confined call gives.
        name: Name of its own project.
        own: Its own project; None if there is none yet.
        registry: The projects of the storage.

    Raises:
        UnknownProjectError: It is that of another one.
    """
    if asked == name:
        return
    if own is not None:
        if own.answers_to(asked):
            return
        with suppress(UnknownProjectError, AmbiguousProjectError):
            if registry.named(asked).id == own.id:
                return
    raise UnknownProjectError(asked=asked)
