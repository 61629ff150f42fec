"""Clauses on purging, restoring and erasing by id."""

from lamella.domain.memories.observation import Draft
from lamella.domain.memories.query import Recent
from lamella.ports.storage.observations import Added, StatusChange
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.memories.looking_up import UNKNOWN
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.fixtures.project import ProjectFixture, signed


class ErasingClauses:
    """An erase leaves no trace of an observation."""

    @needs(Capability.ERASE)
    def test_what_is_erased_is_gone(self, project: ProjectFixture) -> None:
        """An erase is only a deeper purge: the row, its short id or its place in search is still there."""
        saved = project.save("erased word", title="erased title")
        project.erase(saved)
        assert (project.knows(saved), project.starting_with(saved.id.hex[:8])) == (False, [])
        assert project.find("erased", include_purged=True) == ()
        assert project.search.count(include_purged=True) == 0

    @needs(Capability.ERASE)
    def test_an_erase_answers_for_each_id(self, project: ProjectFixture) -> None:
        """One id that can't be erased stops the others, purged ones can't be erased, or no ids are an error."""
        live, purged = project.save("live"), project.save("purged")
        project.purge(purged)
        assert project.observations.erase([live.id, UNKNOWN, purged.id, live.id], by=signed()) == (
            StatusChange.DONE,
            StatusChange.NOT_FOUND,
            StatusChange.DONE,
            StatusChange.NOT_FOUND,
        )
        assert project.erase() == ()

    @needs(Capability.ERASE)
    def test_an_erase_leaves_the_others(self, project: ProjectFixture) -> None:
        """An erase takes along what was saved beside it."""
        before, erased, after = (project.save(each, session="s") for each in ("before", "erased", "after"))
        project.erase(erased)
        assert [project.get(each) for each in (before, after)] == [before, after]

    @needs(Capability.ERASE)
    def test_what_is_erased_can_be_saved_again(self, project: ProjectFixture) -> None:
        """The fingerprint or the request of an erased observation is kept somewhere."""
        draft = Draft(content="said", request="call-1")
        project.erase(project.save("said", request="call-1"))
        assert project.add(draft).added is Added.NEW

    @needs(Capability.ERASE)
    @needs(Capability.MERGE)
    def test_an_erase_leaves_nothing_in_another_project(self, project: ProjectFixture) -> None:
        """A merge or split leaves a copy behind, and what is erased comes back from it."""
        old, new = project.other("old"), project.other("new")
        merge, split = project.storage.registry.merge, project.storage.registry.split
        one, two = (old.save(f"zebra {each}", session="s", request=each) for each in ("one", "two"))
        after = old.refer("after")
        merge(old.id, new.id, by=signed())
        assert new.erase(one) == (StatusChange.DONE,)
        split(old.id, by=signed())
        assert old.erase(one, two) == (StatusChange.NOT_FOUND, StatusChange.DONE)
        merge(old.id, new.id, by=signed())
        assert [hit.observation.id for hit in new.find(Recent(), include_purged=True)] == [after.id]
        assert new.find("zebra", include_purged=True) == ()
        assert new.leaning_on("zebra") == set()
        split(old.id, by=signed())
        for each in (old, new):
            assert each.find("zebra", include_purged=True) == ()
            assert each.leaning_on("zebra") == set()
            assert each.add(Draft(content="zebra two", request="two")).added is Added.NEW

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

    @needs(Capability.ERASE_BYTES)
    def test_an_erase_leaves_no_byte_in_any_file(self, project: ProjectFixture) -> None:
        """Bytes of erased text are left in a free page, a log, an index or the context of a neighbour."""
        secret = "zzsecretzz"  # noqa: S105 - a word to look for, not a credential
        project.save("before", session="s")
        erased = project.save(f"{secret} content", title=secret, session="s", request=secret)
        project.refer("after")
        project.erase(erased)
        files = [path for path in project.folder.rglob("*") if path.is_file()]
        assert [path.name for path in files if secret.encode() in path.read_bytes()] == []
