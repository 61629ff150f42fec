"""Names of the one project that a confined call may be about."""

from contextlib import suppress

from lamella.domain.call import Call
from lamella.domain.errors import AmbiguousProjectError, UnknownProjectError
from lamella.domain.projects.project import Project
from lamella.ports.storage.projects import ProjectRegistry


def require_own(call: Call, own: Project | None, registry: ProjectRegistry) -> None:
    """Refuse a call that names another project than its own one, or one that was merged into that.

    Nothing is told of others: neither that they have the name too, nor that there is one.

    Args:
        call: The call.
        own: The project of `call.default_project`; None if there is none yet.
        registry: The projects of the storage.

    Raises:
        UnknownProjectError: It names another one.
    """
    asked = call.project
    if not asked or asked == call.default_project:
        return
    if own is not None:
        if own.answers_to(asked):
            return
        with suppress(UnknownProjectError, AmbiguousProjectError):
            if registry.named(asked).id == own.id:
                return
    raise UnknownProjectError(asked=asked)
