"""Faults that come with rows on a database server: types of columns, collations, NULL, empty lists, limits."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from unicodedata import normalize
from uuid import UUID

from attrs import evolve

from lamella.domain.audit.signature import Signature
from lamella.domain.memories.observation import Draft, Observation
from lamella.domain.memories.query import Hit
from lamella.domain.projects.project import Location, Project
from lamella.ports.storage.observations import Added, Saved, StatusChange
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.shelf import Row
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.mutants.broken_storage import Mutant, Mutants
from lamella_contracts.mutants.memories.saving import keeping

MUTANTS = Mutants()


def reading(change: Callable[[Observation], Observation]) -> type[InMemoryObservations]:
    """Return observations that are changed when they are stored."""

    class Reading(InMemoryObservations):
        def add(self, draft: Draft, *, id: UUID, now: datetime) -> Saved:
            saved = super().add(draft, id=id, now=now)
            if saved.added is Added.NEW:
                self.rows[id].observation = change(saved.observation)
            return Saved(self.rows[saved.observation.id].observation, saved.added)

    return Reading


def _to_milliseconds(time: datetime) -> datetime:
    return time.replace(microsecond=time.microsecond // 1000 * 1000)


@MUTANTS.add("moments are those of the session", trips={"moment_never_falls_behind"})
class MomentOfItsSession(InMemoryObservations):
    """Looks for the latest moment in the session of the draft."""

    def add(self, draft: Draft, *, id: UUID, now: datetime) -> Saved:
        here = [each.occurred_at for each in self.in_order() if each.session == draft.session]
        saved = super().add(draft, id=id, now=now)
        if saved.added is Added.NEW:
            self.rows[id].observation = evolve(saved.observation, occurred_at=max([now, *here]))
        return Saved(self.rows[saved.observation.id].observation, saved.added)


@MUTANTS.add("an empty request is none", trips={"no_request_is_no_retry"})
class EmptyRequestIsNone(InMemoryObservations):
    def add(self, draft: Draft, *, id: UUID, now: datetime) -> Saved:
        return super().add(evolve(draft, request=draft.request or None), id=id, now=now)


@MUTANTS.add("only the latest requests are known", trips={"a_retry_is_known_after_a_thousand_saves"})
class RetriesOfTheLatest(InMemoryObservations):
    """Remembers the latest 500 requests."""

    def add(self, draft: Draft, *, id: UUID, now: datetime) -> Saved:
        for row in list(self.rows.values())[:-500]:
            row.request = None
        return super().add(draft, id=id, now=now)


@MUTANTS.add(
    "erases are answered by id",
    trips={"an_erase_answers_for_each_id", "an_erase_leaves_nothing_in_another_project"},
)
class ErasesInOrderOfId(InMemoryObservations):
    def erase(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        done = dict(zip(reversed(ids), reversed(super().erase(ids, by=by)), strict=True))
        return tuple(done[id] for id in sorted(done))


@MUTANTS.add("an erase of none is an error", trips={"an_erase_answers_for_each_id"})
class ErasesNoEmptyList(InMemoryObservations):
    def erase(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        if not ids:
            raise SyntaxError("IN ()")
        return super().erase(ids, by=by)


@MUTANTS.add(
    "the empty beginning finds nothing",
    trips={
        "a_beginning_of_any_length_finds_its_ids",
        "short_ids_have_eight_digits",
        "short_ids_grow_until_they_are_unique",
        "short_ids_are_short_for_their_project",
    },
)
class NoEmptyBeginning(InMemoryObservations):
    def starting_with(self, prefixes: Sequence[str], *, limit: int) -> Mapping[str, tuple[Hit, ...]]:
        found = super().starting_with(prefixes, limit=limit)
        return {prefix: hits if prefix else () for prefix, hits in found.items()}


@MUTANTS.add("a call purges a hundred", trips={"many_ids_are_one_call"})
class PurgesAtMost(InMemoryObservations):
    """Takes the first hundred ids of a call."""

    def _mark(self, ids: Sequence[UUID], *, purged_at: datetime | None, now: datetime) -> tuple[StatusChange, ...]:
        done = super()._mark(ids[:100], purged_at=purged_at, now=now)
        return done + (StatusChange.NOT_FOUND,) * (len(ids) - len(done))


@MUTANTS.add("projects are listed without case", trips={"projects_are_listed_by_name_and_id"})
class ListsByLocale(InMemoryRegistry):
    """Orders names as people do: without case."""

    def all(self) -> tuple[Project, ...]:
        return tuple(sorted(super().all(), key=lambda each: (each.name.lower(), each.id)))


@MUTANTS.add("aliases are cut", trips={"long_places_are_told_apart"})
class CutsKeys(InMemoryRegistry):
    def _cut(self, location: Location) -> Location:
        return evolve(location, key=location.key[:255])

    def at(self, location: Location, *, now: datetime) -> Project:
        return super().at(self._cut(location), now=now)

    def living_at(self, location: Location) -> Project | None:
        return super().living_at(self._cut(location))


@MUTANTS.add("one merge is followed", trips={"merges_are_followed_all_the_way"})
class FollowsOneMerge(InMemoryRegistry):
    """Joins the project that another was merged into, and not the next one."""

    def _followed(self, project: Project) -> Project:
        return project if project.moved_to is None else self.projects[project.moved_to]


@MUTANTS.add("a merge loses the order of saving", trips={"a_merge_moves_memories"})
class MergesInOrderOfTitle(InMemoryRegistry):
    """Moves rows in another order than that of their sequence."""

    def _move(self, shelf: Any, target: str, rows: list[Row]) -> int:
        return super()._move(shelf, target, sorted(rows, key=lambda row: row.observation.title, reverse=True))


@MUTANTS.add("a merge writes its time", trips={"a_merge_moves_memories", "a_split_keeps_the_present_state"})
class MergeSetsTimes(InMemoryRegistry):
    """Writes moved rows with the time of their arrival."""

    def _move(self, shelf: Any, target: str, rows: list[Row]) -> int:
        moved = super()._move(shelf, target, rows)
        for row in rows:
            row.observation = evolve(row.observation, updated_at=datetime.now(UTC))
        return moved


@MUTANTS.add("a merge leaves copies", trips={"an_erase_leaves_nothing_in_another_project"})
class KeepsCopies(InMemoryRegistry):
    """Copies rows in a merge, and takes the copies back in a split where the present ones are missing."""

    def __init__(self) -> None:
        super().__init__()
        self.copies: dict[str, list[Row]] = {}

    def merge(self, old: str, new: str, *, by: Signature) -> int:
        left = list(self.shelves[old].rows.values()) if old in self.shelves else []
        moved = super().merge(old, new, by=by)
        self.copies.setdefault(old, []).extend(left)
        return moved

    def split(self, old: str, *, by: Signature) -> int:
        moved = super().split(old, by=by)
        for row in self.copies.pop(old, []):
            self.shelves[old].rows.setdefault(row.observation.id, row)
        return moved


MUTANTS += (
    Mutant(
        fault="times have milliseconds",
        observations=reading(lambda each: evolve(each, created_at=_to_milliseconds(each.created_at))),
        trips={"every_field_comes_back", "moment_never_falls_behind", "scores_are_exact"},
    ),
    Mutant(
        fault="text is normalised",
        observations=keeping(content=lambda draft: normalize("NFC", draft.content)),
        trips={"hostile_content_comes_back_verbatim"},
    ),
    Mutant(
        fault="backslashes escape",
        observations=keeping(title=lambda draft: draft.title.replace("\\\\", "\\")),
        trips={"hostile_text_comes_back_in_every_field", "hostile_text_is_found_by_itself"},
    ),
)
