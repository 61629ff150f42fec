"""Faults in the entries of an audit trail."""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID, uuid4

from attrs import evolve

from lamella.domain.audit.entry import Action, Entry
from lamella.domain.audit.signature import Signature
from lamella.domain.exchange.arrival import Arrival
from lamella.ports.storage.observations import StatusChange, TakenOver
from lamella.ports.storage.storage import Capability
from lamella_adapters.memory.audit import InMemoryAuditTrail
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_contracts.contracts import AuditTrailContract
from lamella_contracts.mutants.audit.moves import ERASED_THERE, MOVES
from lamella_contracts.mutants.broken_storage import DurableStorage, Mutant, Mutants, without
from lamella_contracts.mutants.fault import naming_clauses

MUTANTS = Mutants()
CLOCK = "a_clock_that_was_set_back_does_not_change_the_order"
CHANGES, EDIT, SWAP = "changes_are_entries_newest_first", "an_edit_is_one_entry", "a_swap_is_one_entry"
ELSEWHERE, BATCHES = "entries_from_elsewhere_are_taken_over_once", "an_import_of_several_batches_is_one_entry"
ERASED = "what_is_erased_leaves_the_trail"
ABOUT = "the_trail_of_a_memory_is_read_with_few_names"
PAGES, SAID = "the_trail_is_read_in_pages", "who_made_a_change_comes_back_as_given"
IMPORTS = "an_import_names_what_it_adds"
NUMBERS = "numbers_rise_with_time"
RESTART = "the_trail_survives_a_restart"


def noting(note: Callable[..., Any]) -> type[InMemoryObservations]:
    """Return observations that note changes as `note` does: it gets the original and what that is given."""

    class Noting(InMemoryObservations):
        def note(self, action: Action, by: Signature, **fields: Any) -> None:
            note(super().note, action, by, **fields)

    return Noting


def reading(changed: Callable[[Sequence[Entry]], Sequence[Entry]]) -> type[InMemoryAuditTrail]:
    """Return a trail whose entries are `changed` when they are read."""

    class Reading(InMemoryAuditTrail):
        def entries(self, **asked: Any) -> tuple[Entry, ...]:
            return tuple(changed(super().entries(**asked)))

    return Reading


def ignoring(argument: str) -> type[InMemoryAuditTrail]:
    """Return a trail that ignores what it is asked for."""

    class Ignoring(InMemoryAuditTrail):
        def entries(self, **asked: Any) -> tuple[Entry, ...]:
            return super().entries(**{**asked, argument: None})

    return Ignoring


def _notes_always(note: Callable[..., Any], action: Action, by: Signature, **fields: Any) -> None:
    note(action, by, **fields)
    if not any(fields.values()):
        note(action, by, count=1)


def _notes_edits_as_purges(note: Callable[..., Any], action: Action, by: Signature, **fields: Any) -> None:
    note(Action.PURGE if action is Action.EDIT and "added" in fields else action, by, **fields)


def _notes_halves(note: Callable[..., Any], action: Action, by: Signature, **fields: Any) -> None:
    if fields.get("purged") and fields.get("restored"):
        note(Action.PURGE, by, purged=fields.pop("purged"))
        action = Action.RESTORE
    note(action, by, **fields)


def _forgets_who(note: Callable[..., Any], action: Action, by: Signature, **fields: Any) -> None:
    note(action, evolve(by, author=None), **fields)


def _cuts(note: Callable[..., Any], action: Action, by: Signature, **fields: Any) -> None:
    note(action, evolve(by, author=by.author and by.author.split("\u202e")[0]), **fields)


@MUTANTS.add("an entry is written before it is checked", trips={"what_changes_nothing_is_no_entry"})
class NotesRefused(InMemoryObservations):
    def replace(self, ids: Sequence[UUID], *, by: UUID, now: Any) -> None:
        if len(ids) > 1:
            self.note(Action.EDIT, Signature(at=now, actor="user"), purged=tuple(ids)[:1])
            super().replace(ids, by=by, now=now)
            del self.shelf.audit[next(reversed(self.shelf.audit))]
            return
        super().replace(ids, by=by, now=now)


@MUTANTS.add("an erase has no entry", trips={ERASED})
class ErasesUnseen(InMemoryObservations):
    def note(self, action: Action, by: Signature, **fields: Any) -> None:
        if action is not Action.ERASE:
            super().note(action, by, **fields)


@MUTANTS.add("erased ids stay", trips={ERASED, ERASED_THERE})
class KeepsErased(InMemoryObservations):
    def erase(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        before = {shelf: dict(each.audit) for shelf, each in self.storage.shelves.items()}
        done = super().erase(ids, by=by)
        for shelf, each in before.items():
            self.storage.shelves[shelf].audit.update(each)
        return done


@MUTANTS.add("erased ids stay elsewhere", trips={ERASED_THERE})
class KeepsErasedElsewhere(InMemoryObservations):
    def erase(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        before = {id: dict(each.audit) for id, each in self.storage.shelves.items() if each is not self.shelf}
        done = super().erase(ids, by=by)
        for id, each in before.items():
            self.storage.shelves[id].audit.update(each)
        return done


@MUTANTS.add("a page begins with the one before", trips={PAGES})
class PagesOverlap(InMemoryAuditTrail):
    def entries(self, *, before: int | None = None, limit: int, **chosen: Any) -> tuple[Entry, ...]:
        after = super().entries(before=before, limit=limit, **chosen)
        known = [each for each in super().entries(limit=100) if each.number == before]
        return (*known, *after)[:limit]


@MUTANTS.add("an unknown number begins anew", trips={PAGES})
class BeginsAnew(InMemoryAuditTrail):
    def entries(self, *, before: int | None = None, limit: int, **chosen: Any) -> tuple[Entry, ...]:
        known = [each.number for each in super().entries(limit=100)]
        return super().entries(before=before if before in known else None, limit=limit, **chosen)


@MUTANTS.add("what is taken over is added again", trips={ELSEWHERE, BATCHES})
class AddsAgain(InMemoryAuditTrail):
    def add(self, entries: Sequence[Entry]) -> None:
        super().add([evolve(each, id=uuid4()) for each in entries])


@MUTANTS.add("entries have numbers as they arrive", trips={ELSEWHERE, NUMBERS})
class NumbersOfArrival(InMemoryAuditTrail):
    def add(self, entries: Sequence[Entry]) -> None:
        shelf = self.observations.shelf
        numbers = {id: entry.number for id, (_, entry) in shelf.audit.items()}
        super().add(entries)
        for id, (origin, entry) in shelf.audit.items():
            if id in numbers:
                shelf.audit[id] = (origin, evolve(entry, number=numbers[id]))


@MUTANTS.add("numbers are used again", trips={NUMBERS})
class NumbersAgain(InMemoryAuditTrail):
    def add(self, entries: Sequence[Entry]) -> None:
        super().add(entries)
        shelf = self.observations.shelf
        for number, each in enumerate(reversed(shelf.entries()), 1):
            shelf.audit[each.id] = (shelf.audit[each.id][0], evolve(each, number=number))


@MUTANTS.add("what is taken over comes first", trips={ELSEWHERE})
class TakesOverAsNew(InMemoryAuditTrail):
    def add(self, entries: Sequence[Entry]) -> None:
        latest = max((each.by.at for each in self.entries(limit=100)), default=None)
        super().add([evolve(each, by=evolve(each.by, at=latest or each.by.at)) for each in entries])


@MUTANTS.add("unknown memories are taken over", trips={ELSEWHERE, BATCHES})
class NamesUnknown(InMemoryAuditTrail):
    def add(self, entries: Sequence[Entry]) -> None:
        super().add(entries)
        shelf = self.observations.shelf
        for each in entries:
            origin, known = shelf.audit[each.id]
            shelf.audit[each.id] = (origin, evolve(known, added=tuple(dict.fromkeys((*known.added, *each.added)))))


@MUTANTS.add("a second batch takes the place of the first", trips={BATCHES})
class Replaces(InMemoryAuditTrail):
    def add(self, entries: Sequence[Entry]) -> None:
        for each in entries:
            self.observations.shelf.audit.pop(each.id, None)
        super().add(entries)


@MUTANTS.add("a second batch is not counted", trips={BATCHES})
class CountsTheFirst(InMemoryAuditTrail):
    def add(self, entries: Sequence[Entry]) -> None:
        shelf = self.observations.shelf
        counts = {id: entry.count for id, (_, entry) in shelf.audit.items()}
        super().add(entries)
        for id, count in counts.items():
            origin, entry = shelf.audit[id]
            shelf.audit[id] = (origin, evolve(entry, count=count))


@MUTANTS.add("each opening begins anew", trips={RESTART})
class Forgetful(DurableStorage):
    """Says that it keeps things, and begins anew each time."""

    def restarted(self) -> None:
        for shelf in self.registry.shelves.values():
            shelf.audit.clear()


MUTANTS += (
    Mutant(
        fault="what changes nothing is noted",
        observations=noting(_notes_always),
        trips={"what_changes_nothing_is_no_entry", ERASED},
    ),
    Mutant(fault="an edit is noted as a purge", observations=noting(_notes_edits_as_purges), trips={EDIT}),
    Mutant(fault="a swap is two entries", observations=noting(_notes_halves), trips={SWAP}),
    Mutant(fault="authors are not noted", observations=noting(_forgets_who), trips={CHANGES, EDIT, SAID}),
    Mutant(fault="authors are cut at a control", observations=noting(_cuts), trips={SAID}),
    Mutant(fault="entries about others are told too", audit=ignoring("memory"), trips={ABOUT}),
    Mutant(fault="all memories are named", audit=ignoring("names"), trips={ABOUT}),
    Mutant(
        fault="the oldest entry is first",
        audit=reading(lambda entries: entries[::-1]),
        trips={CHANGES, EDIT, SWAP, ERASED, PAGES, ABOUT, CLOCK, ELSEWHERE, NUMBERS, MOVES},
    ),
    Mutant(
        fault="the audit trail is not declared",
        refuses=True,
        storage=without(Capability.AUDIT),
        trips=naming_clauses(AuditTrailContract),
    ),
)


@MUTANTS.add("an import has no entry", trips={IMPORTS})
class ImportsUnnoticed(InMemoryObservations):
    def take_over(self, arrivals: Sequence[Arrival], *, entry: Entry | None = None) -> tuple[TakenOver, ...]:
        del entry
        return super().take_over(arrivals)


@MUTANTS.add("the entry of an import names what was known", trips={IMPORTS})
class ClaimsWhatWasKnown(InMemoryObservations):
    def take_over(self, arrivals: Sequence[Arrival], *, entry: Entry | None = None) -> tuple[TakenOver, ...]:
        outcomes = super().take_over(arrivals)
        if entry is not None:
            project, shelf = self.storage.home(self.project)
            shelf.extend(project, entry, tuple(each.observation.id for each in arrivals))
        return outcomes
