"""Faults in the ledger: the history of files, recorded captures, and their ageing."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any
from uuid import UUID

from attrs import evolve

from lamella.domain.ledger.file_change import FileChange, Removal
from lamella.domain.ledger.fingerprints import LineFingerprints
from lamella.domain.memories.observation import Observation
from lamella.domain.transactions.look import Facts, Look
from lamella.domain.transactions.other_writes import Age, Amend, RememberRequest
from lamella.domain.transactions.plan import Insert, Write
from lamella_adapters.memory.ledger import InMemoryLedger
from lamella_adapters.memory.transaction import InMemoryTransaction
from lamella_contracts.mutants import broken_storage

MUTANTS = broken_storage.storage_mutants()


@MUTANTS.add("removals include other fingerprints")
class AnswersUnasked(InMemoryLedger):
    def removals(self, path: str, fingerprints: Collection[int]) -> tuple[Removal, ...]:
        every = {mark for _, lines in self._changes(path) for mark in lines.removed}
        return super().removals(path, every) if fingerprints else ()


@MUTANTS.add("lines added back later are no removals")
class ForgetsWhatCameBack(InMemoryLedger):
    def removals(self, path: str, fingerprints: Collection[int]) -> tuple[Removal, ...]:
        back = {mark for _, lines in self._changes(path) for mark in lines.added}
        return super().removals(path, set(fingerprints) - back)


@MUTANTS.add("purged changes are returned")
class SeesPurged(InMemoryLedger):
    def _live(self) -> list[Observation]:
        return list(reversed(self.observations.in_order()))


@MUTANTS.add("short ids of a history always have eight digits")
class ShortensToEight(InMemoryLedger):
    def _changes(self, path: str, *, folders: bool = False) -> Iterator[tuple[FileChange, LineFingerprints]]:
        for entry, lines in super()._changes(path, folders=folders):
            yield evolve(entry, short_id=entry.observation.hex[:8]), lines


@MUTANTS.add("folders have no history")
class KnowsFilesOnly(InMemoryLedger):
    def history(self, path: str, *, limit: int) -> tuple[FileChange, ...]:
        return tuple(entry for entry, _ in self._changes(path))[:limit]


MUTANTS.add("captures and warnings are kept in memory only")(broken_storage.losing("captured", "warned"))


@MUTANTS.add("erased changes are answered from a cache")
class KeepsErased(broken_storage.BrokenStorage):
    """Storage that returns erased changes from a cache."""

    def ledger(self, project: str) -> InMemoryLedger:
        seen = self.__dict__.setdefault("seen", {})

        class Remembering(InMemoryLedger):
            def _live(self) -> list[Observation]:
                live = super()._live()
                purged = {each.id for each in self.observations.in_order() if each.purged}
                known: dict[UUID, Observation] = seen.setdefault(self.observations.project, {})
                known.update({each.id: each for each in live})
                return sorted(
                    (each for each in known.values() if each.id not in purged),
                    key=lambda each: (each.occurred_at, each.sequence),
                    reverse=True,
                )

        return Remembering(self._scope(project))


@MUTANTS.add("ageing drops removed lines")
class ForgetsLines(InMemoryTransaction):
    """Transaction that forgets removed lines when an edit loses its hunks by ageing."""

    def _write(self, write: Write) -> None:
        super()._write(write)
        if isinstance(write, Age):
            self.data.rows[write.former.id].lines = None


@MUTANTS.add("amending replaces the fingerprint")
class TakesTheLastFingerprint(InMemoryTransaction):
    def _write(self, write: Write) -> None:
        super()._write(write)
        if isinstance(write, Amend):
            self.data.rows[write.observation.id].fingerprint = write.observation.fingerprint


def _live(_: InMemoryTransaction, __: Look, facts: Facts) -> Mapping[str, Any]:
    return {"observations": {id: each for id, each in facts.observations.items() if not each.purged}}


MUTANTS.add("facts omit purged observations")(broken_storage.looking(_live))


@MUTANTS.add("a late capture gets the latest timestamp")
class AlwaysLast(InMemoryTransaction):
    """Transaction that records a late capture with the time of the latest memory instead of its own time."""

    def _write(self, write: Write) -> None:
        if isinstance(write, Insert):
            said = write.observation
            moments = [said.occurred_at, *(each.occurred_at for each in self.data.newest_first())]
            write = evolve(write, observation=evolve(said, occurred_at=max(moments)))
        super()._write(write)


@MUTANTS.add("an empty list of requests is a syntax error")
class TakesNoEmptyList(InMemoryLedger):
    def known(self, requests: Collection[str]) -> frozenset[str]:
        if not requests:
            raise SyntaxError("IN ()")
        return super().known(requests)


MUTANTS.add("requests of captures are not stored")(broken_storage.writing(RememberRequest, lambda *_: ()))
MUTANTS.add("former names are not stored")(
    broken_storage.storing(changes=lambda said: tuple(evolve(each, former=None) for each in said.changes))
)
