"""Clauses on purging, restoring and erasing by id."""

from attrs import evolve

from lamella.domain.memories.observation import CodeChange, Draft
from lamella.domain.memories.query import Recent
from lamella.ports.storage.observations import Added, StatusChange
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.memories.looking_up import UNKNOWN
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.fixtures.project import MINUTE, START, ProjectFixture, signed

MANY = 1_000
"""More ids than one call of a user has."""

LATER, LATEST = START + 100 * MINUTE, START + 200 * MINUTE


class PurgingClauses:
    """A purge hides observations without deleting them, and a restore brings them back."""

    def test_a_purge_keeps_everything(self, project: ProjectFixture) -> None:
        """A purge deletes text, or leaves `purged_at` or `updated_at` as they were."""
        saved = project.save("kept", title="t", session="s", changes=(CodeChange(path="a.py", hunks="+a"),))
        project.observations.purge([saved.id], by=signed(LATER))
        assert project.get(saved) == evolve(saved, purged_at=LATER, updated_at=LATER)

    def test_a_restore_brings_everything_back(self, project: ProjectFixture) -> None:
        """A restore makes a new observation, with another sequence number, moment or id."""
        saved = project.save("kept", title="t", session="s", changes=(CodeChange(path="a.py", hunks="+a"),))
        project.observations.purge([saved.id], by=signed(LATER))
        project.observations.restore([saved.id], by=signed(LATEST))
        assert project.get(saved) == evolve(saved, purged_at=None, updated_at=LATEST)

    def test_a_purge_answers_for_each_id(self, project: ProjectFixture) -> None:
        """One id that can't be purged stops the others, or the answers aren't in the order of the ids."""
        live, purged, other = (project.save(each) for each in ("live", "purged", "other"))
        project.purge(purged)
        ids = [live.id, UNKNOWN, purged.id, live.id, other.id]
        assert project.observations.purge(ids, by=signed(LATER)) == (
            StatusChange.DONE,
            StatusChange.NOT_FOUND,
            StatusChange.ALREADY,
            StatusChange.ALREADY,
            StatusChange.DONE,
        )
        assert project.search.count() == 0

    def test_a_restore_answers_for_each_id(self, project: ProjectFixture) -> None:
        """One id that can't be restored stops the others, or the answers aren't in the order of the ids."""
        live, purged, other = (project.save(each) for each in ("live", "purged", "other"))
        project.purge(purged, other)
        ids = [purged.id, UNKNOWN, live.id, purged.id, other.id]
        assert project.observations.restore(ids, by=signed(LATER)) == (
            StatusChange.DONE,
            StatusChange.NOT_FOUND,
            StatusChange.ALREADY,
            StatusChange.ALREADY,
            StatusChange.DONE,
        )
        assert project.search.count() == 3

    def test_what_is_already_so_stays_as_it_is(self, project: ProjectFixture) -> None:
        """A second purge, or a restore of a live one, writes its own time over the first."""
        live, purged = project.save("live"), project.save("purged")
        project.observations.purge([purged.id], by=signed(LATER))
        before = [project.get(each) for each in (live, purged)]
        project.observations.restore([live.id], by=signed(LATEST))
        project.observations.purge([purged.id], by=signed(LATEST))
        assert [project.get(each) for each in (live, purged)] == before

    def test_no_ids_are_no_error(self, project: ProjectFixture) -> None:
        """An empty list makes a statement that is no statement."""
        assert project.purge() == ()
        assert project.restore() == ()

    def test_many_ids_are_one_call(self, project: ProjectFixture) -> None:
        """A statement takes so many parameters only, or the ids after the first so many are passed over."""
        saved = project.save("last of many")
        many = [*(project.new_id() for _ in range(MANY)), saved.id]
        done = (*[StatusChange.NOT_FOUND] * MANY, StatusChange.DONE)
        assert project.observations.purge(many, by=signed(LATER)) == done
        assert project.observations.restore(many, by=signed(LATEST)) == done


class SwappingClauses:
    """Some observations are purged while others are restored."""

    def test_a_swap_purges_and_restores_at_once(self, project: ProjectFixture) -> None:
        """A swap does one half only, answers for one half only, or changes what is as it should be already."""
        old, new, live = (project.save(each) for each in ("old", "new", "live"))
        project.observations.purge([old.id], by=signed(LATER))
        done = project.observations.swap(
            purge=[new.id, UNKNOWN], restore=[old.id, live.id], replaced_by=old.id, by=signed(LATEST)
        )
        assert done == {
            new.id: StatusChange.DONE,
            UNKNOWN: StatusChange.NOT_FOUND,
            old.id: StatusChange.DONE,
            live.id: StatusChange.ALREADY,
        }
        assert project.get(new) == evolve(new, purged_at=LATEST, updated_at=LATEST, replaced_by=old.id)
        assert project.get(old) == evolve(old, updated_at=LATEST)
        assert project.get(live) == live
        assert sorted(project.contents(Recent())) == ["live", "old"]
        project.observations.swap(purge=[old.id], by=signed(LATEST))
        assert project.get(old).replaced_by is None


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
