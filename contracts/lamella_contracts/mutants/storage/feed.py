"""Faults in the feed of changes."""

from collections.abc import Collection, Mapping

from attrs import evolve

from lamella.domain.errors import UnknownProjectError
from lamella.ports.storage.feed import Change, FeedState, Mark
from lamella.ports.storage.storage import Capability
from lamella_adapters.memory.feed import InMemoryFeed
from lamella_adapters.memory.shelf import Shelf
from lamella_contracts.mutants.broken_storage import Mutant, Mutants, declaring

MUTANTS = Mutants()

CHANGED, WHOLE, PAGES, STATE = (
    "the_feed_brings_what_has_changed",
    "the_feed_brings_arrivals_whole",
    "the_feed_is_read_in_pages",
    "a_state_changes_with_each_change",
)
OFF, MERGED, UNKNOWN = (
    "memory_that_is_off_has_no_state",
    "the_feed_follows_merges",
    "a_feed_of_an_unknown_project_is_refused",
)


@MUTANTS.add("what is known comes again", trips={CHANGED, PAGES, MERGED})
class BringsAll(InMemoryFeed):
    def after(self, project: str, mark: Mark, *, limit: int) -> tuple[Change, ...]:
        del mark
        return super().after(project, Mark(), limit=limit)


@MUTANTS.add("only what is new comes", trips={CHANGED, WHOLE, PAGES})
class BringsNew(InMemoryFeed):
    """Goes by the sequence alone."""

    def after(self, project: str, mark: Mark, *, limit: int) -> tuple[Change, ...]:
        changes = super().after(project, Mark(), limit=10**6)
        later = sorted(changes, key=lambda each: each.mark.sequence)
        return tuple(each for each in later if each.mark.sequence > mark.sequence)[:limit]


@MUTANTS.add("a page ends a revision", trips={PAGES})
class SkipsTheRest(InMemoryFeed):
    """Goes on with the next revision."""

    def after(self, project: str, mark: Mark, *, limit: int) -> tuple[Change, ...]:
        return super().after(project, evolve(mark, sequence=10**6 * (mark.revision >= 0)), limit=limit)


@MUTANTS.add("a page has no end", trips={CHANGED, PAGES})
class KnowsNoLimit(InMemoryFeed):
    def after(self, project: str, mark: Mark, *, limit: int) -> tuple[Change, ...]:
        del limit
        return super().after(project, mark, limit=10**6)


@MUTANTS.add("requests stay behind", trips={WHOLE})
class WithoutRequests(InMemoryFeed):
    def after(self, project: str, mark: Mark, *, limit: int) -> tuple[Change, ...]:
        changes = super().after(project, mark, limit=limit)
        return tuple(evolve(each, arrival=evolve(each.arrival, request=None)) for each in changes)


@MUTANTS.add("the lines of aged edits stay behind", trips={WHOLE})
class WithoutLines(InMemoryFeed):
    def after(self, project: str, mark: Mark, *, limit: int) -> tuple[Change, ...]:
        changes = super().after(project, mark, limit=limit)
        return tuple(evolve(each, arrival=evolve(each.arrival, lines=())) for each in changes)


@MUTANTS.add("an erase is no change", trips={STATE})
class OverlooksErasing(InMemoryFeed):
    """Has the revision of the latest change that it brings."""

    def state(self, home: str) -> FeedState | None:
        found = super().state(home)
        marks = [each.mark.revision for each in super().after(home, Mark(), limit=10**6)]
        return None if found is None else evolve(found, revision=max(marks, default=0))


@MUTANTS.add("purged ones are not counted", trips={STATE})
class CountsTheLive(InMemoryFeed):
    def state(self, home: str) -> FeedState | None:
        found, rows = super().state(home), self.storage.shelves[home].rows.values()
        live = sum(not row.observation.purged for row in rows)
        return None if found is None else evolve(found, observations=live)


@MUTANTS.add("all projects are told of", trips={STATE})
class TellsOfAll(InMemoryFeed):
    def states(self, projects: Collection[str]) -> Mapping[str, FeedState]:
        return super().states([*projects, *self.storage.projects])


@MUTANTS.add("a project that is off is told of", trips={OFF})
class TellsOfTheSilent(InMemoryFeed):
    def state(self, home: str) -> FeedState | None:
        shelf: Shelf = self.storage.shelves[home]
        shelf.notice()
        name = self.storage.projects[home].name
        return FeedState(project=home, name=name, revision=shelf.revision, observations=len(shelf.rows))


@MUTANTS.add("merges are not followed", trips={MERGED})
class StaysBehind(InMemoryFeed):
    def states(self, projects: Collection[str]) -> Mapping[str, FeedState]:
        found = {id: self.state(id) for id in projects if id in self.storage.projects}
        return {id: each for id, each in found.items() if each is not None}


@MUTANTS.add("an unknown project has no changes", trips={UNKNOWN})
class EmptyForTheUnknown(InMemoryFeed):
    def after(self, project: str, mark: Mark, *, limit: int) -> tuple[Change, ...]:
        try:
            return super().after(project, mark, limit=limit)
        except UnknownProjectError:
            return ()


MUTANTS.append(
    Mutant(
        fault="a feed is there that was not declared",
        storage=declaring(frozenset(Capability) - {Capability.DURABLE, Capability.FEED}),
        trips={CHANGED, WHOLE, PAGES, STATE, OFF, UNKNOWN},
        refuses=True,
    )
)
