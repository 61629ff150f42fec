"""Find a conversation by its id or name, and read it."""

from collections.abc import Iterator

from attrs import define

from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.conversations.errors import AmbiguousSessionError, UnknownSessionError
from lamella.domain.conversations.message import Message, Session
from lamella.domain.memories.errors import Candidate
from lamella.domain.text.printing import printed_line

_CANDIDATES = 5
"""Maximum number of conversations to list for an ambiguous name."""

_BATCH = 200
"""Number of messages to read at a time."""


@define
class ReadConversation:
    """Find a session by its id or name, and read all of it."""

    projects: ProjectResolver

    def find(self, call: Call, asked: str) -> Session:
        """Return the session that `asked` identifies."""
        sessions = self.projects.find(call).conversations().sessions()
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

    def __call__(self, call: Call, session: str) -> Iterator[Message]:
        """Yield all messages of a session, in order of number.

        Args:
            call: Context of the call.
            session: Full id of the session.

        Raises:
            CapabilityUnsupportedError: The storage keeps no conversations.
            UnknownProjectError: The project doesn't exist.
        """
        conversations = self.projects.find(call).conversations()
        numbers = conversations.numbers(session)
        for start in range(0, len(numbers), _BATCH):
            yield from conversations.messages(numbers[start : start + _BATCH])


def _begins_with(session: Session, beginning: str) -> bool:
    return session.id.startswith(beginning) or printed_line(session.name).startswith(beginning)
