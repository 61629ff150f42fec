"""Add messages of a program's own conversation."""

from collections.abc import Iterable

from attrs import define

from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.conversations.errors import ConversationsNotSharedError
from lamella.domain.conversations.message import Batch, MessageDraft, Role, kept, message_key
from lamella.domain.privacy.redaction import cleaned
from lamella.domain.validation import refuse_type
from lamella.ports.system import Clock, IdSource

_SOURCE = "program"


@define
class AddMessages:
    """Add messages to a conversation of the project."""

    projects: ProjectResolver
    clock: Clock
    ids: IdSource
    keeps_conversations: bool = True

    def __call__(self, call: Call, session: str, messages: Iterable[tuple[Role, str]]) -> None:
        """Add messages durably in their order, after redacting secrets.

        Raises:
            InvalidValueError: A role or text has the wrong type, or a text is blank.
            ConversationsNotSharedError: The storage is shared with other machines, and sharing of conversations is
                off.
            CapabilityUnsupportedError: The storage keeps no conversations.
            StorageError: The storage failed, and nothing was added.
        """
        if not self.keeps_conversations:
            raise ConversationsNotSharedError
        record, now = self.ids.new().hex, self.clock.now()
        drafts = []
        for part, message in enumerate(messages):
            match message:
                case Role() as role, str() as text:
                    key, clean = message_key(record, part), kept(role, cleaned(text).text)
                    drafts.append(MessageDraft(key=key, session=session, role=role, text=clean, at=now))
                case _:
                    refuse_type("messages", message, "pairs of a Role and a text")
        conversations = self.projects.find_or_create(call).conversations()
        conversations.add(Batch(source=_SOURCE, position="", drafts=tuple(drafts)))
