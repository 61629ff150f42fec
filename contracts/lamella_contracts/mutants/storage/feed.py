"""Faults in the feed of changes."""

from attrs import evolve

from lamella.domain.errors import UnknownProjectError
from lamella.ports.storage.feed import Change, FeedState, Mark
from lamella_adapters.memory.feed import InMemoryFeed
from lamella_contracts.mutants.broken_storage import storage_mutants

MUTANTS = storage_mutants()


@MUTANTS.add(
    "the mark of the feed is ignored",
    "the_feed_brings_what_has_changed",
    "the_feed_follows_merges",
    "the_feed_is_read_in_pages",
)
class BringsAll(InMemoryFeed):
    def after(self, project: str, mark: Mark, *, limit: int) -> tuple[Change, ...]:
        del mark
        return super().after(project, Mark(), limit=limit)


@MUTANTS.add("the feed omits requests", "the_feed_brings_arrivals_whole")
class WithoutRequests(InMemoryFeed):
    def after(self, project: str, mark: Mark, *, limit: int) -> tuple[Change, ...]:
        changes = super().after(project, mark, limit=limit)
        return tuple(evolve(each, arrival=evolve(each.arrival, request=None)) for each in changes)


@MUTANTS.add("an erase keeps the revision", "a_state_changes_with_each_change")
class OverlooksErasing(InMemoryFeed):
    """Has the revision of the latest change in its feed."""

    def state(self, home: str) -> FeedState | None:
        found = super().state(home)
        marks = [each.mark.revision for each in super().after(home, Mark(), limit=10**6)]
        return None if found is None else evolve(found, revision=max(marks, default=0))


@MUTANTS.add("an unknown project has an empty feed", "an_unknown_project_is_refused")
class EmptyForTheUnknown(InMemoryFeed):
    def after(self, project: str, mark: Mark, *, limit: int) -> tuple[Change, ...]:
        try:
            return super().after(project, mark, limit=limit)
        except UnknownProjectError:
            return ()
