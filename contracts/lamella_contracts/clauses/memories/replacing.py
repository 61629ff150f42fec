"""Clauses on memories that take the place of others."""

import pytest
from attrs import evolve

from lamella.domain.memories.errors import NotReplaceableError
from lamella.domain.memories.observation import Draft
from lamella.domain.memories.query import Recent
from lamella.ports.storage.observations import Added, Saved, StatusChange
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.memories.looking_up import UNKNOWN
from lamella_contracts.clauses.memories.purging import LATER, LATEST
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.fixtures.project import ProjectFixture, signed


class ReplacingClauses:
    """A new observation purges those that it replaces, and they lead to it."""

    def test_what_is_replaced_is_purged_and_leads_to_what_replaced_it(self, project: ProjectFixture) -> None:
        """Replaced observations are live, have no link or have changed otherwise; or the new one has a link."""
        old, other = project.save("zebra old", title="t", session="s"), project.save("zebra other")
        new = project.save("zebra new", now=LATER, session="s", replaces=(old.id, other.id, old.id))
        assert [project.get(each) for each in (old, other)] == [
            evolve(each, purged_at=LATER, updated_at=LATER, replaced_by=new.id) for each in (old, other)
        ]
        assert (project.get(new), new.replaced_by) == (new, None)
        assert project.contents("zebra") == ["zebra new"]
        assert project.leaning_on("old") == set()

    def test_what_cannot_be_replaced_stores_nothing(self, project: ProjectFixture) -> None:
        """An unknown or purged observation is passed over, or the others are replaced before it is noticed."""
        live, purged = project.save("live"), project.save("purged")
        project.purge(purged)
        for missing in (UNKNOWN, purged.id):
            with pytest.raises(NotReplaceableError):
                project.add(Draft(content="new", replaces=(live.id, missing)))
        assert project.get(live) == live
        assert project.contents(Recent(), include_purged=True) == ["purged", "live"]

    def test_what_was_replaced_by_another_cannot_be_replaced(self, project: ProjectFixture) -> None:
        """A second correction of the same observation takes the link away from the first."""
        old = project.save("old")
        new = project.save("new", replaces=(old.id,))
        with pytest.raises(NotReplaceableError):
            project.add(Draft(content="newer", replaces=(old.id,)))
        assert project.get(old).replaced_by == new.id

    def test_saving_the_same_replacement_again_changes_nothing(self, project: ProjectFixture) -> None:
        """The second save is refused because the first has purged what it replaces, or it writes another time."""
        old = project.save("old")
        draft = Draft(content="new", replaces=(old.id,))
        first = project.add(draft).observation
        before = project.get(old)
        assert project.add(draft) == Saved(first, Added.DUPLICATE)
        assert project.get(old) == before

    def test_a_duplicate_replaces_too(self, project: ProjectFixture) -> None:
        """A duplicate keeps the old one alive beside it; or it replaces itself, and nothing is left."""
        old, known = project.save("old"), project.save("known")
        saved = project.add(Draft(content="known", replaces=(old.id, known.id)), now=LATER)
        assert saved == Saved(known, Added.DUPLICATE)
        assert project.get(known) == known
        assert project.get(old) == evolve(old, purged_at=LATER, updated_at=LATER, replaced_by=known.id)

    def test_a_retry_replaces_nothing(self, project: ProjectFixture) -> None:
        """A late retry purges again what was restored after the first call."""
        old = project.save("old")
        draft = Draft(content="new", request="call-1", replaces=(old.id,))
        first = project.add(draft).observation
        project.restore(old)
        restored = project.get(old)
        assert project.add(draft) == Saved(first, Added.RETRY)
        assert project.get(old) == restored

    def test_a_restore_takes_the_link_away(self, project: ProjectFixture) -> None:
        """A restored one still leads away from itself, or the one that replaced it goes."""
        old = project.save("old")
        new = project.save("new", replaces=(old.id,))
        assert project.observations.restore([old.id], by=signed(LATEST)) == (StatusChange.DONE,)
        assert project.get(old) == evolve(old, updated_at=LATEST)
        assert project.get(new) == new

    @needs(Capability.ERASE)
    def test_nothing_leads_to_what_is_erased(self, project: ProjectFixture) -> None:
        """The id of an erased observation is left in those that it replaced."""
        old = project.save("old")
        new = project.save("new", replaces=(old.id,))
        project.erase(new)
        replaced = project.get(old)
        assert (replaced.purged, replaced.replaced_by) == (True, None)

    @needs(Capability.MERGE)
    def test_links_survive_a_merge(self, project: ProjectFixture) -> None:
        """A merge or split drops the link, or makes what was replaced live."""
        old, new = project.other("old"), project.other("new")
        one = old.save("one")
        two = old.save("two", replaces=(one.id,))
        project.storage.registry.merge(old.id, new.id, by=signed())
        assert new.get(one).replaced_by == two.id
        project.storage.registry.split(old.id, by=signed())
        assert (old.get(one).replaced_by, old.get(one).purged) == (two.id, True)
