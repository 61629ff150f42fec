"""Import prompts of conversations that other programs have stored."""

from collections import Counter, defaultdict

from attrs import define, field

from lamella.application.conversations.import_transcripts import changed_messages, without_secrets
from lamella.application.exchange.destinations import Destination
from lamella.domain.conversations.message import Batch, MessageDraft, Role, message_key
from lamella.ports.peers import ForeignPrompt
from lamella.ports.storage.conversations import Conversations

RECORDED = "prompts of conversations that were imported completely"
"""Reason for skipping prompts of a conversation whose transcript was imported."""

CHANGED = "prompts of conversations that were changed there"
"""Reason for skipping prompts whose text has changed since an earlier import."""

UNSHARED = "prompts of conversations, which you don't share (LAMELLA_SHARE_CONVERSATIONS)"
"""Reason for skipping prompts if several machines share the storage."""


@define
class Prompts:
    """Prompts collected for conversations. Prompts of fully imported conversations are left out."""

    peer: str
    dry_run: bool
    _waiting: defaultdict[str, dict[str, MessageDraft]] = field(factory=lambda: defaultdict(dict))
    _destinations: dict[str, Destination] = field(factory=dict)
    _ours: set[tuple[str, str]] = field(factory=set)
    """Conversations whose messages are all imported prompts, each as project and session."""
    _taken: set[tuple[str, str]] = field(factory=set)
    """Prompts of this import, each as project and key."""

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def take(self, prompt: ForeignPrompt, destination: Destination) -> None:
        """Collect a prompt."""
        project = destination.here.id
        self._destinations[project] = destination
        key = message_key(f"{self.peer}/{prompt.key}", 0)
        draft = MessageDraft(key=key, session=prompt.session, role=Role.HUMAN, text=prompt.text, at=prompt.at)
        if (project, key) not in self._taken:
            self._waiting[project].setdefault(key, draft)

    def store(self) -> tuple[int, int, Counter[str]]:
        """Store the collected prompts, one transaction for each project. In a dry run, only count the prompts.

        Returns:
            The number of new prompts, the number of redacted secrets in these prompts, and the numbers of skipped
            prompts keyed by reason.
        """
        new, redacted, skipped = 0, 0, Counter[str]()
        for project, waiting in self._waiting.items():
            conversations = self._destinations[project].here.conversations()
            known = conversations.known(list(waiting))
            self._ours.update((project, waiting[key].session) for key in known)
            changed = list(changed_messages([waiting[key] for key in known], conversations))
            left = [each for key, each in waiting.items() if key not in known]
            taken = tuple(each for each in left if self._is_ours(project, each.session, conversations))
            batch = Batch(source=f"import/{self.peer}", position="", drafts=taken)
            clean, secrets = without_secrets(batch, conversations)
            if taken and not self.dry_run:
                conversations.add(clean)
            self._taken.update((project, each.key) for each in taken)
            new += len(taken)
            redacted += secrets
            skipped.update({RECORDED: len(left) - len(taken), CHANGED: len(changed)})
        self._waiting.clear()
        return new, redacted, skipped

    def _is_ours(self, project: str, session: str, conversations: Conversations) -> bool:
        """Return True if a conversation has only imported prompts as messages, or no messages."""
        if (project, session) not in self._ours and not conversations.sessions(session):
            self._ours.add((project, session))
        return (project, session) in self._ours
