"""The project of a call and everything stored in it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve, field, frozen

from lamella.domain.call import Call
from lamella.domain.errors import MemoryOffError, UnknownProjectError
from lamella.domain.projects.identity import author_key, is_everywhere, machine_key
from lamella.domain.projects.key import EVERYWHERE
from lamella.domain.projects.project import Location, Project
from lamella.domain.transactions.look import Facts, Look
from lamella.domain.transactions.plan import Plan
from lamella.ports.storage.storage import Capability, Storage
from lamella.ports.storage.transaction import T
from lamella.ports.system import Machine

if TYPE_CHECKING:
    # Not imported at run time: most programs use few of these ports.
    from lamella.domain.embeddings.vector import EmbeddingModel
    from lamella.domain.memories.query import Hit, Home
    from lamella.ports.storage.activity import ActivityLog
    from lamella.ports.storage.audit import AuditTrail
    from lamella.ports.storage.conversations import Conversations
    from lamella.ports.storage.ledger import CodeLedger
    from lamella.ports.storage.observations import ObservationStorage
    from lamella.ports.storage.search import ObservationSearch
    from lamella.ports.storage.vectors import VectorIndex


def refuse_off(since: datetime | None, call: Call) -> None:
    """Check that memory isn't off in the project of a call.

    Raises:
        MemoryOffError: Memory is off, and `call.even_off` isn't set.
    """
    if since is not None and not call.even_off:
        raise MemoryOffError(since=f"{since.astimezone(call.zone):%Y-%m-%d %H:%M}")


def place_everywhere(call: Call, machine: Machine | None) -> Location | None:
    """Return the location of global memories. In a storage shared by machines, each user has a separate location.

    Args:
        call: The call.
        machine: This machine; None for the storage of a single machine.

    Returns:
        The location; None for a call confined to its project, and for an anonymous remote call.
    """
    if call.confined:
        return None
    if machine is None:
        key = EVERYWHERE
    elif not call.distant:
        key = machine_key(machine.id(), EVERYWHERE)
    elif call.author is None:
        return None
    else:
        key = author_key(call.author, EVERYWHERE)
    return Location(key=key, name="everywhere", root=call.directory)


@frozen(eq=False, repr=False)
class Unasked:
    """Reference to a project that an earlier call has found. The project isn't looked up again.

    This is safe, because an alias always belongs to the same project, and because a storage opens the target of a
    merged project instead of that project. A transaction only has to check whether memory is off.

    Attributes:
        call: The call.
        alias: Alias of the location.
        known: Ids of projects, keyed by the aliases of their locations.
    """

    call: Call
    alias: str
    known: dict[str, str]

    def transact(
        self, observations: Callable[[], ObservationStorage], look: Look, decide: Callable[[Facts], tuple[Plan, T]]
    ) -> T:
        """Read the facts of `look`, decide and write in one transaction.

        Raises:
            MemoryOffError: Memory is switched off in the project.
            UnknownProjectError: The project doesn't exist any more.
        """

        def unless_off(facts: Facts) -> tuple[Plan, T]:
            refuse_off(facts.off_since, self.call)
            return decide(facts)

        try:
            return observations().transact(evolve(look, off=True), unless_off)
        except UnknownProjectError:
            # The database was reset to an older state. The next call creates the project again.
            self.known.pop(self.alias, None)
            raise


@frozen(eq=False, repr=False)
class ProjectContext:
    """The project of a call and everything stored in it.

    Attributes:
        project: The project; None if it doesn't exist yet. Reads then find nothing, and writes aren't stored.
        root: Top of the working tree; paths are relative to it.
        id: Id of the project. For a project that doesn't exist yet, the id that it will get.
    """

    project: Project | None
    root: Path
    _storage: Storage
    id: str
    _everywhere: Callable[[], ProjectContext | None] = field(default=lambda: None, eq=False)
    _unasked: Unasked | None = None

    @property
    def everywhere(self) -> ProjectContext | None:
        """The user's global memories, for reading; see `ProjectResolver.everywhere`.

        `ProjectResolver.find` finds them together with the project. If the project was opened for a write, they
        are looked up at the first use of this property.
        """
        return self._everywhere()

    def transact(self, look: Look, decide: Callable[[Facts], tuple[Plan, T]]) -> T:
        """Read facts, decide and write in one transaction; see `Transactional.transact`.

        Raises:
            MemoryOffError: Memory was switched off since the project was found.
        """
        if self._unasked is None:
            return self.observations.transact(look, decide)
        return self._unasked.transact(lambda: self.observations, look, decide)

    @property
    def key(self) -> tuple[str, str]:
        """Tenant and id of the project, unique in a process."""
        return self._storage.tenant, self.id

    def keeps(self, capability: Capability) -> bool:
        """Return True if the project's storage declares `capability`."""
        return capability in self._storage.capabilities

    def marked(self, hit: Hit) -> Hit:
        """Mark a hit with its project, for a reply to a call of another project."""
        return evolve(hit, everywhere=True) if self.home is None else evolve(hit, project=self.home)

    @property
    def home(self) -> Home | None:
        """Id and name of the project, for marking hits.

        None for global memories, and for a project that doesn't exist yet.
        """
        if self.project is None or is_everywhere(self.project.aliases):
            return None
        from lamella.domain.memories.query import Home  # noqa: PLC0415 - see above

        return Home(self.id, self.project.name)

    @property
    def observations(self) -> ObservationStorage:
        """Observations of the project."""
        return self._storage.observations(self.id)

    @property
    def search(self) -> ObservationSearch:
        """Search for words in the project's observations."""
        return self._storage.search(self.id)

    def vectors(self, model: EmbeddingModel) -> VectorIndex:
        """Return the search for meaning in the project's observations, with vectors of `model`."""
        return self._storage.vectors(self.id, model)

    def conversations(self) -> Conversations:
        """Return the conversations of the project."""
        return self._storage.conversations(self.id)

    def ledger(self) -> CodeLedger:
        """Return the ledger of the project's code."""
        return self._storage.ledger(self.id)

    def activity(self) -> ActivityLog:
        """Return the project's log of hooks."""
        return self._storage.activity(self.id)

    def audit(self) -> AuditTrail:
        """Return the audit trail of the project's memories."""
        return self._storage.audit(self.id)
