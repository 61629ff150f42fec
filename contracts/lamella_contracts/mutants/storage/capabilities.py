"""Faults in what is declared, in closing, and in what is left after a restart."""

from lamella.domain.errors import CapabilityUnsupportedError
from lamella.ports.storage.diagnosis import StorageDiagnosis
from lamella.ports.storage.observations import StatusChange
from lamella.ports.storage.storage import Capability
from lamella_adapters.fts5 import bm25
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_contracts.contracts import ObservationStorageContract, ProjectRegistryContract
from lamella_contracts.mutants.broken_storage import (
    BrokenStorage,
    DurableStorage,
    Mutant,
    Mutants,
    declaring,
    finding_with,
)

MUTANTS = Mutants()

_BM25 = bm25.bm25

DECLARED = frozenset({Capability.ERASE, Capability.MERGE, Capability.DIAGNOSE, Capability.FEED})


def needing(capability: Capability) -> set[str]:
    """Return the clauses that want a refusal if the capability is not declared."""
    contracts = (ObservationStorageContract, ProjectRegistryContract)
    every = [clause for contract in contracts for clause in contract.clauses().values()]
    return {clause.id for clause in every if clause.capability is capability} | (
        {"an_erase_takes_text_out_of_the_context"}
        if capability is Capability.ERASE
        else {"an_erase_leaves_nothing_in_another_project"}
    )


@MUTANTS.add("closing twice fails", trips={"closing_twice_is_harmless"})
class ClosesOnce(BrokenStorage):
    closed = False

    def close(self) -> None:
        if self.closed:
            raise RuntimeError("already closed")
        self.closed = True


@MUTANTS.add("it is never tidy", trips={"tidying_ends_and_changes_no_answer"})
class NeverTidy(BrokenStorage):
    def tidy(self) -> bool:
        return True


@MUTANTS.add(
    "a restart loses all",
    trips={"facts_survive_a_restart", "search_survives_a_restart", "projects_survive_a_restart"},
)
class LosesAll(DurableStorage):
    def restarted(self) -> None:
        self.registry = self.mutant.registry()


@MUTANTS.add("diagnosis is refused", trips=())
class Refusing(BrokenStorage):
    """Refuses diagnosis and declares none, which is right."""

    @property
    def capabilities(self) -> frozenset[Capability]:
        return DECLARED - {Capability.DIAGNOSE}

    @property
    def diagnosis(self) -> StorageDiagnosis:
        raise CapabilityUnsupportedError(capability=Capability.DIAGNOSE)


@MUTANTS.add(
    "bytes are erased without rows", trips={"an_erase_leaves_no_byte_in_any_file", "capabilities_are_a_frozen_set"}
)
class ErasesBytesOnly(BrokenStorage):
    """Refuses to erase, and declares that no byte of what is erased is left."""

    @property
    def capabilities(self) -> frozenset[Capability]:
        return frozenset(Capability) - {Capability.ERASE, Capability.DURABLE, Capability.CONVERSATIONS}

    def observations(self, project: str) -> InMemoryObservations:
        scope = self._scope(project)

        class Refuses(InMemoryObservations):
            def erase(self, *_: object, **__: object) -> tuple[StatusChange, ...]:
                raise CapabilityUnsupportedError(capability=Capability.ERASE)

        return Refuses(scope.project, scope.storage)


ERASE, MERGE = needing(Capability.ERASE), needing(Capability.MERGE)

MUTANTS += (
    Mutant(
        fault="scores are rounded, as is said",
        search=finding_with(bm25, bm25=lambda *row: _BM25(*row) * (1 + 1e-12)),
        storage=declaring(frozenset(Capability) - {Capability.DURABLE, Capability.EXACT_RANKING}),
        trips=(),
    ),
    Mutant(fault="it is durable", storage=DurableStorage, trips=()),
    Mutant(
        fault="durability is not declared",
        refuses=True,
        storage=declaring(DECLARED, DurableStorage),
        trips={"facts_survive_a_restart", "search_survives_a_restart", "projects_survive_a_restart"}
        | {
            "a_save_that_cannot_be_synced_fails",
            "commits_outlive_a_killed_process",
            "transactions_of_processes_come_one_after_another",
        },
    ),
    Mutant(
        fault="erasing is not declared",
        refuses=True,
        storage=declaring(DECLARED - {Capability.ERASE}),
        trips=ERASE,
    ),
    Mutant(
        fault="merging is not declared",
        refuses=True,
        storage=declaring(DECLARED - {Capability.MERGE}),
        trips=MERGE,
    ),
    Mutant(
        fault="diagnosis is not declared",
        storage=declaring(DECLARED - {Capability.DIAGNOSE}),
        trips={"a_healthy_storage_has_no_fault", "space_is_told_by_kind"},
    ),
)
