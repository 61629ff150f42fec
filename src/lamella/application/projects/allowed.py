"""Access rights of calls to projects and global memories."""

from contextlib import suppress

from lamella.application.projects.context import ProjectContext
from lamella.domain.call import Call
from lamella.domain.errors import AmbiguousProjectError, InvalidValueError, UnknownProjectError
from lamella.domain.projects.identity import is_everywhere
from lamella.domain.projects.project import Location, Project
from lamella.ports.storage.projects import ProjectRegistry
from lamella.ports.storage.storage import Storage


def required(place: Location | None, *, shown: bool) -> Location:
    """Return the location to save a global memory in.

    Args:
        place: The caller's location of global memories, if any.
        shown: True if the settings show global memories.

    Raises:
        InvalidValueError: The settings or the rights of the call hide global memories.
    """
    if not shown:
        raise InvalidValueError(name="everywhere", given="true", allowed="false if LAMELLA_EVERYWHERE is off")
    if place is None:
        raise InvalidValueError(
            name="everywhere",
            given="true",
            allowed="false if the token is for one project, the call has no author, or LAMELLA_EVERYWHERE is off",
        )
    return place


def not_of_others(project: Project, own: Location | None) -> Project:
    """Return `project`, unless it has the global memories of another user.

    A remote call may name any project, so this must be checked.

    Args:
        project: Project that a remote call has named.
        own: Location of the caller's global memories, if any.

    Raises:
        UnknownProjectError: The project has another user's global memories.
    """
    if is_everywhere(project.aliases) and (own is None or own.stored_aliases[0] not in project.aliases):
        raise UnknownProjectError(asked=project.id)
    return project


def require_own(asked: str, name: str | None, own: Project | None, registry: ProjectRegistry) -> None:
    """Check that a confined call names its own project, or a project merged into it.

    The error doesn't disclose whether another project exists.

    Args:
        asked: Project that the call asks for, by id, alias or name.
        name: Name of the call's own project.
        own: The call's own project; None if it doesn't exist yet.
        registry: The projects of the storage.

    Raises:
        UnknownProjectError: `asked` isn't the call's own project, or a project merged into it.
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
    """Return all projects with memory on except `here`, for reading. They are sorted by name.

    Raises:
        InvalidValueError: `call` is confined to its project.
        StorageError: The storage failed.
    """
    if call.confined:
        raise InvalidValueError(name="all_projects", given="true", allowed="false if the token is for one project")
    return tuple(
        ProjectContext(each, here.root, storage, each.id)
        for each in storage.registry.all()
        if not (each.moved_to or each.off_since or each == here.project or is_everywhere(each.aliases))
    )


def may_be_remembered(call: Call, project: Project | None = None) -> bool:
    """Return True if the result of resolving a call may be cached.

    The result may not be cached if the call or the settings name the project, because a name may become ambiguous.
    The project name in a remote caller's header doesn't prevent caching. The project of a remote caller's global
    memories is never cached, because access to it must be checked.
    """
    if project is not None and call.distant and is_everywhere(project.aliases):
        return False
    return not call.project and (not call.default_project or call.distant)
