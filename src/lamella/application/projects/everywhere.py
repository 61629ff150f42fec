"""The place of memories that hold in every project of a user, and who may be there."""

from lamella.domain.call import Call
from lamella.domain.errors import InvalidValueError, UnknownProjectError
from lamella.domain.projects.identity import author_key, is_everywhere, machine_key
from lamella.domain.projects.key import EVERYWHERE
from lamella.domain.projects.project import Location, Project
from lamella.domain.text.keys import stored_key
from lamella.ports.storage.storage import Capability, Storage
from lamella.ports.system import Machine


def place_of(call: Call, storage: Storage, machine: Machine) -> Location | None:
    """Return where such memories live: in a storage that machines share, those of the caller's user.

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
    """Return the place to save such a memory at.

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
