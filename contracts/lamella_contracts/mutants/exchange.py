"""Faults in what comes from another storage, and in what leaves for one."""

from collections.abc import Callable, Collection, Mapping, Sequence
from uuid import UUID

from attrs import evolve

from lamella.domain.audit.entry import Entry
from lamella.domain.conversations.message import MessageDraft
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.memories.observation import Observation
from lamella.domain.projects.project import Project
from lamella.domain.text.marks import memory_mark
from lamella.ports.storage.ledger import Capture, Recorded
from lamella.ports.storage.observations import TakenOver
from lamella_adapters.memory.conversations import InMemoryConversations
from lamella_adapters.memory.ledger import InMemoryLedger
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.shelf import Shelf
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.mutants.broken_storage import Mutants

MUTANTS = Mutants()
CONVERSATIONS = Mutants()
LEDGER = Mutants()

KEPT = "what_is_taken_over_is_as_it_was"
PAGES = "pages_hold_everything_in_order"
KNOWN = "what_is_known_is_not_taken_over"
ERASED = "what_was_erased_stays_away"
ERASED_BEFORE = "what_was_erased_before_a_merge_stays_away"
DROPPED = "lines_that_age_has_dropped_come_along"
FOUND = "what_is_taken_over_is_found"
DUPLICATES = "what_was_taken_over_is_a_duplicate"
SPLITS = "a_split_leaves_what_came_from_elsewhere"
PROJECT = "a_project_is_taken_over_as_it_was"
KNOWN_PROJECT = "a_known_project_is_not_made_again"
MERGED_PROJECT = "a_merged_project_leads_to_where_its_memories_are"
ERASED_ELSEWHERE = "what_was_erased_elsewhere_stays_away"
ERASED_CONVERSATIONS = "conversations_that_were_erased_elsewhere_stay_away"
AMENDED = "captured_edits_are_amended"
MESSAGES = "pages_of_messages_can_be_added_elsewhere"
LINES = "the_ledger_knows_what_was_taken_over"
CAPTURES = "pages_name_the_captures"


class _Changing(InMemoryObservations):
    """Takes something else over than it is given."""

    def take_over(self, arrivals: Sequence[Arrival], *, entry: Entry | None = None) -> tuple[TakenOver, ...]:
        changed = [evolve(each, observation=self.changed(each.observation)) for each in arrivals]
        return super().take_over(changed, entry=entry)

    def changed(self, observation: Observation) -> Observation:
        return observation


@MUTANTS.add("what is taken over is of this project", trips={KEPT})
class LosesTheOrigin(_Changing):
    def changed(self, observation: Observation) -> Observation:
        return evolve(observation, origin=self.project)


@MUTANTS.add("what is taken over is live", trips={KEPT, FOUND, DUPLICATES})
class LosesTheStatus(_Changing):
    def changed(self, observation: Observation) -> Observation:
        return evolve(observation, purged_at=None)


@MUTANTS.add("what is taken over occurs when it was created", trips={KEPT})
class LosesThePlace(_Changing):
    def changed(self, observation: Observation) -> Observation:
        return evolve(observation, occurred_at=observation.created_at)


@MUTANTS.add("what is taken over is in no session", trips={KEPT, FOUND})
class LosesTheSession(_Changing):
    def changed(self, observation: Observation) -> Observation:
        return evolve(observation, session=None)


@MUTANTS.add("what is taken over is in the reverse order", trips={KEPT, PAGES, KNOWN})
class Reverses(InMemoryObservations):
    def take_over(self, arrivals: Sequence[Arrival], *, entry: Entry | None = None) -> tuple[TakenOver, ...]:
        return super().take_over(arrivals[::-1], entry=entry)

    def page(self, *, after: int = 0, limit: int) -> tuple[Arrival, ...]:
        return super().page(after=after, limit=limit)[::-1]


@MUTANTS.add("a page leaves out what is purged", trips={PAGES})
class LeavesOutPurged(InMemoryObservations):
    def page(self, *, after: int = 0, limit: int) -> tuple[Arrival, ...]:
        whole = super().page(after=after, limit=len(self.rows) + limit)
        return tuple(each for each in whole if not each.observation.purged)[:limit]


@MUTANTS.add("a page begins with the one before", trips={PAGES})
class Overlaps(InMemoryObservations):
    def page(self, *, after: int = 0, limit: int) -> tuple[Arrival, ...]:
        return super().page(after=after - 1, limit=limit)


@MUTANTS.add("requests are lost on the way", trips={PAGES, DUPLICATES})
class LosesRequests(InMemoryObservations):
    def take_over(self, arrivals: Sequence[Arrival], *, entry: Entry | None = None) -> tuple[TakenOver, ...]:
        return super().take_over([evolve(each, request=None) for each in arrivals], entry=entry)


@MUTANTS.add("what is known is written over", trips={KNOWN})
class WritesOver(InMemoryObservations):
    def take_over(self, arrivals: Sequence[Arrival], *, entry: Entry | None = None) -> tuple[TakenOver, ...]:
        outcomes = super().take_over(arrivals, entry=entry)
        for each in arrivals:
            row = self.rows[each.observation.id]
            row.observation = evolve(each.observation, sequence=row.observation.sequence)
        return outcomes


@MUTANTS.add("the same words are known", trips={KNOWN})
class ComparesWords(InMemoryObservations):
    def _take_over(self, arrival: Arrival) -> TakenOver:
        live = [row for row in self.rows.values() if not row.observation.purged]
        if arrival.observation.content in [row.observation.content for row in live]:
            return TakenOver.KNOWN
        return super()._take_over(arrival)


@MUTANTS.add("what is purged is known like any", trips={KNOWN})
class KnowsPurged(InMemoryObservations):
    def _outcome(self, id: UUID) -> TakenOver:
        found = super()._outcome(id)
        return TakenOver.KNOWN if found is TakenOver.PURGED else found


@MUTANTS.add("what was erased comes back", trips={ERASED, ERASED_BEFORE})
class BringsBack(InMemoryObservations):
    def _outcome(self, id: UUID) -> TakenOver:
        found = super()._outcome(id)
        return TakenOver.NEW if found is TakenOver.ERASED else found


@MUTANTS.add("what was erased elsewhere comes back", trips={ERASED_ELSEWHERE})
@CONVERSATIONS.add("what was erased elsewhere comes back", trips={ERASED_CONVERSATIONS})
class ForgetsMarks(InMemoryObservations):
    def keep_away(self, marks: Collection[bytes]) -> None:
        del marks


@MUTANTS.add("what is here counts as erased", trips={ERASED_ELSEWHERE})
class CountsAsErased(InMemoryObservations):
    def _outcome(self, id: UUID) -> TakenOver:
        return TakenOver.ERASED if memory_mark(id) in self.shelf.archive.away else super()._outcome(id)


@MUTANTS.add("a merge forgets what was erased", trips={ERASED_BEFORE})
class ForgetsErased(InMemoryRegistry):
    def _transfer(self, shelf: Shelf, to: str, leaves: Callable[[str], bool]) -> int:
        shelf.erased.clear()
        return super()._transfer(shelf, to, leaves)


@MUTANTS.add("fingerprints are lost on the way", trips={DUPLICATES})
class LosesFingerprints(InMemoryObservations):
    def take_over(self, arrivals: Sequence[Arrival], *, entry: Entry | None = None) -> tuple[TakenOver, ...]:
        outcomes = super().take_over(arrivals, entry=entry)
        for each in arrivals:
            self.rows[each.observation.id].fingerprint = b""
        return outcomes


@MUTANTS.add("a split takes along what came from elsewhere", trips={SPLITS})
class TakesAlong(InMemoryRegistry):
    def _transfer(self, shelf: Shelf, to: str, leaves: Callable[[str], bool]) -> int:
        return super()._transfer(shelf, to, lambda origin: origin not in self.projects or leaves(origin))


@MUTANTS.add("a project from elsewhere gets a new id", trips={PROJECT})
class NewIds(InMemoryRegistry):
    def take_over(self, project: Project) -> Project:
        known = project.id in self.projects
        return super().take_over(project if known else evolve(project, id=f"{project.id}-here"))


@MUTANTS.add("a project from elsewhere stays merged", trips={PROJECT})
class StaysMerged(InMemoryRegistry):
    def take_over(self, project: Project) -> Project:
        made = super().take_over(project)
        self.projects[made.id] = evolve(made, moved_to=project.moved_to)
        return self.projects[made.id]


@MUTANTS.add("aliases from elsewhere are ignored", trips={PROJECT, KNOWN_PROJECT})
class IgnoresAliases(InMemoryRegistry):
    def take_over(self, project: Project) -> Project:
        return super().take_over(evolve(project, aliases=()))


@MUTANTS.add("a known project is renamed by one from elsewhere", trips={KNOWN_PROJECT})
class RenamedFromElsewhere(InMemoryRegistry):
    def take_over(self, project: Project) -> Project:
        made = super().take_over(project)
        self.projects[made.id] = evolve(made, name=project.name)
        return self.projects[made.id]


@MUTANTS.add("aliases of others are taken away", trips={KNOWN_PROJECT})
class TakesAliases(InMemoryRegistry):
    def take_over(self, project: Project) -> Project:
        for each in [each for each in self.projects.values() if each.id != project.id]:
            self.projects[each.id] = evolve(each, aliases=tuple(set(each.aliases) - set(project.aliases)))
            self.aliases = {alias: id for alias, id in self.aliases.items() if alias not in project.aliases}
        return super().take_over(project)


@MUTANTS.add("a merged project is taken for itself", trips={MERGED_PROJECT})
class DoesNotFollow(InMemoryRegistry):
    def take_over(self, project: Project) -> Project:
        super().take_over(project)
        return self.projects.get(project.id) or super().take_over(project)


@CONVERSATIONS.add("pages of messages overlap", trips={MESSAGES})
class MessagesOverlap(InMemoryConversations):
    def page(self, *, after: int = 0, limit: int) -> Mapping[int, MessageDraft]:
        return super().page(after=after - 1, limit=limit)


@CONVERSATIONS.add("pages of messages give new keys", trips={MESSAGES})
class NewKeys(InMemoryConversations):
    def page(self, *, after: int = 0, limit: int) -> Mapping[int, MessageDraft]:
        found = super().page(after=after, limit=limit)
        return {number: evolve(draft, key=f"page/{number}") for number, draft in found.items()}


@CONVERSATIONS.add("names are those that are printed", trips={MESSAGES})
class PrintedNames(InMemoryConversations):
    def names(self) -> Mapping[str, str]:
        return {each.id: each.name for each in self.sessions()}


@LEDGER.add("captures from elsewhere are not recorded", trips={LINES, CAPTURES})
class ForgetsCaptures(InMemoryObservations):
    def take_over(self, arrivals: Sequence[Arrival], *, entry: Entry | None = None) -> tuple[TakenOver, ...]:
        before = dict(self.shelf.captured)
        outcomes = super().take_over(arrivals, entry=entry)
        self.shelf.captured = before
        return outcomes


@LEDGER.add("lines from elsewhere are lost", trips={LINES})
class LosesLines(_Changing):
    def changed(self, observation: Observation) -> Observation:
        return evolve(observation, changes=tuple(evolve(each, hunks="") for each in observation.changes))


@LEDGER.add("pages lack the lines of aged edits", trips={DROPPED})
class LacksDropped(InMemoryObservations):
    def page(self, *, after: int = 0, limit: int) -> tuple[Arrival, ...]:
        return tuple(evolve(each, lines=()) for each in super().page(after=after, limit=limit))


@LEDGER.add("captured edits stay as they were", trips={AMENDED})
class NeverAmends(InMemoryObservations):
    def amend(self, arrivals: Sequence[Arrival]) -> None:
        del arrivals


@LEDGER.add("amending puts another in the place", trips={AMENDED})
class PutsInPlace(InMemoryObservations):
    def amend(self, arrivals: Sequence[Arrival]) -> None:
        for each in arrivals:
            if each.observation.id in self.rows:
                self.rows[each.observation.id].observation = each.observation


@LEDGER.add("observations don't keep the request of a capture", trips={CAPTURES})
class LosesCaptures(InMemoryLedger):
    def record(self, captures: Sequence[Capture]) -> tuple[Recorded, ...]:
        outcomes = super().record(captures)
        for each in captures:
            if each.id in self.observations.rows:
                self.observations.rows[each.id].request = None
        return outcomes
