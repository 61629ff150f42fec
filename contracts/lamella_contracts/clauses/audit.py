"""Clauses on the audit trail."""

from collections.abc import Sequence
from uuid import UUID

from attrs import evolve

from lamella.domain.audit.entry import Action, AuditEntry
from lamella.domain.memories.observation import Observation
from lamella.domain.transactions.other_writes import AddEntry, NameInEntry
from lamella.ports.storage.audit import AuditTrail
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import every_clause_needs, needs
from lamella_contracts.fixtures.project import LONG_KEY, MINUTE, START, ProjectFixture, signed

_UNKNOWN = UUID(int=2**120)
_LATER = START + MINUTE * 100


def _trail(project: ProjectFixture) -> AuditTrail:
    return project.storage.audit(project.id)


def _entries(project: ProjectFixture) -> Sequence[AuditEntry]:
    return _trail(project).entries(limit=100)


def _actions(project: ProjectFixture) -> Sequence[str]:
    """Return the actions of the trail, newest first, each with its count."""
    return [f"{each.action} {each.count}" for each in _entries(project)]


def _ids(*observations: Observation) -> tuple[UUID, ...]:
    return tuple(each.id for each in observations)


@every_clause_needs(Capability.AUDIT)
class AuditClauses:
    """The audit trail keeps every entry."""

    def test_entries_come_back_as_given_newest_first(self, project: ProjectFixture) -> None:
        """Fails if a field is lost or truncated, or if entries come oldest first.

        Also fails if an entry is stored twice, or keeps the given number instead of getting a new number.
        """
        one, two, three = (project.save(each).id for each in ("one", "two", "three"))
        late = AuditEntry(
            id=UUID(int=9),
            action=Action.EDIT,
            by=signed(_LATER, actor="o'\x01\\%_🚀", author="'; DROP TABLE audit; --\u202e", session=LONG_KEY),
            added=(two,),
            purged=(three, one),
            restored=(two, three),
            count=9,
            old="p",
            new="q",
        )
        early = AuditEntry(
            id=UUID(int=5), number=40, action=Action.PURGE, by=signed(START, undoes=UUID(int=9)), count=1
        )
        twin = evolve(early, id=UUID(int=1))
        project.apply(*(AddEntry(each) for each in (late, early, twin, evolve(late, count=0))))
        entries = _entries(project)
        assert [evolve(each, number=0) for each in entries] == [
            evolve(each, number=0) for each in (late, twin, early)
        ]
        numbers = [each.number for each in entries]
        assert numbers == sorted({*numbers}, reverse=True)
        assert (project.look().logged, project.other("other").look().logged) == (_LATER, None)

    def test_an_entry_names_more_memories(self, project: ProjectFixture) -> None:
        """Fails if ids added to an entry replace earlier ids, or are duplicated or sorted.

        Also fails if added ids don't increase the count of the entry.
        """
        one, two, three = (project.save(each).id for each in ("one", "two", "three"))
        entry = AuditEntry(id=UUID(int=1), action=Action.IMPORT, by=signed(), added=(three,), count=5)
        beside = evolve(entry, id=UUID(int=2))
        project.apply(AddEntry(entry), NameInEntry(entry=entry.id, added=(three, one), purged=(two,)))
        project.apply(AddEntry(beside), NameInEntry(entry=entry.id, added=(two,), purged=(two,), restored=(one,)))
        assert [evolve(each, number=0) for each in _entries(project)] == [
            beside,
            evolve(entry, added=(three, one, two), purged=(two,), restored=(one,), count=9),
        ]

    @needs(Capability.ERASE)
    def test_what_is_erased_leaves_the_trail(self, project: ProjectFixture) -> None:
        """Fails if the id of an erased memory is still in the trail, or if an erase adds no entry.

        Also fails if the count of an earlier entry no longer includes the erased memory.
        """
        gone, kept = project.save("gone"), project.save("kept")
        project.purge(gone, kept)
        project.observations.erase([gone.id, _UNKNOWN], by=signed(_LATER, actor="agent"))
        erased, purged = _entries(project)
        assert (erased.action, erased.by, erased.count) == (Action.ERASE, signed(_LATER, actor="agent"), 1)
        assert erased.memories == ()
        assert (purged.purged, purged.count) == ((kept.id,), 2)
        project.observations.erase([gone.id], by=signed())
        assert len(_entries(project)) == 2

    def test_the_trail_is_read_in_pages(self, project: ProjectFixture) -> None:
        """Fails if a page exceeds the limit, skips entries, or repeats the last entry of the previous page."""
        one = project.save("one")
        for _ in range(3):
            project.purge(one)
            project.restore(one)
        every = _entries(project)
        assert len(every) == 6
        first = _trail(project).entries(limit=4)
        assert (*first, *_trail(project).entries(before=first[-1].number, limit=4)) == every
        assert _trail(project).entries(before=every[-1].number, limit=4) == ()
        assert _trail(project).entries(before=max(each.number for each in every) + 1, limit=4) == ()

    def test_the_trail_of_a_memory_is_read_with_few_names(self, project: ProjectFixture) -> None:
        """Fails if entries about other memories are returned, or if requested entries are missing.

        Also fails if a number in `names` limits the ids of a whole entry instead of the ids in each field, or if
        a set of ids in `names` doesn't keep other ids out of the answer.
        """
        one, two, three = (project.save(each) for each in ("one", "two", "three"))
        project.observations.purge(_ids(three, two, one), by=signed())
        project.observations.restore(_ids(two, one), by=signed())
        project.observations.restore([three.id], by=signed())
        about = _trail(project).entries(memory=one.id, limit=9)
        assert [(each.action, each.memories) for each in about] == [
            (Action.RESTORE, _ids(two, one)),
            (Action.PURGE, _ids(three, two, one)),
        ]
        few = _trail(project).entries(memory=one.id, before=about[0].number, names=2, limit=9)
        assert [(each.purged, each.count) for each in few] == [(_ids(three, two), 3)]
        assert _trail(project).entries(memory=one.id, names=0, limit=1)[0].memories == ()
        project.observations.swap(purge=[one.id], restore=[], by=signed())
        project.observations.swap(purge=[two.id, three.id], restore=[one.id], by=signed())
        (both,) = _trail(project).entries(names=1, limit=1)
        assert (both.purged, both.restored) == (_ids(two), _ids(one))
        (chosen,) = _trail(project).entries(names={three.id, _UNKNOWN}, limit=1)
        assert (chosen.purged, chosen.restored, chosen.count) == (_ids(three), (), 3)
        assert _trail(project).entries(memory=_UNKNOWN, limit=9) == ()

    def test_numbers_rise_with_time(self, project: ProjectFixture) -> None:
        """Fails if imported entries are numbered in order of arrival instead of time, or reuse numbers."""
        one = project.save("one")
        for each in range(3):
            project.observations.purge([one.id], by=signed(START + MINUTE * 20 * each))
            project.observations.restore([one.id], by=signed(START + MINUTE * (20 * each + 1)))
        before = {each.number: each.id for each in _entries(project)}
        arriving = [
            AuditEntry(id=UUID(int=minute), action=Action.PURGE, by=signed(START + MINUTE * minute), count=1)
            for minute in (30, 10)
        ]
        _trail(project).add(arriving)
        after = _entries(project)
        assert len(after) == 8
        assert [each.number for each in after] == sorted((each.number for each in after), reverse=True)
        assert [each.by.at for each in after] == sorted((each.by.at for each in after), reverse=True)
        assert all(before.get(each.number, each.id) == each.id for each in after)
        project.purge(one)
        assert _entries(project)[0].number > after[0].number

    @needs(Capability.MERGE)
    def test_the_trail_moves_with_its_project(self, project: ProjectFixture) -> None:
        """Fails if a merge or split adds no entry to the trail.

        Also fails if a merge or split leaves entries behind, moves entries of the other project, or
        duplicates entries.
        """
        old, new = project.other("old"), project.other("new")
        one, two = old.save("one"), new.save("two")
        old.observations.purge([one.id], by=signed(START))
        new.observations.purge([two.id], by=signed(START + MINUTE))
        registry = project.storage.registry
        for _ in range(2):
            registry.merge(old.id, new.id, by=signed(START + MINUTE * 2, author="ada"))
        assert _entries(old) == _entries(new)
        merge, of_new, of_old = _entries(new)
        assert (of_old.purged, of_new.purged) == ((one.id,), (two.id,))
        assert merge.number > of_new.number > of_old.number
        assert (merge.action, merge.count, merge.memories) == (Action.MERGE, 1, ())
        assert (merge.old, merge.new, merge.by.author) == (old.id, new.id, "ada")
        new.observations.restore([one.id], by=signed(START + MINUTE * 3))
        new.observations.purge([one.id, new.save("three").id], by=signed(START + MINUTE * 4))
        registry.split(old.id, by=signed(START + MINUTE * 5))
        assert _actions(new) == ["split 1", "purge 2", "merge 1", "purge 1"]
        assert _actions(old) == ["split 1", "restore 1", "purge 1"]
        assert {each.origin for each in _entries(old)} == {old.id}
        assert _entries(old)[0].id == _entries(new)[0].id
        assert (_entries(old)[0].old, _entries(old)[0].new) == (old.id, new.id)
        registry.merge(old.id, new.id, by=signed(START + MINUTE * 6))
        assert _actions(new) == ["merge 1", "split 1", "purge 2", "restore 1", "merge 1", "purge 1", "purge 1"]

    @needs(Capability.MERGE)
    def test_a_split_stays_in_both_trails(self, project: ProjectFixture) -> None:
        """Fails if one of two split projects loses the entry of their split when they are merged and split again.

        Also fails if both were merged into a third project, and it keeps the entry after both were split off.
        """
        old, new, last = (project.other(each) for each in ("old", "new", "last"))
        registry = project.storage.registry
        old.save("one")

        def moves(*steps: tuple[ProjectFixture, ProjectFixture | None]) -> None:
            for each, into in steps:
                if into is None:
                    registry.split(each.id, by=signed())
                else:
                    registry.merge(each.id, into.id, by=signed())

        moves((old, new), (old, None))
        split, merge = (each.id for each in _entries(new))
        moves((new, old), (new, None), (old, new), (old, None))
        for one, two in ((new, old), (old, new)):
            moves((one, last), (two, last), (new, None), (old, None))
        assert [split in {each.id for each in _entries(each)} for each in (old, new, last)] == [True, True, False]
        assert [merge in {each.id for each in _entries(each)} for each in (old, new)] == [False, True]

    @needs(Capability.MERGE)
    @needs(Capability.ERASE)
    def test_what_is_erased_leaves_the_trails_of_other_projects(self, project: ProjectFixture) -> None:
        """Fails if an erased id stays in the trail of a project into which its memory was once merged."""
        old, new = project.other("old"), project.other("new")
        one = old.save("one")
        project.storage.registry.merge(old.id, new.id, by=signed())
        two = new.save("two")
        new.purge(one, two)
        project.storage.registry.split(old.id, by=signed())
        old.erase(one)
        assert {each.memories for each in _entries(new)} == {(), (two.id,)}

    @needs(Capability.DURABLE)
    def test_the_trail_survives_a_restart(self, project: ProjectFixture) -> None:
        """Fails if the entries of the trail, or its highest number, are only in memory."""
        one = project.save("one")
        project.purge(one)
        before = _entries(project)
        again = project.reopened()
        assert _entries(again) == before
        again.restore(one)
        assert _entries(again)[0].number > before[0].number
