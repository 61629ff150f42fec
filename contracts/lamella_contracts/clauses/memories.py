"""Clauses on finding observations by id, and on purging, restoring and erasing them."""

from uuid import UUID

from attrs import evolve

from lamella.domain.exchange.arrival import Arrival
from lamella.domain.memories.query import Match, Recent
from lamella.domain.text.marks import memory_mark
from lamella.domain.transactions.importing import ImportResult
from lamella.domain.transactions.status import StatusChange
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.fixtures.project import START, ProjectFixture, signed

UNKNOWN = UUID("00000000-0000-4000-8000-000000000000")

LOW = UUID("abcd1200-0000-4000-8000-000000000001")
MIDDLE = UUID("abcd1234-5600-4000-8000-000000000002")
HIGH = UUID("abcd1234-5678-4000-8000-000000000003")
BESIDE = UUID("abcd1200-1000-4000-8000-000000000004")
ABOVE = UUID("abcd1234-5679-4000-8000-000000000005")
LAST = UUID("ffffffff-ffff-4fff-bfff-ffffffffffff")


class LookUpClauses:
    """Observations are found by id and by the first digits of an id."""

    def test_ids_are_answered_in_their_order(self, project: ProjectFixture) -> None:
        """Fails if observations are in the order of saving or status instead of the given order.

        Also fails if an unknown id, or an id of another project, returns an observation.
        """
        one, two, three = (project.insert(each) for each in ("one", "two", "three"))
        project.purge(one)
        foreign = project.other("there").insert("theirs")
        found = project.observations.get_all([three.id, foreign.id, one.id, UNKNOWN, two.id])
        assert [*found.items()] == [(three.id, three), (one.id, project.get(one)), (two.id, two)]
        assert project.observations.get_all([]) == {}

    def test_a_beginning_of_any_length_finds_its_ids(self, project: ProjectFixture) -> None:
        """Fails if prefixes of odd length raise, or if the prefix `ffff`, which has no upper bound, finds nothing.

        Also fails if purged observations are missing, or if observations of other projects are found.
        """
        for id in (LOW, MIDDLE, HIGH, LAST):
            project.insert(f"{id}", id=id, purged_at=START if id == MIDDLE else None)
        project.other("there").insert("theirs", id=BESIDE)
        found = {length: [each.id for each in project.starting_with(HIGH.hex[:length])] for length in range(1, 33)}
        assert found == {
            length: [LOW, MIDDLE, HIGH] if length <= 6 else [MIDDLE, HIGH] if length <= 10 else [HIGH]
            for length in range(1, 33)
        }
        assert [each.id for each in project.starting_with("")] == [LOW, MIDDLE, HIGH, LAST]
        last = [[each.id for each in project.starting_with("f" * length)] for length in (4, 5, 8, 11, 12)]
        assert last == [[LAST]] * 5

    def test_beginnings_are_looked_up_together(self, project: ProjectFixture) -> None:
        """Fails if all prefixes share one limit, or if the limit is applied before sorting.

        Also fails if a prefix without hits is missing in the result.
        """
        for id in (HIGH, LOW, MIDDLE):
            project.insert(f"{id}", id=id)
        found = project.observations.starting_with(["abcd", "1234", "abcd1234"], limit=2)
        assert {prefix: [hit.observation.id for hit in hits] for prefix, hits in found.items()} == {
            "abcd": [LOW, MIDDLE],
            "1234": [],
            "abcd1234": [MIDDLE, HIGH],
        }
        assert {hit.match for hits in found.values() for hit in hits} == {Match.ID}
        assert project.observations.starting_with([], limit=2) == {}

    def test_short_ids_grow_until_they_are_unique(self, project: ProjectFixture) -> None:
        """Fails if short ids have a fixed length or hyphens.

        Also fails if short ids are longer than needed, because ids of other projects count.
        """
        project.other("there").insert("theirs", id=BESIDE)
        for id in (LOW, MIDDLE, HIGH):
            project.insert(f"{id}", id=id)
        # The ids of the second and third memory share their first ten digits: abcd123456.
        assert project.short_ids() == ["abcd1200", "abcd1234560", "abcd1234567"]
        assert project.short_ids(MIDDLE.hex) == ["abcd1234560"]

    def test_short_ids_differ_from_purged_ones(self, project: ProjectFixture) -> None:
        """Fails if short ids are unique only among live observations, so that a restore makes them ambiguous."""
        live = project.insert("live", id=MIDDLE)
        project.insert("purged", id=LOW, purged_at=START)
        project.insert("replaced", id=HIGH, purged_at=START, replaced_by=live.id)
        assert project.short_ids(MIDDLE.hex) == [MIDDLE.hex[:11]]
        for id in (BESIDE, ABOVE):
            project.insert(f"{id}", id=id)
        assert [project.short_ids(id.hex) for id in (BESIDE, ABOVE)] == [[BESIDE.hex[:9]], [ABOVE.hex[:12]]]


class ErasingClauses:
    """An erase leaves no trace of an observation."""

    @needs(Capability.ERASE)
    def test_what_is_erased_is_gone(self, project: ProjectFixture) -> None:
        """Fails if an erase leaves the row, fingerprint or index entry of an observation, or a link to it.

        Also fails if an erase deletes other observations, or prevents their import.
        """
        before = project.insert("before", session="s")
        gone = project.insert("erased word", title="erased title", session="s", request="call-1")
        old = project.insert("old", session="s", purged_at=START, replaced_by=gone.id)
        project.erase(gone)
        assert (project.knows(gone), project.starting_with(gone.id.hex[:8])) == (False, [])
        assert project.look(ids=(gone.id,), fingerprint=gone.fingerprint) == project.look()
        assert project.find("erased", include_purged=True) == ()
        assert project.search.count(include_purged=True) == 2
        assert [project.get(each) for each in (before, old)] == [before, evolve(old, replaced_by=None)]
        arrivals = [Arrival(observation=each) for each in (gone, project.observed("new", sequence=0))]
        assert project.observations.insert_new(arrivals) == (ImportResult.ERASED, ImportResult.NEW)
        assert [project.knows(each.observation) for each in arrivals] == [False, True]

    @needs(Capability.ERASE)
    @needs(Capability.MERGE)
    def test_an_erase_leaves_nothing_in_another_project(self, project: ProjectFixture) -> None:
        """Fails if a project still has text that was erased in the other project of a merge or split.

        Also fails if the hashes of erased memories are lost, so that these memories can be imported again.
        """
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
        """Fails if bytes of erased text are left in a file: in a free page, a log, or an index."""
        secret = "zzsecretzz"  # noqa: S105 - a word to look for, not a credential
        project.save("before", session="s")
        erased = project.save(f"{secret} content", title=secret, session="s", request=secret)
        project.refer("after")
        project.erase(erased)
        files = [path for path in project.folder.rglob("*") if path.is_file()]
        assert [path.name for path in files if secret.encode() in path.read_bytes()] == []
