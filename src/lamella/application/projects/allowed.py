"""The projects that a call may name, and the place of memories for all projects that it may save at."""

from contextlib import suppress

from lamella.application.projects.context import ProjectContext
from lamella.domain.call import Call
from lamella.domain.errors import AmbiguousProjectError, InvalidValueError, UnknownProjectError
from lamella.domain.projects.identity import is_everywhere
from lamella.domain.projects.project import Location, Project
from lamella.ports.storage.projects import ProjectRegistry
from lamella.ports.storage.storage import Storage


def required(place: Location | None, *, shown: bool) -> Location:
    """Return the place to save a memory at that holds everywhere.

    Args:
        place: Where they live for the caller; None if there is no such place.
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
        own: Where memories live that hold everywhere for the caller, if anywhere.

    Raises:
        UnknownProjectError: It is what another user keeps everywhere.
    """
    if is_everywhere(project.aliases) and (own is None or own.stored_aliases[0] not in project.aliases):
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


def others(call: Call, here: ProjectContext, storage: Storage) -> tuple[ProjectContext, ...]:
    """Return all other projects in which memory is on, by name, for reading.

    Raises:
        InvalidValueError: `call` is confined to its project.
        StorageError: The storage failed.
    """
    if call.confined:
        raise InvalidValueError(name="all_projects", given="true by a token of one project", allowed="false")
    return tuple(
        ProjectContext(each, here.root, storage, each.id)
        for each in storage.registry.all()
        if not (each.moved_to or each.off_since or each == here.project or is_everywhere(each.aliases))
    )
