"""How a storage with broken conversations is made of the in-memory one."""

from collections.abc import Callable, Iterable
from pathlib import Path

from attrs import field, frozen

from lamella.ports.conversations import Conversations, SummaryCache
from lamella.ports.storage import Capability
from lamella_adapters.memory import InMemoryStorage
from lamella_adapters.memory.archive import Archive
from lamella_adapters.memory.conversations import InMemoryConversations
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts import ConversationsContract

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


def _names(clauses: Iterable[str]) -> frozenset[str]:
    return frozenset(clauses)


@frozen(kw_only=True)
class Mutant:
    """One fault, and the clauses that name it: `trips` exactly, and of the costly ones `compared`."""

    fault: str
    trips: frozenset[str] = field(converter=_names)
    compared: frozenset[str] = field(converter=_names, default=())
    conversations: type[InMemoryConversations] = InMemoryConversations
    archive: type[Archive] = Archive
    storage: type[Talking] = Talking

    def __str__(self) -> str:
        return self.fault.replace(" ", "-")

    def opener(self) -> Callable[[object, Path], Talking]:
        """Opens the broken storage; at one folder the same again where it says that it keeps things."""
        opened: dict[Path, Talking] = {}

        def open_storage(_: object, folder: Path) -> Talking:
            storage = opened.setdefault(folder, self.storage(self))
            return storage if Capability.DURABLE in storage.capabilities else self.storage(self)

        return open_storage
