"""Deleting a conversation for good."""

from attrs import define

from lamella.application.projects import ProjectResolver
from lamella.domain.conversation import Session
from lamella.domain.errors import AmbiguousSessionError, Candidate, UnknownSessionError
from lamella.domain.text import printed_line

_CANDIDATES = 5
"""How many of several conversations are named."""


@define
class EraseConversation:
    """Deletes all messages of a session, and what was made of them. Never offered to an agent."""

    projects: ProjectResolver

    def preview(self, asked: str, *, project: str | None = None) -> Session:
        """The session that `asked` means, before anything is done to it: by its id, its name, or how one begins.

        Raises:
            UnknownSessionError: it means none.
            AmbiguousSessionError: it means several.
            CapabilityUnsupportedError: the storage keeps no conversations.
            UnknownProjectError: there is no such project.
        """
        sessions = self.projects.here(project).conversations().sessions()
        named = printed_line(asked)
        for found in (
            [each for each in sessions if each.id == asked],
            [each for each in sessions if printed_line(each.name) == named],
            [each for each in sessions if named and _begins_with(each, named)],
        ):
            if len(found) > 1:
                candidates = [Candidate(id=each.id, title=each.name) for each in found[:_CANDIDATES]]
                raise AmbiguousSessionError(asked=asked, candidates=candidates)
            if found:
                return found[0]
        raise UnknownSessionError(asked=asked)

    def __call__(self, session: str, *, project: str | None = None) -> int:
        """Erases the session with this id; when this returns no byte of it is left in any file of the storage.

        How many messages that were.

        Raises:
            UnfinishedEraseError: the messages are gone, but their bytes may still stand in a file.
            CapabilityUnsupportedError: the storage keeps no conversations, or does not erase.
            UnknownProjectError: there is no such project.
        """
        return self.projects.here(project).conversations().erase(session)


def _begins_with(session: Session, beginning: str) -> bool:
    return session.id.startswith(beginning) or printed_line(session.name).startswith(beginning)
