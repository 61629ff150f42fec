"""Faults in text, ids, purges, erases and scopes."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from attrs import evolve

from lamella.domain.audit.signature import Signature
from lamella.domain.memories.observation import Draft, Observation
from lamella.domain.projects.project import Project
from lamella.domain.text.printing import canonical
from lamella.ports.storage.observations import Added, Saved, StatusChange
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.search import InMemorySearch
from lamella_adapters.memory.shelf import Row
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.mutants.broken_storage import BrokenStorage, Mutant, Mutants
from lamella_contracts.mutants.memories.saving import HISTORY, keeping

MUTANTS = Mutants()
KEPT = {"a_purge_keeps_everything", "a_restore_brings_everything_back"}


@MUTANTS.add("a purge wipes changes", trips=KEPT)
class PurgeWipes(InMemoryObservations):
    def purge(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        done = super().purge(ids, by=by)
        for row in [self.rows[id] for id in ids if id in self.rows]:
            row.observation = evolve(row.observation, changes=())
        return done


@MUTANTS.add("a restore renumbers", trips={"a_restore_brings_everything_back"})
class RestoreRenumbers(InMemoryObservations):
    def restore(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        done = super().restore(ids, by=by)
        for id, change in zip(ids, done, strict=True):
            if change is StatusChange.DONE:
                project, shelf = self.storage.home(self.project)
                shelf.place(shelf.rows[id], project)
        return done


class StopsAtFailures(InMemoryObservations):
    """Stops where an id can't be changed; `stops` says whether in a purge or in a restore."""

    stops_when_purging = True

    def _mark(self, ids: Sequence[UUID], *, purged_at: datetime | None, now: datetime) -> tuple[StatusChange, ...]:
        if self.stops_when_purging == (purged_at is not None):
            known = [id in self.rows for id in ids]
            going = ids[: known.index(False)] if False in known else ids
            done = super()._mark(going, purged_at=purged_at, now=now)
            return done + (StatusChange.NOT_FOUND,) * (len(ids) - len(done))
        return super()._mark(ids, purged_at=purged_at, now=now)


@MUTANTS.add("a restore stops at an unknown id", trips={"many_ids_are_one_call", "a_restore_answers_for_each_id"})
class StopsRestoring(StopsAtFailures):
    stops_when_purging = False


@MUTANTS.add("a second purge writes its time", trips={"what_is_already_so_stays_as_it_is", HISTORY})
class WritesTimesAgain(InMemoryObservations):
    def _mark(self, ids: Sequence[UUID], *, purged_at: datetime | None, now: datetime) -> tuple[StatusChange, ...]:
        done = super()._mark(ids, purged_at=purged_at, now=now)
        for row in [self.rows[id] for id in ids if id in self.rows]:
            row.observation = evolve(row.observation, purged_at=purged_at, updated_at=now)
        return done


@MUTANTS.add("no ids are an error", trips={"no_ids_are_no_error"})
class WantsIds(InMemoryObservations):
    def _mark(self, ids: Sequence[UUID], *, purged_at: datetime | None, now: datetime) -> tuple[StatusChange, ...]:
        return (ids[0] and ()) or super()._mark(ids, purged_at=purged_at, now=now)


@MUTANTS.add(
    "an erase is only a purge",
    trips={
        "an_erase_leaves_nothing_in_another_project",
        "what_is_erased_is_gone",
        "what_is_erased_can_be_saved_again",
        "an_erase_answers_for_each_id",
        "an_erase_takes_text_out_of_the_context",
        "nothing_leads_to_what_is_erased",
        HISTORY,
    },
)
class EraseOnlyPurges(InMemoryObservations):
    def erase(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        return self.purge(ids, by=by)


@MUTANTS.add("purged ones can't be erased", trips={"an_erase_answers_for_each_id"})
class ErasesLiveOnly(InMemoryObservations):
    def erase(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        live = [id for id in ids if id in self.rows and not self.rows[id].observation.purged]
        done = dict(zip(live, super().erase(live, by=by), strict=True))
        return tuple(done.pop(id, StatusChange.NOT_FOUND) for id in ids)


@MUTANTS.add(
    "an erase takes the session along",
    trips={"an_erase_leaves_nothing_in_another_project", "an_erase_leaves_the_others"},
)
class ErasesSessions(InMemoryObservations):
    def erase(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        sessions = {self.rows[id].observation.session for id in ids if id in self.rows} - {None}
        along = [id for id, row in self.rows.items() if row.observation.session in sessions and id not in ids]
        return super().erase([*ids, *along], by=by)[: len(ids)]


@MUTANTS.add("a swap only purges", trips={"a_swap_purges_and_restores_at_once"})
class SwapPurgesOnly(InMemoryObservations):
    def swap(
        self, *, purge: Sequence[UUID] = (), restore: Sequence[UUID] = (), **given: Any
    ) -> Mapping[UUID, StatusChange]:
        return {**dict.fromkeys(restore, StatusChange.DONE), **super().swap(purge=purge, **given)}


@MUTANTS.add("a swap leaves no link", trips={"a_swap_purges_and_restores_at_once"})
class SwapLeavesNoLink(InMemoryObservations):
    def swap(self, **given: Any) -> Mapping[UUID, StatusChange]:
        return super().swap(**{**given, "replaced_by": None})


class KeepsFingerprints(InMemoryRegistry):
    """Remembers what was erased."""

    def __init__(self) -> None:
        super().__init__()
        self.erased: dict[bytes, Observation] = {}


class ErasesRowsOnly(InMemoryObservations):
    def add(self, draft: Draft, *, id: UUID, now: datetime) -> Saved:
        storage = self.storage
        assert isinstance(storage, KeepsFingerprints)
        erased = storage.erased.get(draft.fingerprint)
        return Saved(erased, Added.DUPLICATE) if erased else super().add(draft, id=id, now=now)

    def erase(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        storage = self.storage
        assert isinstance(storage, KeepsFingerprints)
        rows = [self.rows[id] for id in ids if id in self.rows]
        storage.erased.update((row.fingerprint, row.observation) for row in rows)
        return super().erase(ids, by=by)


@MUTANTS.add("an erase leaves a journal", trips={"an_erase_leaves_no_byte_in_any_file"})
class Journalling(BrokenStorage):
    """Writes a journal of what is saved, and never empties it."""

    def observations(self, project: str) -> InMemoryObservations:
        journal, scope = self.folder / "journal", self._scope(project)

        class Journal(InMemoryObservations):
            def add(self, draft: Draft, *, id: UUID, now: datetime) -> Saved:
                with journal.open("a", encoding="utf-8") as file:
                    file.write(draft.content)
                return super().add(draft, id=id, now=now)

        return Journal(scope.project, scope.storage)


@MUTANTS.add(
    "any project is known",
    trips={"an_unknown_project_is_refused", "senseless_merges_are_refused", "senseless_splits_are_refused"},
)
class Welcoming(InMemoryRegistry):
    """Knows every project that anyone asks for."""

    def known(self, id: str) -> Project:
        return super().known(id if id in self.projects else next(iter(self.projects)))


class AnyProject(InMemoryObservations):
    """Finds rows by id wherever they are."""

    def _anywhere(self) -> dict[UUID, Row]:
        storage = self.storage
        assert isinstance(storage, InMemoryRegistry)
        return {id: row for shelf in storage.shelves.values() for id, row in shelf.rows.items()}


@MUTANTS.add(
    "ids are read in any project",
    trips={
        "ids_of_another_project_are_unknown",
        "a_split_leaves_what_came_from_elsewhere",
        "a_split_leaves_what_was_saved_since",
    },
)
class ReadsAnyProject(AnyProject):
    def get_all(self, ids: Collection[UUID]) -> Mapping[UUID, Observation]:
        every = self._anywhere()
        return {id: every[id].observation for id in ids if id in every}


@MUTANTS.add("ids are changed in any project", trips={"changes_stay_in_their_project"})
class ChangesAnyProject(AnyProject):
    def _mark(self, ids: Sequence[UUID], *, purged_at: datetime | None, now: datetime) -> tuple[StatusChange, ...]:
        every = self._anywhere()
        foreign = [id for id in ids if id in every and id not in self.rows]
        for id in foreign:
            every[id].observation = evolve(every[id].observation, purged_at=purged_at, updated_at=now)
        done = super()._mark(ids, purged_at=purged_at, now=now)
        return tuple(StatusChange.DONE if id in foreign else change for id, change in zip(ids, done, strict=True))


@MUTANTS.add(
    "titles are pasted into a statement", trips={"hostile_text_is_found_by_itself", "any_query_has_an_answer"}
)
class PastesText(InMemorySearch):
    """Finds no title with a quote or a bracket in it."""

    def find(self, query: Any) -> Any:
        if set("'\"(") & set(canonical(getattr(query.selector, "part", ""))):
            raise SyntaxError(query.selector.part)
        return super().find(query)


def _cut(text: str) -> str:
    return text.split("\x01", maxsplit=1)[0] or text


MUTANTS += (
    Mutant(
        fault="content is trimmed",
        observations=keeping(content=lambda draft: draft.content.strip()),
        trips={
            "hostile_content_comes_back_verbatim",
            "other_words_are_no_duplicate",
            "large_text_comes_back_whole",
        },
    ),
    Mutant(
        fault="the actor is cut at a control",
        observations=keeping(actor=lambda draft: _cut(draft.actor)),
        trips={"hostile_text_comes_back_in_every_field"},
    ),
    Mutant(
        fault="replacement characters are dropped",
        observations=keeping(content=lambda draft: draft.content.replace("\ufffd", "")),
        trips={"what_cannot_be_stored_arrives_as_replacement_characters"},
    ),
    Mutant(
        fault="content is cut at 64 KB",
        observations=keeping(content=lambda draft: draft.content[:65_536]),
        trips={"large_text_comes_back_whole"},
    ),
    Mutant(
        fault="a purge stops at an unknown id",
        observations=StopsAtFailures,
        trips={"many_ids_are_one_call", "a_purge_answers_for_each_id"},
    ),
    Mutant(
        fault="an erase keeps the fingerprint",
        observations=ErasesRowsOnly,
        registry=KeepsFingerprints,
        trips={"an_erase_leaves_nothing_in_another_project", "what_is_erased_can_be_saved_again"},
    ),
)
