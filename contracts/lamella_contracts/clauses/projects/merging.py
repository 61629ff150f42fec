"""Clauses on merging projects and splitting them again."""

import pytest
from attrs import evolve

from lamella.domain.errors import ProjectChangeError
from lamella.domain.memories.observation import Draft
from lamella.ports.storage.observations import Added
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.clauses.transactions.writes import CHANGES
from lamella_contracts.fixtures.project import MINUTE, START, ProjectFixture, location_named, signed


def merged(project: ProjectFixture) -> tuple[ProjectFixture, ProjectFixture, int]:
    """Return an old project, the new one that it was merged into, and the number of moved memories."""
    old, new = project.other("old"), project.other("new")
    for content in ("old one", "old two"):
        old.save(content, title=content, session="s", changes=CHANGES)
    new.save("new one")
    return old, new, project.storage.registry.merge(old.id, new.id, by=signed())


def interleaved(project: ProjectFixture) -> tuple[ProjectFixture, ProjectFixture]:
    """Return an old and a new project with one session, in which they say something in turn."""
    old, new = project.other("old"), project.other("new")
    for minutes, each, name in ((1, new, "zebra"), (2, old, "horse"), (3, new, "donkey"), (4, old, "mule")):
        each.refer(name, now=START + minutes * MINUTE)
    return old, new


class MergingClauses:
    """One project's memories move into another."""

    @needs(Capability.MERGE)
    def test_a_merge_moves_memories(self, project: ProjectFixture) -> None:
        """A merge loses fields or changes, forgets the origin, gives used numbers, or numbers by time."""
        old, new = project.other("old"), project.other("new")
        saved = [
            old.save(each, title=each, session="s", changes=CHANGES, now=START + later * MINUTE)
            for each, later in (("one", 1), ("two", 0))
        ]
        last = new.save("new one")
        assert project.storage.registry.merge(old.id, new.id, by=signed()) == 2
        moved = [new.get(each) for each in saved]
        assert moved == [
            evolve(each, project=new.id, origin=old.id, sequence=there.sequence)
            for each, there in zip(saved, moved, strict=True)
        ]
        assert last.sequence < moved[0].sequence < moved[1].sequence
        assert new.search.count() == 3

    @needs(Capability.MERGE)
    def test_a_merge_moves_purged_ones_too(self, project: ProjectFixture) -> None:
        """A merge leaves purged observations behind, or brings them back to life."""
        old, new = project.other("old"), project.other("new")
        purged = old.save("zebra")
        old.purge(purged)
        assert project.storage.registry.merge(old.id, new.id, by=signed()) == 1
        assert new.get(purged).purged
        assert (new.contents("zebra"), new.contents("zebra", include_purged=True)) == ([], ["zebra"])

    @needs(Capability.MERGE)
    def test_everything_of_the_old_leads_to_the_new(self, project: ProjectFixture) -> None:
        """The old id, alias or place is unknown after a merge, or makes a project anew."""
        old, new, _ = merged(project)
        registry = project.storage.registry
        asked = (old.id, old.registered.aliases[0])
        assert [registry.named(each) for each in asked] == [new.registered] * 2
        assert registry.living_at(old.location) == new.registered
        assert registry.at(old.location, now=START) == new.registered

    @needs(Capability.MERGE)
    def test_the_old_name_leads_to_the_new(self, project: ProjectFixture) -> None:
        """Names of merged projects are unknown, or one that both had is ambiguous although both are one now."""
        old, new, _ = merged(project)
        registry = project.storage.registry
        twin = registry.at(location_named("new", key="/elsewhere/.git"), now=START)
        registry.merge(twin.id, new.id, by=signed())
        assert [registry.named(name) for name in (old.registered.name, "new")] == [new.registered] * 2

    @needs(Capability.MERGE)
    def test_a_merged_project_stays_in_the_list(self, project: ProjectFixture) -> None:
        """A merge deletes the old project, or does not say where it went."""
        old, new, _ = merged(project)
        listed = project.storage.registry.all()
        assert listed == (new.registered, evolve(old.registered, moved_to=new.id), project.registered)

    @needs(Capability.MERGE)
    def test_open_scopes_follow_a_merge(self, project: ProjectFixture) -> None:
        """A scope that was open before the merge reads and writes where nobody looks any more."""
        old, new = project.other("old"), project.other("new")
        saved = old.save("zebra one")
        observations, search = old.observations, old.search
        project.storage.registry.merge(old.id, new.id, by=signed())
        later = observations.add(Draft(content="zebra two"), id=old.new_id(), now=START).observation
        assert (later.project, later.origin) == (new.id, new.id)
        assert observations.get_all([saved.id])[saved.id] == new.get(saved)
        assert search.count() == 2
        assert sorted(new.contents("zebra")) == ["zebra one", "zebra two"]

    @needs(Capability.MERGE)
    def test_merged_memories_are_found(self, project: ProjectFixture) -> None:
        """Moved memories are not indexed in their new project, or are still in the old one's statistics."""
        _, new, _ = merged(project)
        as_saved_there = project.other("plain")
        as_saved_there.save("new one")
        for content in ("old one", "old two"):
            as_saved_there.save(content, title=content, session="s", changes=CHANGES)
        assert new.scores("old two") == pytest.approx(as_saved_there.scores("old two"))

    @needs(Capability.MERGE)
    def test_a_merge_makes_contexts_anew(self, project: ProjectFixture) -> None:
        """Contexts stay those of before the merge, although a session has memories of both projects now."""
        old, new = interleaved(project)
        project.storage.registry.merge(old.id, new.id, by=signed())
        found = {word: new.leaning_on(word) for word in ("zebra", "horse", "donkey")}
        assert found == {"zebra": {"horse", "donkey"}, "horse": {"donkey", "mule"}, "donkey": {"mule"}}

    @needs(Capability.MERGE)
    def test_merged_requests_are_still_known(self, project: ProjectFixture) -> None:
        """A merge leaves the fingerprints or requests behind, and a retry saves twice."""
        old, new = project.other("old"), project.other("new")
        old.save("said", request="call-1")
        project.storage.registry.merge(old.id, new.id, by=signed())
        assert new.add(Draft(content="said", request="call-1")).added is Added.RETRY
        assert new.add(Draft(content="said")).added is Added.DUPLICATE

    @needs(Capability.MERGE)
    def test_merging_again_is_harmless(self, project: ProjectFixture) -> None:
        """A merge that was broken off can't be repeated, or repeating it copies everything twice."""
        old, new, moved = merged(project)
        assert (moved, project.storage.registry.merge(old.id, new.id, by=signed())) == (2, 0)
        assert new.search.count() == 3

    @needs(Capability.MERGE)
    def test_merges_are_followed_all_the_way(self, project: ProjectFixture) -> None:
        """Only one merge is followed: the second project of a chain is found, which has no memories any more."""
        old, new, _ = merged(project)
        last = project.other("last")
        registry, scope = project.storage.registry, old.observations
        registry.merge(new.id, last.id, by=signed())
        for each in (old, new):
            assert registry.named(each.id) == registry.living_at(each.location) == last.registered
            assert each.search.count() == 3
        assert scope.add(Draft(content="said"), id=old.new_id(), now=START).observation.project == last.id
        with pytest.raises(ProjectChangeError):
            registry.merge(last.id, old.id, by=signed())


class SplittingClauses:
    """A split takes a merge back."""

    @needs(Capability.MERGE)
    def test_a_split_makes_contexts_anew(self, project: ProjectFixture) -> None:
        """Contexts stay those of the merged project, and words of one project count in the other."""
        old, new = interleaved(project)
        project.storage.registry.merge(old.id, new.id, by=signed())
        project.storage.registry.split(old.id, by=signed())
        found = {word: (old.leaning_on(word), new.leaning_on(word)) for word in ("zebra", "horse")}
        assert found == {"zebra": (set(), {"donkey"}), "horse": ({"mule"}, set())}

    @needs(Capability.MERGE)
    def test_a_split_gives_back_what_came(self, project: ProjectFixture) -> None:
        """A split leaves memories in the new project, takes its own along, or copies instead of moving."""
        old, new, _ = merged(project)
        new.save("new two")
        assert project.storage.registry.split(old.id, by=signed()) == 2
        assert sorted(old.contents("one two")) == ["old one", "old two"]
        assert sorted(new.contents("one two")) == ["new one", "new two"]
        given_back = [hit.observation for hit in old.find("old")]
        assert {(each.project, each.origin) for each in given_back} == {(old.id, old.id)}

    @needs(Capability.MERGE)
    def test_statistics_forget_what_moved_away(self, project: ProjectFixture) -> None:
        """Counters of rows or words rise with a merge and do not fall with a split."""
        old, new, _ = merged(project)
        project.storage.registry.split(old.id, by=signed())
        plain = project.other("plain")
        plain.save("new one")
        for each in (new, plain):
            each.save("horse")
        assert new.scores("new one") == pytest.approx(plain.scores("new one"))
        assert new.search.rarities(["one", "old"]) == pytest.approx(plain.search.rarities(["one", "old"]))

    @needs(Capability.MERGE)
    def test_a_split_leaves_what_was_saved_since(self, project: ProjectFixture) -> None:
        """A split also takes back memories that were saved after the merge, such as by the old scope."""
        old, new, _ = merged(project)
        since = old.save("saved by the old scope")
        project.storage.registry.split(old.id, by=signed())
        assert (new.get(since), old.knows(since)) == (since, False)

    @needs(Capability.MERGE)
    def test_a_split_keeps_the_present_state(self, project: ProjectFixture) -> None:
        """A split restores the copy from before the merge, and what was purged since is live again."""
        old, new, _ = merged(project)
        (hit,) = new.find("two")
        new.purge(hit.observation)
        purged = new.get(hit.observation)
        project.storage.registry.split(old.id, by=signed())
        back = old.get(purged)
        assert back == evolve(purged, project=old.id, sequence=back.sequence)

    @needs(Capability.MERGE)
    def test_a_split_project_is_itself_again(self, project: ProjectFixture) -> None:
        """After a split the old place still leads to the new project."""
        old, _, _ = merged(project)
        registry = project.storage.registry
        registry.split(old.id, by=signed())
        asked = (old.id, old.registered.aliases[0], old.registered.name)
        assert [registry.named(each) for each in asked] == [old.registered] * 3
        assert registry.at(old.location, now=START) == old.registered

    @needs(Capability.MERGE)
    def test_a_split_takes_along_what_was_merged_before(self, project: ProjectFixture) -> None:
        """A project that went through the split one is left behind, where nothing leads to it any more."""
        old, new, _ = merged(project)
        registry = project.storage.registry
        last = project.other("last")
        registry.merge(new.id, last.id, by=signed())
        assert registry.split(new.id, by=signed()) == 3
        assert (new.search.count(), old.search.count(), last.search.count()) == (3, 3, 0)
        assert registry.split(old.id, by=signed()) == 2
        assert (new.search.count(), old.search.count()) == (1, 2)
