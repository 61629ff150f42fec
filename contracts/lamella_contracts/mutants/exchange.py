"""Faults in what comes from another storage, and in what leaves for one."""

from collections.abc import Callable, Mapping

from attrs import evolve

from lamella.domain.conversations.message import MessageDraft
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.projects.project import Project
from lamella.domain.transactions.plan import RememberRequest
from lamella_adapters.memory.conversations import InMemoryConversations
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.shelf import Shelf
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.mutants.broken_storage import Mutant, Mutants, storing, writing

MUTANTS = Mutants()
CONVERSATIONS = Mutants()
LEDGER = Mutants()

PAGES = "pages_hold_everything_in_order"
DROPPED = "lines_that_age_has_dropped_come_along"
FOUND = "what_is_taken_over_is_found"
SPLITS = "a_split_leaves_what_came_from_elsewhere"
PROJECT = "a_project_is_taken_over_as_it_was"
KNOWN_PROJECT = "a_known_project_is_not_made_again"
MERGED_PROJECT = "a_merged_project_leads_to_where_its_memories_are"
MESSAGES = "pages_of_messages_can_be_added_elsewhere"
LINES = "the_ledger_knows_what_was_taken_over"
CAPTURES = "pages_name_the_captures"


@MUTANTS.add("a page leaves out what is purged", trips={PAGES})
class LeavesOutPurged(InMemoryObservations):
    def page(self, *, after: int = 0, limit: int) -> tuple[Arrival, ...]:
        whole = super().page(after=after, limit=len(self.rows) + limit)
        return tuple(each for each in whole if not each.observation.purged)[:limit]


@MUTANTS.add("a split takes along what came from elsewhere", trips={SPLITS})
class TakesAlong(InMemoryRegistry):
    def _transfer(self, shelf: Shelf, to: str, leaves: Callable[[str], bool]) -> int:
        return super()._transfer(shelf, to, lambda origin: origin not in self.projects or leaves(origin))


@MUTANTS.add("a project from elsewhere gets a new id", trips={PROJECT})
class NewIds(InMemoryRegistry):
    def take_over(self, project: Project) -> Project:
        known = project.id in self.projects
        return super().take_over(project if known else evolve(project, id=f"{project.id}-here"))


@MUTANTS.add("a known project is renamed by one from elsewhere", trips={KNOWN_PROJECT})
class RenamedFromElsewhere(InMemoryRegistry):
    def take_over(self, project: Project) -> Project:
        made = super().take_over(project)
        self.projects[made.id] = evolve(made, name=project.name)
        return self.projects[made.id]


@MUTANTS.add("a merged project is taken for itself", trips={MERGED_PROJECT})
class DoesNotFollow(InMemoryRegistry):
    def take_over(self, project: Project) -> Project:
        super().take_over(project)
        return self.projects.get(project.id) or super().take_over(project)


@CONVERSATIONS.add("pages of messages overlap", trips={MESSAGES})
class MessagesOverlap(InMemoryConversations):
    def page(self, *, after: int = 0, limit: int) -> Mapping[int, MessageDraft]:
        return super().page(after=after - 1, limit=limit)


@LEDGER.add("pages lack the lines of aged edits", trips={DROPPED})
class LacksDropped(InMemoryObservations):
    def page(self, *, after: int = 0, limit: int) -> tuple[Arrival, ...]:
        return tuple(evolve(each, lines=()) for each in super().page(after=after, limit=limit))


MUTANTS.append(
    Mutant(
        fault="what is taken over is in no session",
        transaction=storing(session=lambda said: said.session if said.origin == said.project else None),
        trips={FOUND, "every_field_comes_back"},
    )
)
LEDGER += (
    Mutant(
        fault="captures are not recorded",
        transaction=writing(RememberRequest, lambda *_: ()),
        trips={
            LINES,
            CAPTURES,
            "a_merge_moves_the_ledger",
            "long_requests_are_told_apart",
            "recorded_requests_are_told",
        },
    ),
)
