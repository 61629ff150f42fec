"""Faults in finding what was said before."""

from datetime import datetime
from uuid import UUID

from attrs import evolve

from lamella.domain.memories.observation import Draft
from lamella.ports.storage.observations import Added, Saved
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.shelf import Row
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.mutants.broken_storage import Mutant, Mutants
from lamella_contracts.mutants.memories.saving import HISTORY

MUTANTS = Mutants()


class Looking(InMemoryObservations):
    """Looks for what was saved before by a rule of its own."""

    def same(self, draft: Draft, rows: list[Row]) -> Saved | None:
        """Return the equal observations that were saved before."""
        raise NotImplementedError

    def add(self, draft: Draft, *, id: UUID, now: datetime) -> Saved:
        with self.lock:
            found = self.same(draft, list(self.rows.values()))
            if found is not None:
                if found.added is Added.DUPLICATE:
                    self.replace(draft.replaces, by=found.observation.id, now=now)
                return found
            unlike = evolve(draft, content=f"{draft.content} {id}", request=None)
            saved = super().add(unlike, id=id, now=now)
            observation = evolve(saved.observation, content=draft.content)
            self.rows[id] = Row(observation, draft.fingerprint, draft.request)
            return Saved(observation, Added.NEW)


class Rule(Looking):
    """Correct rule for duplicates, in steps that can be broken one at a time."""

    def same(self, draft: Draft, rows: list[Row]) -> Saved | None:
        return self.retry(draft, rows) or self.duplicate(draft, rows)

    def retry(self, draft: Draft, rows: list[Row]) -> Saved | None:
        found = [row for row in rows if self.like(row, draft) and draft.request is not None]
        found = [row for row in found if row.request == draft.request]
        return Saved(found[0].observation, Added.RETRY) if found else None

    def duplicate(self, draft: Draft, rows: list[Row]) -> Saved | None:
        found = [row for row in rows if self.like(row, draft) and not row.observation.purged]
        return Saved(found[0].observation, Added.DUPLICATE) if found else None

    def like(self, row: Row, draft: Draft) -> bool:
        return row.fingerprint == draft.fingerprint


@MUTANTS.add("the fingerprint ignores the source", trips={"other_words_are_no_duplicate"})
class IgnoresSource(Rule):
    def like(self, row: Row, draft: Draft) -> bool:
        return row.fingerprint == evolve(draft, source=row.observation.source).fingerprint


@MUTANTS.add("the kind takes part in the fingerprint", trips={"who_and_when_make_no_difference"})
class ComparesKind(Rule):
    def like(self, row: Row, draft: Draft) -> bool:
        return row.fingerprint == draft.fingerprint and row.observation.kind is draft.kind


@MUTANTS.add("the order of paths takes part in the fingerprint", trips={"the_order_of_paths_makes_no_difference"})
class ComparesTheOrderOfPaths(Rule):
    def like(self, row: Row, draft: Draft) -> bool:
        paths = [each.path for each in row.observation.changes]
        return super().like(row, draft) and paths == [each.path for each in draft.changes]


@MUTANTS.add(
    "purged ones are duplicates",
    trips={"a_duplicate_of_a_purged_one_is_new", "no_request_is_no_retry", "a_retry_is_told_before_a_duplicate"},
)
class ComparesPurged(Rule):
    def duplicate(self, draft: Draft, rows: list[Row]) -> Saved | None:
        found = [row for row in rows if self.like(row, draft)]
        return Saved(found[0].observation, Added.DUPLICATE) if found else None


@MUTANTS.add("the last of several is the duplicate", trips={"the_first_of_several_is_the_duplicate"})
class TellsTheLastDuplicate(Rule):
    def duplicate(self, draft: Draft, rows: list[Row]) -> Saved | None:
        return super().duplicate(draft, rows[::-1])


@MUTANTS.add(
    "duplicates are stored",
    trips={
        "the_order_of_paths_makes_no_difference",
        "a_duplicate_stores_nothing",
        "merged_requests_are_still_known",
        "racing_duplicates_become_one",
        "sequence_rises_with_each_save",
        "the_first_of_several_is_the_duplicate",
        "who_and_when_make_no_difference",
        HISTORY,
    },
)
class StoresDuplicates(Rule):
    def duplicate(self, draft: Draft, rows: list[Row]) -> Saved | None:
        super().duplicate(draft, rows)
        return None


@MUTANTS.add("the request alone decides", trips={"the_same_request_with_other_words_is_new"})
class RequestAlone(Rule):
    def retry(self, draft: Draft, rows: list[Row]) -> Saved | None:
        found = [row for row in rows if draft.request is not None and row.request == draft.request]
        return Saved(found[0].observation, Added.RETRY) if found else None


@MUTANTS.add(
    "requests of purged ones are forgotten", trips={"no_request_is_no_retry", "a_retry_after_a_purge_stays_purged"}
)
class RequestsOfLiveOnly(Rule):
    def retry(self, draft: Draft, rows: list[Row]) -> Saved | None:
        return super().retry(draft, [row for row in rows if not row.observation.purged])


@MUTANTS.add(
    "no request is a request",
    trips={
        "the_order_of_paths_makes_no_difference",
        "no_request_is_no_retry",
        "a_duplicate_of_a_purged_one_is_new",
        "a_duplicate_stores_nothing",
        "racing_duplicates_become_one",
        "who_and_when_make_no_difference",
    },
)
class NoRequestIsARequest(Rule):
    def retry(self, draft: Draft, rows: list[Row]) -> Saved | None:
        found = [row for row in rows if self.like(row, draft) and row.request == draft.request]
        return Saved(found[0].observation, Added.RETRY) if found else None


@MUTANTS.add(
    "a duplicate is told before a retry",
    trips={
        "long_keys_are_told_apart",
        "a_retry_gives_the_first_save",
        "a_retry_is_told_before_a_duplicate",
        "merged_requests_are_still_known",
    },
)
class DuplicateFirst(Rule):
    def same(self, draft: Draft, rows: list[Row]) -> Saved | None:
        return self.duplicate(draft, rows) or self.retry(draft, rows)


@MUTANTS.add(
    "the first one is never called new",
    trips={
        "an_erase_leaves_nothing_in_another_project",
        "the_order_of_paths_makes_no_difference",
        "a_new_one_is_called_new",
        "a_duplicate_stores_nothing",
        "merged_requests_are_still_known",
        "other_words_are_no_duplicate",
        "projects_may_say_the_same",
        "racing_duplicates_become_one",
        "what_is_erased_can_be_saved_again",
        "who_and_when_make_no_difference",
    },
)
class NeverSaysNew(InMemoryObservations):
    def add(self, draft: Draft, *, id: UUID, now: datetime) -> Saved:
        saved = super().add(draft, id=id, now=now)
        return Saved(saved.observation, Added.RETRY if len(self.rows) == 1 else saved.added)


@MUTANTS.add(
    "fingerprints are those of the storage",
    # The others save the same words in two projects, to compare them.
    trips={
        "an_erase_leaves_nothing_in_another_project",
        "statistics_forget_what_is_erased",
        "statistics_forget_what_moved_away",
        "projects_may_say_the_same",
        "merged_memories_are_found",
        "purged_hits_are_ranked_among_themselves",
        "statistics_are_those_of_live_ones",
    },
)
class GlobalFingerprints(Rule):
    def same(self, draft: Draft, rows: list[Row]) -> Saved | None:
        del rows
        storage = self.storage
        assert isinstance(storage, InMemoryRegistry)
        return super().same(draft, [row for shelf in storage.shelves.values() for row in shelf.rows.values()])


MUTANTS += (Mutant(fault="nothing is wrong", observations=Rule, trips=()),)
