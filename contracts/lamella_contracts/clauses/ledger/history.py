"""Clauses on the history of files and on removed lines."""

from attrs import evolve

from lamella.domain.ledger.file_change import FileTally, Removal
from lamella.domain.memories.observation import Kind
from lamella.domain.transactions.other_writes import RememberRequest
from lamella.ports.storage.ledger import Recorded
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.memories import HIGH, LOW, MIDDLE
from lamella_contracts.clauses.storage.capabilities import every_clause_needs, needs
from lamella_contracts.fixtures.ledger import PARSE, PRINT, RETRY, LedgerFixture, all_fingerprints, change
from lamella_contracts.fixtures.project import ProjectFixture, signed


@every_clause_needs(Capability.LEDGER)
class LedgerClauses:
    """The ledger has the history of each file and recognises lines removed from it."""

    def test_what_was_removed_is_known_by_its_marks(self, project: ProjectFixture) -> None:
        """Fails if removals of other lines, or from other files or projects, are returned.

        Also fails if a removal is missing, or lacks a field.
        """
        ledger, there = LedgerFixture(project), LedgerFixture(project.other("there"))
        first = ledger.record(change("a.py", removed=RETRY, added=PRINT))
        ledger.record(change("b.py", removed=PARSE))
        there.record(change("a.py", removed=PARSE))
        second = project.save("A note", title="Why", source="decision", changes=(change("a.py", removed=PARSE),))
        found = ledger.port.removals("a.py", all_fingerprints(RETRY, PARSE[:1], PRINT))
        assert found == tuple(
            Removal(
                observation=each.id,
                short_id=each.id.hex[:8],
                at=each.occurred_at,
                kind=each.kind,
                source=each.source,
                session=each.session,
                title=each.title,
                change=evolve(each.changes[0], hunks=""),
                fingerprints=all_fingerprints(went),
            )
            for each, went in ((second, PARSE[:1]), (first, RETRY))
        )
        assert ledger.port.removals("a.py", ()) == ledger.port.removals("none.py", all_fingerprints(RETRY)) == ()
        assert [each.observation for each in ledger.history("a.py")] == [second.id, first.id]

    def test_the_changes_of_each_file_are_counted(self, project: ProjectFixture) -> None:
        """Fails if purged changes count, or if a memory about two files counts for only one file.

        Also fails if files are ordered by path or by saving instead of by the time of their latest change.
        """
        ledger = LedgerFixture(project)
        ledger.record(change("c.py", added=PRINT))
        both = project.save("both", changes=(change("B.py", added=PRINT), change("a.py", added=PARSE)))
        last = ledger.record(change("a.py", removed=PARSE))
        project.observations.purge([ledger.record(change("c.py", added=PARSE)).id], by=signed(project.now()))
        files = [FileTally("a.py", 2, last.occurred_at), FileTally("B.py", 1, both.occurred_at)]
        assert list(ledger.port.files(limit=2)) == files
        assert [(each.path, each.changes) for each in ledger.port.files(limit=9)[2:]] == [("c.py", 1)]

    def test_what_was_put_back_was_removed_all_the_same(self, project: ProjectFixture) -> None:
        """Fails if lines added back later, for example by a revert, no longer count as removed."""
        ledger = LedgerFixture(project)
        first = ledger.record(change("a.py", removed=(*RETRY, *PARSE)))
        ledger.record(change("a.py", added=RETRY))
        assert [each.observation for each in ledger.removed("a.py", RETRY)] == [first.id]
        again = ledger.record(change("a.py", removed=RETRY))
        assert [each.observation for each in ledger.removed("a.py", RETRY)] == [again.id, first.id]

    def test_purged_changes_are_in_no_answer(self, project: ProjectFixture) -> None:
        """Fails if purged or replaced changes are still returned, or still rename a file.

        Also fails if restored changes are missing.
        """
        ledger = LedgerFixture(project)
        gone = ledger.record(change("a.py", removed=RETRY))
        again = ledger.record(change("a.py", removed=RETRY, former="b.py"))
        project.purge(again)
        assert [each.observation for each in ledger.removed("a.py", RETRY)] == [gone.id]
        assert [each.observation for each in ledger.history("a.py")] == [gone.id]
        assert ledger.port.names("a.py") == ("a.py",)
        project.restore(again)
        assert [each.observation for each in ledger.removed("a.py", RETRY)] == [again.id, gone.id]
        assert ledger.port.names("a.py") == ("a.py", "b.py")
        project.purge(gone)
        project.save("instead", replaces=(again.id,))
        assert (ledger.removed("a.py", RETRY), ledger.history("a.py"), ledger.history(".")) == ((), (), ())

    @needs(Capability.ERASE)
    def test_erased_changes_are_in_no_answer(self, project: ProjectFixture) -> None:
        """Fails if removed lines or former names are still returned after their observation is erased."""
        ledger = LedgerFixture(project)
        gone = ledger.record(change("a.py", removed=RETRY, former="b.py"))
        assert [each.observation for each in ledger.removed("a.py", RETRY)] == [gone.id]
        project.erase(gone)
        assert (ledger.removed("a.py", RETRY), ledger.history("a.py")) == ((), ())
        assert ledger.port.names("a.py") == ("a.py",)

    def test_a_history_is_latest_first(self, project: ProjectFixture) -> None:
        """Fails if entries are in order of recording instead of time, or if a limit keeps the oldest entries.

        Also fails if hunks are included.
        """
        ledger = LedgerFixture(project)
        captures = [
            ledger.capture(change("a.py", removed=lines), reason=name)
            for name, lines in (("one", RETRY), ("two", PARSE), ("three", PRINT))
        ]
        ledger.port.record([captures[1], captures[2], captures[0]])
        assert [title for title, _ in ledger.changes("a.py")] == ["three", "two", "one"]
        assert [title for title, _ in ledger.changes("a.py", 2)] == ["three", "two"]
        assert {each.change.hunks for each in ledger.history("a.py")} == {""}
        assert [(each.change.additions, each.change.deletions) for each in ledger.history("a.py", 1)] == [(0, 2)]

    def test_a_folder_has_the_history_of_its_files(self, project: ProjectFixture) -> None:
        """Fails if a folder has no history, or only its oldest changes.

        Also fails if a sibling with the same prefix is included, such as `src0` for `src`.
        """
        ledger = LedgerFixture(project)
        ledger.record(change("src/a.py", added=RETRY), change("src/deep/b.py", added=PARSE))
        ledger.record(change("src0/a.py", added=RETRY), change("src.py", added=RETRY), change("tests/src/a.py"))
        ledger.record(change("src/a.py", removed=RETRY))
        assert [path for _, path in ledger.changes("src")] == ["src/a.py", "src/deep/b.py", "src/a.py"]
        assert [path for _, path in ledger.changes("src", 2)] == ["src/a.py", "src/deep/b.py"]
        assert [path for _, path in ledger.changes("src/deep")] == ["src/deep/b.py"]
        assert len(ledger.changes(".")) == 6

    def test_entries_have_short_ids(self, project: ProjectFixture) -> None:
        """Fails if a short id isn't unique.

        Likely causes are a fixed length of eight digits, or a comparison with ids of live memories only.
        """
        ledger = LedgerFixture(project)
        for id in (LOW, MIDDLE, HIGH):
            project.save(f"{id}", id=id, kind=Kind.CHANGE, changes=(change("a.py", removed=RETRY),))
        project.observations.purge([HIGH], by=signed(project.now()))
        entries = (*ledger.history("a.py"), *ledger.removed("a.py", RETRY))
        assert [each.short_id for each in entries if each.observation == MIDDLE] == ["abcd1234560"] * 2

    def test_renames_are_followed(self, project: ProjectFixture) -> None:
        """Fails if a renamed file loses its history.

        Also fails if a renamed file gets the history of a new file with its former name, or if following circular
        renames never ends.
        """
        ledger = LedgerFixture(project)
        for reason, made in (
            ("made", change("a.py", removed=RETRY)),
            ("renamed", change("b.py", former="a.py")),
            ("another", change("a.py", removed=PARSE)),
            ("renamed again", change("c.py", removed=PRINT, former="b.py")),
        ):
            ledger.port.record([ledger.capture(made, reason=reason)])
        assert [ledger.port.names(each) for each in ("c.py", "b.py", "a.py")] == [
            ("c.py", "b.py", "a.py"),
            ("b.py", "a.py"),
            ("a.py",),
        ]
        assert ledger.changes("c.py") == [("renamed again", "c.py"), ("renamed", "b.py"), ("made", "a.py")]
        assert [each.path for each in ledger.removed("c.py", RETRY, PARSE, PRINT)] == ["c.py", "a.py"]
        assert [each.title for each in ledger.removed("a.py", RETRY, PARSE)] == ["another", "made"]
        ledger.record(change("a.py", former="c.py"))
        assert ledger.port.names("a.py") == ("a.py", "c.py", "b.py")

    def test_a_session_is_told_once(self, project: ProjectFixture) -> None:
        """Fails if a session is warned twice about a removal.

        Also fails if a warning counts as shown in other sessions, or for other files or removals.
        """
        ledger = LedgerFixture(project)
        ledger.record(change("a.py", removed=RETRY), change("b.py", removed=RETRY))
        ledger.record(change("a.py", removed=PARSE))
        (second,), (first,) = ledger.removed("a.py", PARSE), ledger.removed("a.py", RETRY)
        (beside,) = ledger.removed("b.py", RETRY)
        told = [
            ledger.port.tell(session, removal)
            for session, removal in (("s1", first), ("s1", first), ("s2", first), ("s1", second), ("s1", beside))
        ]
        assert told == [True, False, True, True, True]
        assert not ledger.port.tell("s1", evolve(first, observation=project.new_id()))

    @needs(Capability.MERGE)
    def test_a_merge_moves_the_ledger(self, project: ProjectFixture) -> None:
        """Fails if a merge or split leaves removed lines, former names or request ids of captures behind.

        Also fails if a split moves captures of the other project.
        """
        old, new = LedgerFixture(project.other("old")), LedgerFixture(project.other("new"))
        capture = old.capture(change("b.py", removed=RETRY, former="a.py"), request="call")
        old.port.record([capture])
        own = new.capture(change("b.py", removed=PARSE), request="call of new")
        new.port.record([own])
        project.storage.registry.merge(old.project.id, new.project.id, by=signed())
        assert {each.observation for each in new.removed("b.py", RETRY, PARSE)} == {capture.id, own.id}
        assert old.port.names("b.py") == new.port.names("b.py") == ("b.py", "a.py")
        assert new.port.known(["call", "call of new"]) == {"call", "call of new"}
        new.project.apply(RememberRequest(request="call", origin=new.project.id))
        project.storage.registry.split(old.project.id, by=signed())
        assert [each.observation for each in old.removed("b.py", RETRY, PARSE)] == [capture.id]
        assert [each.observation for each in new.removed("b.py", RETRY, PARSE)] == [own.id]
        assert old.port.known(["call", "call of new"]) == {"call"}
        assert new.port.known(["call", "call of new"]) == {"call of new"}

    @needs(Capability.DURABLE)
    def test_the_ledger_survives_a_restart(self, project: ProjectFixture) -> None:
        """Fails if removed lines, former names, request ids of captures, or shown warnings are only in memory."""
        ledger = LedgerFixture(project)
        capture = ledger.capture(change("b.py", removed=RETRY, former="a.py"), request="call")
        ledger.port.record([capture])
        (removal,) = ledger.removed("b.py", RETRY)
        ledger.port.tell("s1", removal)
        again = LedgerFixture(project.reopened())
        assert again.removed("b.py", RETRY) == (removal,)
        assert again.port.names("b.py") == ("b.py", "a.py")
        assert again.port.record([capture]) == (Recorded.KNOWN,)
        assert not again.port.tell("s1", removal)
