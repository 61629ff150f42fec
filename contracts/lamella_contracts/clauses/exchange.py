"""Clauses on what comes from another storage, and on what leaves for one."""

from typing import Any
from uuid import UUID

from attrs import evolve

from lamella.domain.conversations.message import Role
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.memories.observation import Draft, Observation
from lamella.domain.projects.project import Project
from lamella.ports.storage.observations import Added, TakenOver
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.fixtures.conversations import ConversationFixture
from lamella_contracts.fixtures.project import (
    LATER,
    MICROSECOND,
    MINUTE,
    START,
    ProjectFixture,
    location_named,
    signed,
)


def from_elsewhere(project: ProjectFixture, content: str, *, number: int = 0, **fields: Any) -> Observation:
    """Return an observation of another storage that is on its way into `project`."""
    at = START + MINUTE * number + MICROSECOND
    made = Draft(content=content).observed(id=project.new_id(), project=project.id, sequence=7, now=at)
    return evolve(made, origin="elsewhere", **fields)


def taken_over(project: ProjectFixture, *observations: Observation) -> list[Observation]:
    """Take observations over without requests, and return what they are then."""
    outcomes = project.observations.take_over([Arrival(observation=each) for each in observations])
    assert outcomes == (TakenOver.NEW,) * len(observations)
    return [project.get(each) for each in observations]


class TakingOverClauses:
    """Memories of another storage are the same ones here."""

    def test_pages_hold_everything_in_order(self, project: ProjectFixture) -> None:
        """Purged observations or requests are left out, or pages overlap, are too long or have another order."""
        project.save("zero", request="call-0")
        project.purge(project.save("one"))
        (two,) = taken_over(project, from_elsewhere(project, "two", occurred_at=START - MINUTE))
        project.observations.take_over([Arrival(observation=from_elsewhere(project, "three"), request="call-3")])
        whole = project.observations.page(limit=10)
        assert isinstance(whole, tuple)
        assert [each.observation for each in whole] == [project.get(each.observation) for each in whole]
        said = [(each.observation.content, each.request) for each in whole]
        assert said == [("zero", "call-0"), ("one", None), ("two", None), ("three", "call-3")]
        assert project.observations.page(after=two.sequence, limit=1) == whole[3:]
        assert project.observations.page(limit=2) == whole[:2]
        assert project.observations.page(after=whole[-1].observation.sequence, limit=2) == ()

    @needs(Capability.MERGE)
    @needs(Capability.ERASE)
    def test_what_was_erased_before_a_merge_stays_away(self, project: ProjectFixture) -> None:
        """A merge forgets what was erased in the old project."""
        old = project.other("old")
        gone = old.save("gone")
        old.observations.erase([gone.id], by=signed())
        project.storage.registry.merge(old.id, project.id, by=signed())
        assert project.observations.known([gone.id]) == {gone.id: TakenOver.ERASED}

    @needs(Capability.ERASE)
    def test_what_was_erased_elsewhere_stays_away(self, project: ProjectFixture) -> None:
        """Marks are not given, or forgotten; or what is here goes, or is known as erased."""
        there = project.other("there")
        gone, kept = there.save("gone"), there.save("kept")
        project.observations.take_over([Arrival(observation=kept)])
        there.erase(gone, kept)
        marks = there.observations.erased()
        assert len(marks) == len((gone, kept))
        for _ in range(2):
            project.observations.keep_away(marks)
        assert project.observations.erased() == marks
        assert project.observations.known([gone.id, kept.id]) == {
            gone.id: TakenOver.ERASED,
            kept.id: TakenOver.KNOWN,
        }
        arriving = [Arrival(observation=each) for each in (gone, kept)]
        assert project.observations.take_over(arriving) == (TakenOver.ERASED, TakenOver.KNOWN)
        assert (project.knows(gone), project.contents("kept")) == (False, ["kept"])

    def test_what_is_taken_over_is_found(self, project: ProjectFixture) -> None:
        """It is not indexed, or a purged one among the live; or contexts are not made anew in its session."""
        project.refer("after", now=LATER)
        taken_over(
            project,
            from_elsewhere(project, "zebra first", session="s"),
            from_elsewhere(project, "it was that follower second", session="s", number=1),
            from_elsewhere(project, "zebra gone", purged_at=LATER),
        )
        assert project.contents("zebra") == ["zebra first"]
        assert set(project.contents("zebra", include_purged=True)) == {"zebra first", "zebra gone"}
        assert project.leaning_on("zebra") == {"after", "second"}

    @needs(Capability.MERGE)
    def test_a_split_leaves_what_came_from_elsewhere(self, project: ProjectFixture) -> None:
        """An origin that the registry doesn't know breaks a split, or what has it goes along."""
        old = project.other("old")
        moved = old.save("moved")
        project.storage.registry.merge(old.id, project.id, by=signed())
        (stays,) = taken_over(project, from_elsewhere(project, "stays"))
        assert project.storage.registry.split(old.id, by=signed()) == 1
        assert (old.knows(moved), project.knows(stays), project.knows(moved)) == (True, True, False)


class ProjectTakingOverClauses:
    """Projects of another storage are the same ones here."""

    def test_a_project_is_taken_over_as_it_was(self, project: ProjectFixture) -> None:
        """An id is made anew, a field is lost, or the project is marked as merged into one that is not here."""
        registry = project.storage.registry
        given = Project(
            id="app-0123456789",
            name="app",
            aliases=("git:/home/ada/app/.git", "repository:any"),
            created_at=START - MINUTE + MICROSECOND,
            moved_to="another-0123456789",
        )
        kept = evolve(given, moved_to=None)
        assert registry.take_over(given) == kept
        assert [registry.named(each) for each in (given.id, given.name, *given.aliases)] == [kept] * 4
        assert set(registry.all()) == {kept, project.registered}
        assert registry.living_at(location_named("app", key=given.aliases[0])) == kept
        assert registry.at(location_named("app", key=given.aliases[0]), now=LATER) == kept
        saved = project.storage.observations(given.id).add(Draft(content="zebra"), id=UUID(int=1), now=START)
        assert saved.added is Added.NEW

    def test_a_known_project_is_not_made_again(self, project: ProjectFixture) -> None:
        """It is looked up by id or alias alone, renamed, or loses an alias to another; or learns no new ones."""
        registry = project.storage.registry
        here, key = project.registered, project.location.key
        other = registry.at(location_named("other"), now=START)
        by_id = Project(id=here.id, name="renamed", aliases=(*other.aliases, "a new one"), created_at=LATER)
        known = registry.take_over(by_id)
        assert known == evolve(here, aliases=tuple(sorted((key, "a new one"))))
        by_alias = Project(id="elsewhere-0", name="elsewhere", aliases=("more", key), created_at=LATER)
        again = registry.take_over(by_alias)
        assert again == evolve(known, aliases=tuple(sorted((*known.aliases, "more"))))
        assert set(registry.all()) == {again, other}
        assert registry.named("more") == registry.living_at(location_named("x", key="a new one")) == again

    @needs(Capability.MERGE)
    def test_a_merged_project_leads_to_where_its_memories_are(self, project: ProjectFixture) -> None:
        """A known project that was merged is answered itself, and what is stored in it is lost."""
        old = project.other("old").registered
        project.storage.registry.merge(old.id, project.id, by=signed())
        assert project.storage.registry.take_over(old) == project.registered


class MessagePageClauses:
    """Messages of one storage can be added to another."""

    @needs(Capability.CONVERSATIONS)
    def test_pages_of_messages_can_be_added_elsewhere(self, project: ProjectFixture) -> None:
        """A page lacks keys, roles or times, overlaps the next, or is too long; or names are those printed."""
        here, there = ConversationFixture(project), ConversationFixture(project.other("there"))
        drafts = [here.draft(f"said {role}", role=role, session=f"s{role[0]}") for role in Role]
        here.add(*drafts, names={"sh": "a name"})
        assert here.port.page(limit=100) == dict(enumerate(drafts, start=1))
        assert here.port.page(after=2, limit=2) == {3: drafts[2], 4: drafts[3]}
        assert here.port.names() == {"sh": "a name"}
        there.add(*here.port.page(limit=100).values(), names=here.port.names())
        assert there.port.page(limit=100) == here.port.page(limit=100)
        assert there.port.sessions() == here.port.sessions()

    @needs(Capability.CONVERSATIONS)
    @needs(Capability.ERASE)
    def test_conversations_that_were_erased_elsewhere_stay_away(self, project: ProjectFixture) -> None:
        """The messages of an erased conversation, or its name, come from a copy."""
        here, there = ConversationFixture(project), ConversationFixture(project.other("there"))
        draft, other = here.draft("zebra", session="s"), here.draft("kept", session="t")
        here.add(draft)
        here.port.erase("s")
        there.project.observations.keep_away(project.observations.erased())
        assert there.port.known([draft.key]) == {draft.key}
        there.add(draft, other, names={"s": "a name"})
        assert list(there.port.page(limit=9).values()) == [other]
        assert there.port.names() == {}
