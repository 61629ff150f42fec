"""Clauses on merging projects and splitting them again."""

from typing import Any

import pytest
from attrs import evolve

from lamella.domain.memories.observation import Draft
from lamella.domain.memories.query import Recent
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import every_clause_needs
from lamella_contracts.clauses.transactions import CHANGES
from lamella_contracts.fixtures.project import LATER, MINUTE, START, ProjectFixture, signed


def merged(project: ProjectFixture) -> tuple[ProjectFixture, ProjectFixture, int]:
    """Return a merged project, its target, and the number of moved memories."""
    old, new = project.other("old"), project.other("new")
    for content in ("old one", "old two"):
        old.save(content, title=content, session="s", changes=CHANGES)
    new.save("new one")
    return old, new, project.storage.registry.merge(old.id, new.id, by=signed())


@every_clause_needs(Capability.MERGE)
class MovingClauses:
    """The memories of a project move into another project, and back."""

    def test_a_merge_moves_memories(self, project: ProjectFixture) -> None:
        """Fails if a merge loses fields, links, origins or purged rows.

        Also fails if a merge reuses sequence numbers, or assigns sequence numbers by time.
        """
        old, new = project.other("old"), project.other("new")
        first = old.insert("zebra one", title="one", session="s", changes=CHANGES)
        early: dict[str, Any] = dict.fromkeys(("created_at", "occurred_at"), START)
        saved = [first, old.insert("zebra two", purged_at=LATER, replaced_by=first.id, **early)]
        last = new.insert("new one")
        assert project.storage.registry.merge(old.id, new.id, by=signed()) == 2
        moved = [new.get(each) for each in saved]
        assert moved == [
            evolve(each, project=new.id, sequence=there.sequence) for each, there in zip(saved, moved, strict=True)
        ]
        assert last.sequence < moved[0].sequence < moved[1].sequence
        assert new.search.count() == 2
        assert (new.contents("zebra"), len(new.find("zebra", include_purged=True))) == (["zebra one"], 2)

    def test_a_split_gives_back_what_came(self, project: ProjectFixture) -> None:
        """Fails if a split leaves memories behind, copies memories, or moves memories of the target project.

        Also fails if a split undoes purges made since the merge.
        """
        old, new, _ = merged(project)
        (hit,) = new.find("old two")[:1]
        new.purge(hit.observation)
        purged = new.get(hit.observation)
        since = old.save("saved by the old scope")
        stays = new.insert("from elsewhere", origin="elsewhere")
        assert project.storage.registry.split(old.id, by=signed()) == 2
        assert (old.contents("one two"), new.contents("one two")) == (["old one"], ["new one"])
        back = old.get(purged)
        assert back == evolve(purged, project=old.id, sequence=back.sequence)
        assert {hit.observation.project for hit in old.find(Recent())} == {old.id}
        for each in (since, stays):
            assert (new.get(each), old.knows(each)) == (each, False)

    def test_a_split_takes_corrections_along(self, project: ProjectFixture) -> None:
        """Fails if a memory saved since the merge stays when the memories that it replaces move.

        Also fails if it moves when one of these memories stays.
        """
        old, new, _ = merged(project)
        one, two = (hit.observation for hit in old.find("old"))
        (own,) = (hit.observation for hit in new.find("new"))
        first = new.save("corrected", replaces=(one.id,))
        again = new.save("corrected again", replaces=(first.id,))
        both = new.save("of both projects", replaces=(own.id, two.id))
        assert project.storage.registry.split(old.id, by=signed()) == 4
        assert (old.contents("corrected"), new.contents("projects")) == (["corrected again"], [both.content])
        assert [old.knows(each) for each in (one, two, first, again, both)] == [True] * 4 + [False]

    def test_the_old_project_leads_to_the_new(self, project: ProjectFixture) -> None:
        """Fails if the id, alias, name or location of a merged project doesn't find the target project.

        Also fails if one of these still finds the target project after a split.
        """
        old, new, _ = merged(project)
        registry, was = project.storage.registry, old.registered
        asked = (was.id, was.aliases[0], was.name)
        for led, moved_to in ((new.registered, new.id), (was, None)):
            assert [registry.named(each) for each in asked] == [led] * 3
            assert registry.living_at(old.location) == registry.at(old.location, now=START) == led
            assert registry.all() == (new.registered, evolve(was, moved_to=moved_to), project.registered)
            if moved_to:
                registry.split(old.id, by=signed())

    def test_open_scopes_follow_a_merge(self, project: ProjectFixture) -> None:
        """Fails if a project opened before a merge still reads and writes the old project."""
        old, new = project.other("old"), project.other("new")
        saved = old.save("zebra one")
        observations, search = old.observations, old.search
        project.storage.registry.merge(old.id, new.id, by=signed())
        later = observations.add(Draft(content="zebra two"), id=old.new_id(), now=START).observation
        assert (later.project, later.origin) == (new.id, new.id)
        assert observations.get_all([saved.id])[saved.id] == new.get(saved)
        assert search.count() == 2
        assert sorted(new.contents("zebra")) == ["zebra one", "zebra two"]

    def test_merges_are_followed_all_the_way(self, project: ProjectFixture) -> None:
        """Fails if only the first of several consecutive merges is followed.

        Also fails if a split leaves behind memories that an earlier merge had moved into the project.
        """
        old, new, _ = merged(project)
        last = project.other("last")
        registry, scope = project.storage.registry, old.observations
        registry.merge(new.id, last.id, by=signed())
        for each in (old, new):
            assert registry.named(each.id) == registry.living_at(each.location) == last.registered
            assert each.search.count() == 3
        assert scope.add(Draft(content="said"), id=old.new_id(), now=START).observation.project == last.id
        assert registry.split(new.id, by=signed()) == 3
        assert [each.search.count() for each in (old, new, last)] == [3, 3, 1]
        assert registry.split(old.id, by=signed()) == 2
        assert [each.search.count() for each in (old, new, last)] == [2, 1, 1]

    def test_statistics_follow_what_moves(self, project: ProjectFixture) -> None:
        """Fails if moved memories are not indexed, or still count in the statistics of the project they left."""
        old, new, _ = merged(project)
        project.save("new one")
        for content in ("old one", "old two"):
            project.save(content, title=content, session="s", changes=CHANGES)
        assert new.scores("old two") == pytest.approx(project.scores("old two"))
        project.storage.registry.split(old.id, by=signed())
        plain = project.other("plain")
        plain.save("new one")
        assert new.scores("new one") == pytest.approx(plain.scores("new one"))

    def test_contexts_are_made_anew_where_memories_move(self, project: ProjectFixture) -> None:
        """Fails if a merge or split doesn't index memories again, with the memories that now precede them.

        Words of one project would then still count in searches of the other.
        """
        old, new = project.other("old"), project.other("new")
        for minutes, each, name in ((1, new, "zebra"), (2, old, "horse"), (3, new, "okapi"), (4, old, "mule")):
            each.refer(name, now=START + minutes * MINUTE)
        project.storage.registry.merge(old.id, new.id, by=signed())
        found = {word: new.leaning_on(word) for word in ("zebra", "horse", "okapi")}
        assert found == {"zebra": {"horse", "okapi"}, "horse": {"okapi", "mule"}, "okapi": {"mule"}}
        project.storage.registry.split(old.id, by=signed())
        apart = {word: (old.leaning_on(word), new.leaning_on(word)) for word in ("zebra", "horse")}
        assert apart == {"zebra": (set(), {"okapi"}), "horse": ({"mule"}, set())}
