"""Clauses on purging, restoring and erasing by id."""

from attrs import evolve

from lamella.domain.memories.query import Recent
from lamella.domain.text.marks import memory_mark
from lamella.ports.storage.observations import StatusChange
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.fixtures.project import START, ProjectFixture, signed


class ErasingClauses:
    """An erase leaves no trace of an observation."""

    @needs(Capability.ERASE)
    def test_what_is_erased_is_gone(self, project: ProjectFixture) -> None:
        """The row, its fingerprint, its index entry or a link to it is left, or other rows are erased."""
        before = project.insert("before", session="s")
        gone = project.insert("erased word", title="erased title", session="s", request="call-1")
        old = project.insert("old", session="s", purged_at=START, replaced_by=gone.id)
        project.erase(gone)
        assert (project.knows(gone), project.starting_with(gone.id.hex[:8])) == (False, [])
        assert project.look(ids=(gone.id,), fingerprint=gone.fingerprint) == project.look()
        assert project.find("erased", include_purged=True) == ()
        assert project.search.count(include_purged=True) == 2
        assert [project.get(each) for each in (before, old)] == [before, evolve(old, replaced_by=None)]

    @needs(Capability.ERASE)
    @needs(Capability.MERGE)
    def test_an_erase_leaves_nothing_in_another_project(self, project: ProjectFixture) -> None:
        """A merge or split leaves a copy and restores erased text from it; or marks are lost."""
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
        marks = frozenset(memory_mark(each.id) for each in (one, two))
        assert new.look(marks=tuple(marks)).erased == marks
        split(old.id, by=signed())
        for each in (old, new):
            assert each.find("zebra", include_purged=True) == ()
            assert each.leaning_on("zebra") == set()
            assert each.look(fingerprint=two.fingerprint).same == ()

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
