"""How a storage with broken conversations is made of the in-memory one."""

from attrs import frozen

from lamella.ports.storage.conversations import Conversations, SummaryCache
from lamella_adapters.memory import InMemoryStorage
from lamella_adapters.memory.conversations import InMemoryConversations
from lamella_adapters.memory.message_store import Archive
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts import ConversationsContract
from tests.mutants.faults import FaultInMemory

EVERY = frozenset(ConversationsContract.clauses())
RANKING = "messages_rank_as_in_the_model"
"""Compares with the model, notices much and names nothing: only run where a mutant lists it."""


class Talking(InMemoryStorage):
    """The in-memory storage with other conversations in it."""

    def __init__(self, mutant: "Mutant") -> None:
        super().__init__()
        self.mutant = mutant
        self._registry = InMemoryRegistry()

    def conversations(self, project: str) -> Conversations:
        return self._conversing(project)

    def summaries(self, project: str) -> SummaryCache:
        return self._conversing(project)

    def _conversing(self, project: str) -> InMemoryConversations:
        self.registry.known(project)
        for shelf in self.registry.shelves.values():
            if type(shelf.archive) is not self.mutant.archive:
                shelf.archive = self.mutant.archive()
        return self.mutant.conversations(project, self.registry)


@frozen(kw_only=True)
class Mutant(FaultInMemory):
    """A fault in one of these parts."""

    conversations: type[InMemoryConversations] = InMemoryConversations
    archive: type[Archive] = Archive
    storage: type[Talking] = Talking

    def broken(self) -> Talking:
        return self.storage(self)
