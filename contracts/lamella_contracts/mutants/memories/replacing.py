"""Faults in what takes the place of other memories."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from uuid import UUID

from attrs import evolve

from lamella.domain.audit.signature import Signature
from lamella.domain.memories.errors import NotReplaceableError
from lamella.domain.memories.observation import Draft, Observation
from lamella.ports.storage.observations import Saved, StatusChange
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.shelf import Row
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.mutants.broken_storage import Mutants

MUTANTS = Mutants()

REPLACES = "what_is_replaced_is_purged_and_leads_to_what_replaced_it"
REFUSES = "what_cannot_be_replaced_stores_nothing"
REFUSES_TWICE = "what_was_replaced_by_another_cannot_be_replaced"
AGAIN = "saving_the_same_replacement_again_changes_nothing"
DUPLICATES = "a_duplicate_replaces_too"
RETRIES = "a_retry_replaces_nothing"
RESTORES = "a_restore_takes_the_link_away"
ERASES = "nothing_leads_to_what_is_erased"
MERGES = "links_survive_a_merge"


class _Changing(InMemoryObservations):
    """Changes the rows of some ids."""

    def change(self, ids: Sequence[UUID], change: Callable[[Observation], Observation]) -> None:
        for row in [self.rows[id] for id in ids if id in self.rows]:
            row.observation = change(row.observation)


@MUTANTS.add(
    "nothing is replaced",
    trips={REPLACES, REFUSES, REFUSES_TWICE, DUPLICATES, MERGES, ERASES},
)
class ReplacesNothing(InMemoryObservations):
    def replace(self, ids: Sequence[UUID], *, by: UUID, now: datetime) -> None:
        del ids, by, now


@MUTANTS.add("what is replaced leads nowhere", trips={REPLACES, REFUSES_TWICE, AGAIN, DUPLICATES, MERGES})
class LeadsNowhere(_Changing):
    def replace(self, ids: Sequence[UUID], *, by: UUID, now: datetime) -> None:
        super().replace(ids, by=by, now=now)
        self.change(ids, lambda each: evolve(each, replaced_by=None))


@MUTANTS.add("what is replaced stays live", trips={REPLACES, REFUSES_TWICE, DUPLICATES, ERASES, MERGES})
class StaysLive(_Changing):
    def replace(self, ids: Sequence[UUID], *, by: UUID, now: datetime) -> None:
        super().replace(ids, by=by, now=now)
        self.change(ids, lambda each: evolve(each, purged_at=None))


@MUTANTS.add("what cannot be replaced is passed over", trips={REFUSES, REFUSES_TWICE})
class PassesOver(InMemoryObservations):
    def replace(self, ids: Sequence[UUID], *, by: UUID, now: datetime) -> None:
        for id in ids:
            with suppress(NotReplaceableError):
                super().replace([id], by=by, now=now)


@MUTANTS.add("some are replaced before the others are refused", trips={REFUSES})
class ReplacesSome(InMemoryObservations):
    def replace(self, ids: Sequence[UUID], *, by: UUID, now: datetime) -> None:
        for id in ids:
            super().replace([id], by=by, now=now)


@MUTANTS.add("a replacement is saved although it is refused", trips={REFUSES})
class SavesAnyway(InMemoryObservations):
    def add(self, draft: Draft, *, id: UUID, now: datetime) -> Saved:
        try:
            return super().add(draft, id=id, now=now)
        except NotReplaceableError:
            super().add(evolve(draft, replaces=()), id=id, now=now)
            raise


@MUTANTS.add("the link goes to the last that replaced", trips={REFUSES_TWICE})
class LastReplaces(_Changing):
    def replace(self, ids: Sequence[UUID], *, by: UUID, now: datetime) -> None:
        self.change(ids, lambda each: evolve(each, purged_at=None) if each.replaced_by else each)
        super().replace(ids, by=by, now=now)


@MUTANTS.add("what was replaced already is refused", trips={AGAIN})
class RefusesAgain(InMemoryObservations):
    def add(self, draft: Draft, *, id: UUID, now: datetime) -> Saved:
        for replaced in draft.replaces:
            if replaced in self.rows and self.rows[replaced].observation.purged:
                raise NotReplaceableError(id=str(replaced), reason="already purged")
        return super().add(draft, id=id, now=now)


@MUTANTS.add("a duplicate replaces nothing", trips={DUPLICATES})
class DuplicateReplacesNothing(InMemoryObservations):
    def replace(self, ids: Sequence[UUID], *, by: UUID, now: datetime) -> None:
        if by not in self.rows:
            super().replace(ids, by=by, now=now)


@MUTANTS.add("a duplicate replaces itself", trips={DUPLICATES})
class ReplacesItself(_Changing):
    def replace(self, ids: Sequence[UUID], *, by: UUID, now: datetime) -> None:
        super().replace(ids, by=by, now=now)
        if by in ids:
            self.change([by], lambda each: evolve(each, purged_at=now, replaced_by=by))


@MUTANTS.add("a retry replaces again", trips={RETRIES})
class RetryReplaces(InMemoryObservations):
    def add(self, draft: Draft, *, id: UUID, now: datetime) -> Saved:
        saved = super().add(draft, id=id, now=now)
        self.replace(draft.replaces, by=saved.observation.id, now=now)
        return saved


@MUTANTS.add("a restore keeps the link", trips={RESTORES})
class RestoreKeepsLink(_Changing):
    def restore(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        links = {id: self.rows[id].observation.replaced_by for id in ids if id in self.rows}
        done = super().restore(ids, by=by)
        self.change(list(links), lambda each: evolve(each, replaced_by=links[each.id]))
        return done


@MUTANTS.add("an erase leaves links behind", trips={ERASES})
class EraseLeavesLinks(_Changing):
    def erase(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        links = {id: row.observation.replaced_by for id, row in self.rows.items()}
        done = super().erase(ids, by=by)
        self.change(list(links), lambda each: evolve(each, replaced_by=links[each.id]))
        return done


@MUTANTS.add("a merge drops links", trips={MERGES})
class MergeDropsLinks(InMemoryRegistry):
    def merge(self, old: str, new: str, *, by: Signature) -> int:
        rows: list[Row] = list(self.home(old)[1].rows.values())
        moved = super().merge(old, new, by=by)
        for row in rows:
            row.observation = evolve(row.observation, replaced_by=None)
        return moved
