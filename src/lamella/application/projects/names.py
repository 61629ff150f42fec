"""Names of the one project that a confined call may be about."""

from contextlib import suppress

from lamella.domain.errors import AmbiguousProjectError, UnknownProjectError
from lamella.domain.projects.project import Project
from lamella.ports.storage.projects import ProjectRegistry


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
