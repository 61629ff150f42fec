"""Methods of `Memory` for conversations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from lamella.domain.validation import require_number, require_type
from lamella.library.base import CallerMemory, in_words_of_programs
from lamella.library.given import conditions

if TYPE_CHECKING:
    # Not imported at run time, to keep `import lamella` fast.
    from lamella.domain.conversations.message import Message, Role, Session
    from lamella.domain.memories.query import Filters


@in_words_of_programs
class ConversationMemory(CallerMemory):
    """Methods of `Memory` for conversations."""

    def recall_messages(self, text: str, *, filters: Filters | None = None) -> str:
        """Search past conversations for `text`. Return messages as text for an agent.

        Raises:
            CapabilityUnsupportedError: The storage keeps no conversations.

        Example:
            >>> memory.add_messages("chat-7", [(lamella.Role.HUMAN, "When?"), (lamella.Role.ASSISTANT, "At 4.")])
            >>> print(memory.recall_messages("at 4"))
            Found 1 result(s) for "at 4":
            ...
            [message 2, session "When?", assistant]
                ...At 4....
        """
        return self._lamella.recall_messages(self._call, text, filters=conditions(filters, {}))

    def show_message(self, number: int) -> str:
        """Return a message with the messages around it, as text for an agent.

        Raises:
            MessageNotFoundError: No message has this number.
            CapabilityUnsupportedError: The storage keeps no conversations.

        Example:
            >>> memory.add_messages("chat-7", [(lamella.Role.HUMAN, "When?"), (lamella.Role.ASSISTANT, "At 4.")])
            >>> print(memory.show_message(2))
            ── recalled from: When? ──
            ── FULL CONTEXT (messages 1..2) ──
            message 1 User: When?
            → message 2 Assistant: At 4.
        """
        require_number("number", number, least=1)
        return self._lamella.show_message(self._call, number)

    def sessions(self) -> tuple[Session, ...]:
        """Return the past conversations of the project, latest first.

        Raises:
            CapabilityUnsupportedError: The storage keeps no conversations.

        Example:
            >>> memory.add_messages("chat-7", [(lamella.Role.HUMAN, "When?"), (lamella.Role.ASSISTANT, "At 4.")])
            >>> [session.id for session in memory.sessions()]
            ['chat-7']
        """
        return self._lamella.projects.find(self._call).conversations().sessions()

    def messages(self, session: str) -> tuple[Message, ...]:
        """Return the messages of a conversation in order.

        Raises:
            CapabilityUnsupportedError: The storage keeps no conversations.

        Example:
            >>> memory.add_messages("chat-7", [(lamella.Role.HUMAN, "When?"), (lamella.Role.ASSISTANT, "At 4.")])
            >>> [f"{each.role}: {each.text}" for each in memory.messages("chat-7")]
            ['human: When?', 'assistant: At 4.']
        """
        require_type("session", session, str)
        return tuple(self._lamella.read_conversation(self._call, session))

    def add_messages(self, session: str, messages: Iterable[tuple[Role, str]]) -> None:
        """Append messages to a conversation durably. Redact secrets first. Create the conversation if necessary.

        Args:
            session: Id of the conversation.
            messages: Roles and texts. Tool calls and their results are shortened.

        Raises:
            ConversationsNotSharedError: The storage is shared with other machines, and sharing of conversations is
                off.
            CapabilityUnsupportedError: The storage keeps no conversations.

        Example:
            >>> memory.add_messages("chat-7", [(lamella.Role.HUMAN, "When?"), (lamella.Role.ASSISTANT, "At 4.")])
            >>> len(memory.messages("chat-7"))
            2
        """
        require_type("session", session, str)
        require_type("messages", messages, Iterable)
        self._lamella.add_messages(self._call, session, messages)

    def erase_conversation(self, session: str) -> int:
        """Delete a conversation permanently. Return the number of deleted messages.

        Raises:
            UnfinishedEraseError: The messages are deleted, but their bytes may remain on disk.
            CapabilityUnsupportedError: The storage keeps no conversations, or can't erase.

        Example:
            >>> memory.add_messages("chat-7", [(lamella.Role.HUMAN, "When?"), (lamella.Role.ASSISTANT, "At 4.")])
            >>> memory.erase_conversation("chat-7")
            2
        """
        require_type("session", session, str)
        return self._lamella.erase_conversation(self._call, session)
