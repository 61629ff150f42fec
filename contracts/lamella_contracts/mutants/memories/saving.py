"""Faults in saving."""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta, timezone
from typing import Any
from uuid import UUID

from attrs import evolve

from lamella.domain.memories.observation import CodeChange, Draft, Kind, Observation
from lamella.ports.storage.observations import Added, Saved
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.shelf import Shelf
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.fixtures.project import MINUTE, START
from lamella_contracts.mutants.broken_storage import Mutant, Mutants

MUTANTS = Mutants()

HISTORY = "any_history_agrees_with_the_model"


def keeping(**changes: Any) -> type[InMemoryObservations]:
    """Saves drafts with fields changed: each value is a function of the draft."""

    class Keeping(InMemoryObservations):
        def add(self, draft: Draft, *, id: UUID, now: datetime) -> Saved:
            changed = {name: change(draft) for name, change in changes.items()}
            return super().add(evolve(draft, **changed), id=id, now=now)

    return Keeping


@MUTANTS.add("times are local", trips={"times_are_aware_and_in_utc"})
class ReadsLocalTimes(InMemoryObservations):
    def get_all(self, ids: Collection[UUID]) -> Mapping[UUID, Observation]:
        zone = timezone(timedelta(hours=2))
        return {
            id: evolve(
                each, created_at=each.created_at.astimezone(zone), occurred_at=each.occurred_at.astimezone(zone)
            )
            for id, each in super().get_all(ids).items()
        }


class BurnsSequence(InMemoryObservations):
    """Leaves gaps, which is right."""

    def add(self, draft: Draft, *, id: UUID, now: datetime) -> Saved:
        saved = super().add(draft, id=id, now=now)
        self.storage.home(self.project)[1].last_sequence += 3
        return saved


@MUTANTS.add("sequence numbers go by time", trips={"sequence_rises_with_each_save"})
class SequenceOfTime(InMemoryObservations):
    """Makes the sequence number of the time of the save."""

    def add(self, draft: Draft, *, id: UUID, now: datetime) -> Saved:
        shelf = self.storage.home(self.project)[1]
        shelf.last_sequence = (now - START) // MINUTE + 10_000
        return super().add(draft, id=id, now=now)


@MUTANTS.add("sequence numbers are reused after an erase", trips={"sequence_numbers_are_never_reused"})
class ReusesSequence(InMemoryObservations):
    def add(self, draft: Draft, *, id: UUID, now: datetime) -> Saved:
        shelf = self.storage.home(self.project)[1]
        shelf.last_sequence = max((row.observation.sequence for row in shelf.rows.values()), default=0)
        return super().add(draft, id=id, now=now)


@MUTANTS.add(
    "the moment follows a clock set back",
    trips={
        "moment_never_falls_behind",
        "purged_ones_count_for_the_moment",
        "since_goes_by_the_moment",
        "equal_moments_are_ordered_by_sequence",
        "neighbours_are_ordered_by_moment_and_sequence",
        "around_is_ordered_by_moment_and_sequence",
    },
)
class MomentIsTheClock(InMemoryObservations):
    def add(self, draft: Draft, *, id: UUID, now: datetime) -> Saved:
        saved = super().add(draft, id=id, now=now)
        if saved.added is Added.NEW:
            self.rows[id].observation = evolve(saved.observation, occurred_at=now)
        return Saved(self.rows[saved.observation.id].observation, saved.added)


@MUTANTS.add("purged ones don't count for the moment", trips={"purged_ones_count_for_the_moment"})
class MomentOfLiveOnly(InMemoryObservations):
    def add(self, draft: Draft, *, id: UUID, now: datetime) -> Saved:
        saved = super().add(draft, id=id, now=now)
        if saved.added is Added.NEW:
            live = [row.observation.occurred_at for row in self.rows.values() if not row.observation.purged]
            others = sorted(live)[:-1]
            self.rows[id].observation = evolve(saved.observation, occurred_at=max([now, *others]))
        return Saved(self.rows[saved.observation.id].observation, saved.added)


@MUTANTS.add("moments are those of the storage", trips={"each_project_counts_for_itself", HISTORY})
class GlobalMoment(InMemoryObservations):
    """Counts the latest moment of any project."""

    def add(self, draft: Draft, *, id: UUID, now: datetime) -> Saved:
        registry = self.storage
        assert isinstance(registry, InMemoryRegistry)
        rows = [row for shelf in registry.shelves.values() for row in shelf.rows.values()]
        saved = super().add(draft, id=id, now=now)
        if saved.added is Added.NEW:
            moment = max([now, *(row.observation.occurred_at for row in rows)])
            self.rows[id].observation = evolve(saved.observation, occurred_at=moment)
        return Saved(self.rows[saved.observation.id].observation, saved.added)


class GlobalSequence(InMemoryRegistry):
    """One counter for every project, which is right."""

    def home(self, project: str) -> tuple[str, Shelf]:
        id, shelf = super().home(project)
        shelf.last_sequence = max(each.last_sequence for each in self.shelves.values())
        return id, shelf


@MUTANTS.add("a scope keeps what it has read", trips={"scopes_of_one_project_share_its_memories"})
class Caching(InMemoryObservations):
    def get_all(self, ids: Collection[UUID]) -> Mapping[UUID, Observation]:
        cache: dict[UUID, Observation] = self.__dict__.setdefault("cache", {})
        return {id: cache.setdefault(id, each) for id, each in super().get_all(ids).items()}


def _sorted_changes(draft: Draft) -> tuple[CodeChange, ...]:
    return tuple(sorted(draft.changes, key=lambda change: change.path))


@MUTANTS.add("authors say their own", trips={"who_and_when_make_no_difference"})
class AuthorsSayTheirOwn(InMemoryObservations):
    """Counts the author as a part of what is said."""

    def add(self, draft: Draft, *, id: UUID, now: datetime) -> Saved:
        said = draft if draft.author is None else evolve(draft, source=f"{draft.source} by {draft.author}")
        saved = super().add(said, id=id, now=now)
        kept = evolve(saved.observation, source=draft.source)
        self.rows[kept.id].observation = kept
        return Saved(kept, saved.added)


MUTANTS += (
    Mutant(
        fault="the author has no column",
        observations=keeping(author=lambda _: None),
        trips={"every_field_comes_back", "hostile_text_comes_back_in_every_field"},
    ),
    Mutant(
        fault="versions of files have no column",
        observations=keeping(changes=lambda draft: tuple(evolve(each, version=None) for each in draft.changes)),
        trips={"every_field_comes_back", "code_changes_keep_order_and_unknown_counts"},
    ),
    Mutant(
        fault="nobody is an author without a name",
        observations=keeping(author=lambda draft: draft.author or ""),
        trips={"what_is_not_given_stays_absent"},
    ),
    Mutant(
        fault="the kind has no column",
        observations=keeping(kind=lambda _: Kind.NOTE),
        trips={"every_field_comes_back", "kinds_are_counted"},
    ),
    Mutant(
        fault="an empty session is none",
        observations=keeping(session=lambda draft: draft.session or None),
        trips={"what_is_not_given_stays_absent", "a_session_is_taken_exactly"},
    ),
    Mutant(
        fault="code changes are sorted",
        observations=keeping(changes=_sorted_changes),
        trips={"every_field_comes_back", "code_changes_keep_order_and_unknown_counts"},
    ),
    Mutant(fault="sequence numbers have gaps", observations=BurnsSequence, registry=GlobalSequence, trips=()),
    Mutant(
        fault="keys are cut",
        observations=keeping(
            session=lambda draft: draft.session and draft.session[:255],
            request=lambda draft: draft.request and draft.request[:255],
        ),
        trips={"long_keys_are_told_apart"},
    ),
)
