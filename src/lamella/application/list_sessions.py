"""Which conversations there are."""

from attrs import define

from lamella.application.projects import ProjectResolver
from lamella.domain.conversation import Session


@define
class ListSessions:
    """Every conversation of a project."""

    projects: ProjectResolver

    def __call__(self, *, project: str | None = None) -> tuple[Session, ...]:
        """The one with the latest message first.

        Raises:
            CapabilityUnsupportedError: the storage keeps no conversations.
            UnknownProjectError: there is no such project.
        """
        return self.projects.here(project).conversations().sessions()
