"""Prompts from conversations, stored by other programs."""

from collections import defaultdict

from attrs import define, field, frozen

from lamella.application.exchange.destinations import Destination
from lamella.domain.conversations.message import Batch, MessageDraft, Role, message_key
from lamella.domain.privacy.redaction import cleaned
from lamella.ports.peers import ForeignPrompt
from lamella.ports.storage.conversations import Conversations
from lamella.ports.storage.storage import Capability

RECORDED = "prompts of conversations that were imported completely"
"""Reason for skipping prompts of a fully imported conversation."""

UNSHARED = "prompts of conversations, which you don't share (LAMELLA_SHARE_CONVERSATIONS)"
"""Reason for skipping prompts in a storage of several machines."""


@frozen(kw_only=True)
class Stored:
    """Result of storing prompts.

    Attributes:
        new: Number of new prompts.
        redacted: Number of redacted secrets in new prompts.
        recorded: Number of prompts skipped because their whole conversation is already imported.
    """

    new: int = 0
    redacted: int = 0
    recorded: int = 0


@define
class Prompts:
    """Prompts collected for conversations. Prompts of fully imported conversations are left out."""

    peer: str
    dry_run: bool
    _waiting: defaultdict[str, dict[str, ForeignPrompt]] = field(factory=lambda: defaultdict(dict))
    _destinations: dict[str, Destination] = field(factory=dict)
    _ours: set[tuple[str, str]] = field(factory=set)
    """Conversations whose messages are all imported prompts, each as project and session."""

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def take(self, prompt: ForeignPrompt, destination: Destination) -> None:
        """Collect a prompt. Skip it if the storage keeps no conversations."""
        if destination.here.keeps(Capability.CONVERSATIONS):
            project = destination.here.id
            self._destinations[project] = destination
            self._waiting[project].setdefault(message_key(f"{self.peer}/{prompt.key}", 0), prompt)

    def store(self) -> Stored:
        """Store the collected prompts, each project in one transaction; in a dry run only count them."""
        new = redacted = recorded = 0
        for project, waiting in self._waiting.items():
            conversations = self._destinations[project].here.conversations()
            known = conversations.known(list(waiting))
            self._ours.update((project, waiting[key].session) for key in known)
            left = [(key, each) for key, each in waiting.items() if key not in known]
            taken = [(key, each) for key, each in left if self._is_ours(project, each.session, conversations)]
            texts = [cleaned(each.text) for _, each in taken]
            drafts = tuple(
                MessageDraft(key=key, session=each.session, role=Role.HUMAN, text=clean.text, at=each.at)
                for (key, each), clean in zip(taken, texts, strict=True)
            )
            if drafts and not self.dry_run:
                conversations.add(Batch(source=f"import/{self.peer}", position="", drafts=drafts))
            new += len(drafts)
            redacted += sum(each.secrets for each in texts)
            recorded += len(left) - len(taken)
        self._waiting.clear()
        return Stored(new=new, redacted=redacted, recorded=recorded)

    def _is_ours(self, project: str, session: str, conversations: Conversations) -> bool:
        """Return True if all messages of a conversation are imported prompts."""
        if (project, session) not in self._ours and not conversations.sessions(session):
            self._ours.add((project, session))
        return (project, session) in self._ours
