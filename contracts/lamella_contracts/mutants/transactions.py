"""Faults in the facts read from a storage, and in the writes of a plan."""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from attrs import evolve

from lamella.domain.errors import StorageError
from lamella.domain.transactions.look import Facts, Look
from lamella.domain.transactions.plan import Plan, SetStatus, Write
from lamella.ports.storage.transaction import T
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.project_data import ProjectData, Row
from lamella_adapters.memory.transaction import InMemoryTransaction
from lamella_contracts.mutants.broken_storage import DurableStorage, looking, storage_mutants, storing, writing

MUTANTS = storage_mutants()


def _highest_present(transaction: InMemoryTransaction, _: Look, __: Facts) -> Mapping[str, Any]:
    return {"sequence": max((row.observation.sequence for row in transaction.data.rows.values()), default=0)}


def _requests_of_a_day(_: InMemoryTransaction, __: Look, facts: Facts) -> Mapping[str, Any]:
    known = facts.latest and facts.latest - timedelta(days=1)
    return {
        "same": tuple(
            evolve(each, request=each.request if known and each.observation.occurred_at >= known else None)
            for each in facts.same
        )
    }


class AsksAll(InMemoryTransaction):
    """Transaction that reads and changes the observations of all projects."""

    def rows(self) -> list[Row]:
        """Return all rows."""
        return [row for data in self.data_of.values() for row in data.rows.values()]

    def look(self, look: Look) -> Facts:
        said = [row.observation for row in self.rows()]
        data = ProjectData(rows={row.observation.id: row for row in self.rows()})
        every = InMemoryTransaction(self.project, data, self.data_of)
        facts = every.look(look)
        latest = max((each.occurred_at for each in said), default=None)
        return evolve(super().look(look), statuses=facts.statuses, same=facts.same, latest=latest)

    def _write(self, write: Write) -> None:
        if isinstance(write, SetStatus):
            every = {row.observation.id: row for row in self.rows()}
            self.data.rows |= {id: every[id] for id in write.ids}
        super()._write(write)


@MUTANTS.add("facts cover all projects")
class Boundless(InMemoryObservations):
    def _transaction(self) -> InMemoryTransaction:
        return AsksAll(*self.storage.home(self.project), self.storage.data_of)


@MUTANTS.add("facts name the merged project")
class StaysWhereItWas(InMemoryObservations):
    def look(self, look: Look) -> Facts:
        return evolve(super().look(look), project=self.project)


@MUTANTS.add("a split leaves corrections behind")
class LeavesCorrections(InMemoryObservations):
    def _facts(self, transaction: InMemoryTransaction, look: Look) -> Facts:
        facts = super()._facts(transaction, look)
        here = {id: evolve(each, origin=facts.project) for id, each in facts.statuses.items()}
        return evolve(facts, statuses=here)


@MUTANTS.add("memory stays off once it was switched off")
class OffForEver(InMemoryObservations):
    def look(self, look: Look) -> Facts:
        off = self.storage.projects[self.project].off
        return evolve(super().look(look), off_since=off[-1].since if off and look.off else None)


@MUTANTS.add("a transaction finds no prefixes")
class FindsInReadsOnly(InMemoryObservations):
    def transact(self, look: Look, decide: Callable[[Facts], tuple[Plan, T]]) -> T:
        return super().transact(evolve(look, prefixes=()), decide)


@MUTANTS.add("similar notes are of any kind, or purged")
class ComparesAll(InMemoryObservations):
    def _similar(self, words: Sequence[str]) -> Mapping[UUID, str]:
        return {id: row.observation.content for id, row in self.rows.items() if words}


MUTANTS.add("sequence numbers are reused")(looking(_highest_present))
MUTANTS.add("requests expire after a day")(looking(_requests_of_a_day))
MUTANTS.add("marks of erased memories are forgotten")(looking(lambda *_: {"erased": frozenset()}))


@MUTANTS.add("the error of a decision becomes a StorageError")
class TakesErrorsForItsOwn(InMemoryObservations):
    def transact(self, look: Look, decide: Callable[[Facts], tuple[Plan, T]]) -> T:
        try:
            return super().transact(look, decide)
        except ArithmeticError as error:
            raise StorageError(reason="It failed.", advice="Try again.") from error


MUTANTS.add("an empty session is stored as NULL")(storing(session=lambda said: said.session or None))
MUTANTS.add("content is trimmed")(storing(content=lambda said: said.content.strip()))
MUTANTS.add("keywords are not stored")(storing(keywords=lambda _: ""))
MUTANTS.add("sessions are truncated")(storing(session=lambda said: said.session and said.session[:255]))
MUTANTS.add("replacements are not stored")(writing(SetStatus, lambda _, write: (evolve(write, replaced_by=None),)))
MUTANTS.add("writes stay in their process")(DurableStorage)
