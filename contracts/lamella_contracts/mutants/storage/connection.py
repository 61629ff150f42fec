"""Faults in the report of a lost connection, and in the recovery from it."""

import os
import pickle
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from uuid import UUID

from lamella.domain.errors import OutcomeUnknownError, StorageError, StorageUnreachableError
from lamella.domain.memories.observation import Draft
from lamella.domain.transactions.look import Facts, Look
from lamella.domain.transactions.plan import Plan
from lamella.ports.storage.observations import ObservationStorage, Saved
from lamella.ports.storage.transaction import T
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.project_data import Row
from lamella_contracts.mutants.broken_storage import BrokenStorage, DurableStorage, storage_mutants

MUTANTS = storage_mutants()


class LosesAnswer(InMemoryObservations):
    """Observations that save a memory, then raise as if the answer was lost."""

    error: type[StorageError] = OutcomeUnknownError

    def add(self, draft: Draft, *, id: UUID, now: datetime) -> Saved:
        super().add(draft, id=id, now=now)
        raise self.error


class CallsItUnreachable(LosesAnswer):
    error = StorageUnreachableError


class StoresRequestLater(LosesAnswer):
    """Observations that store the request id in a second transaction, which is lost with the answer."""

    def add(self, draft: Draft, *, id: UUID, now: datetime) -> Saved:
        try:
            return super().add(draft, id=id, now=now)
        finally:
            self.rows[id].request, self.rows[id].fingerprint = None, b""


class Networked(BrokenStorage):
    """A sound storage behind a network."""

    broken = False
    error: type[Exception] = StorageUnreachableError
    """Error of a broken connection."""
    loser: type[InMemoryObservations] = LosesAnswer
    """Observations that lose the answer to their next save."""
    losing: type[InMemoryObservations] | None = None

    @staticmethod
    def break_connection(_: object, storage: "Networked") -> None:
        storage.broken = True

    @staticmethod
    def lose_answer(_: object, storage: "Networked") -> None:
        storage.losing = storage.loser

    def observations(self, project: str) -> ObservationStorage:
        losing, self.losing = self.losing, None
        return self._scope(project) if losing is None else losing(project, self.registry)

    def _scope(self, project: str) -> InMemoryObservations:
        broken, self.broken = self.broken, False
        if broken:
            raise self.error
        return super()._scope(project)


@MUTANTS.add("an exception of the driver leaks")
class LeaksTheDriversError(Networked):
    error = ConnectionResetError


@MUTANTS.add("a lost answer is reported as an unreachable server")
class CallsTheAnswerUnreachable(Networked):
    loser = CallsItUnreachable


@MUTANTS.add("requests are stored in a later transaction")
class StoresRequestsLater(Networked):
    loser = StoresRequestLater


@MUTANTS.add("a save is found before its sync")
class SyncsLast(DurableStorage):
    """Storage that lets other processes read a save before it is synced."""

    def _scope(self, project: str) -> InMemoryObservations:
        self.registry.known(project)
        file = self.folder / project

        class Journal(InMemoryObservations):
            @property
            def rows(self) -> dict[UUID, Row]:
                return pickle.loads(file.read_bytes()) if file.exists() else super().rows  # noqa: S301 - reads its own file

            def transact(self, look: Look, decide: Callable[[Facts], tuple[Plan, T]]) -> T:
                done = super().transact(look, decide)
                try:
                    with file.open("wb") as stream:
                        stream.write(pickle.dumps(self.data.rows))
                        stream.flush()
                        os.fsync(stream.fileno())
                except OSError as error:
                    raise StorageError(reason="The disk failed.", advice="Replace it.") from error
                return done

        return Journal(project, self.registry)


@MUTANTS.add("commits are lost with their process")
class LosesWithItsProcess(DurableStorage):
    """Storage that saves durably, unless its process is killed."""

    @staticmethod
    def opening_code(_: object, folder: Path) -> str:
        del folder
        return "from lamella_adapters.memory import InMemoryStorage\nstorage = InMemoryStorage()"
