"""Clauses on the history of files and on removed lines."""

import pytest
from attrs import evolve

from lamella.domain.errors import UnknownProjectError
from lamella.domain.ledger.file_change import FileChange, Removal
from lamella.domain.memories.observation import CodeChange, Kind
from lamella.ports.storage.ledger import Recorded
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.fixtures.ledger import (
    PARSE,
    PRINT,
    RETRY,
    Books,
    change,
    everything,
)
from lamella_contracts.fixtures.project import Notebook


class LedgerClauses:
    """The ledger has the history of each file and recognises lines removed from it."""

    @needs(Capability.LEDGER)
    def test_what_was_removed_is_known_by_its_marks(self, notebook: Notebook) -> None:
        """Marks not asked for are answered, those of another file, not all that were removed, or no session."""
        books = Books(notebook)
        first = books.record(change("a.py", went=RETRY, came=PRINT))
        books.record(change("b.py", went=PARSE))
        second = books.record(change("a.py", went=PARSE), session=None)
        found = books.ledger.removals("a.py", everything(RETRY, PARSE[:1], PRINT))
        assert found == tuple(
            Removal(
                observation=each.id,
                at=each.occurred_at,
                kind=Kind.CHANGE,
                source="edit",
                session=session,
                title="A reason",
                path="a.py",
                fingerprints=everything(went),
            )
            for each, session, went in ((second, None, PARSE[:1]), (first, "s1", RETRY))
        )
        assert books.ledger.removals("a.py", ()) == books.ledger.removals("none.py", everything(RETRY)) == ()

    @needs(Capability.LEDGER)
    def test_what_was_put_back_was_removed_all_the_same(self, notebook: Notebook) -> None:
        """Lines that came back, by a revert say, are forgotten; only the file knows whether it has them now."""
        books = Books(notebook)
        first = books.record(change("a.py", went=(*RETRY, *PARSE)))
        books.record(change("a.py", came=RETRY))
        assert [each.observation for each in books.removed("a.py", RETRY)] == [first.id]
        again = books.record(change("a.py", went=RETRY))
        assert [each.observation for each in books.removed("a.py", RETRY)] == [again.id, first.id]

    @needs(Capability.LEDGER)
    def test_what_moved_is_not_removed(self, notebook: Notebook) -> None:
        """Lines that one observation took from a file and brought to another count as removed."""
        books = Books(notebook)
        books.record(change("a.py", went=(*RETRY, *PARSE)), change("b.py", came=RETRY))
        assert books.removed("a.py", RETRY) == ()
        assert [len(each.fingerprints) for each in books.removed("a.py", RETRY, PARSE)] == [2]

    @needs(Capability.LEDGER)
    def test_edits_that_joined_follow_one_another(self, notebook: Notebook) -> None:
        """Lines that one of several joined edits added and the next one removed are not reported."""
        books = Books(notebook)
        first = books.record(change("a.py", came=RETRY))
        joined = books.record(change("a.py", went=RETRY), at=first.occurred_at)
        assert (joined.id, [each.observation for each in books.removed("a.py", RETRY)]) == (first.id, [first.id])

    @needs(Capability.LEDGER)
    def test_saved_changes_are_in_the_ledger(self, notebook: Notebook) -> None:
        """Only captures are in the ledger, and not the changes of what was saved by hand."""
        books = Books(notebook)
        saved = notebook.save("no retries", source="decision", changes=(change("a.py", went=RETRY),))
        assert books.entries("a.py") == (
            FileChange(
                observation=saved.id,
                at=saved.occurred_at,
                kind=Kind.NOTE,
                session=None,
                title="",
                source="decision",
                change=CodeChange(path="a.py", additions=0, deletions=2),
            ),
        )
        assert [(each.observation, each.kind) for each in books.removed("a.py", RETRY)] == [(saved.id, Kind.NOTE)]

    @needs(Capability.LEDGER)
    def test_purged_changes_are_in_no_answer(self, notebook: Notebook) -> None:
        """Purged changes still count, also as renames, or restored ones don't count again."""
        books = Books(notebook)
        gone = books.record(change("a.py", went=RETRY))
        again = books.record(change("a.py", went=RETRY, former="b.py"))
        notebook.purge(again)
        assert [each.observation for each in books.removed("a.py", RETRY)] == [gone.id]
        assert [each.observation for each in books.entries("a.py")] == [gone.id]
        assert books.ledger.names("a.py") == ("a.py",)
        notebook.restore(again)
        assert [each.observation for each in books.removed("a.py", RETRY)] == [again.id, gone.id]
        assert books.ledger.names("a.py") == ("a.py", "b.py")
        notebook.purge(gone, again)
        assert (books.removed("a.py", RETRY), books.entries("a.py")) == ((), ())

    @needs(Capability.LEDGER)
    @needs(Capability.ERASE)
    def test_erased_changes_are_in_no_answer(self, notebook: Notebook) -> None:
        """Removed lines or former names are kept when their observation is erased."""
        books = Books(notebook)
        gone = books.record(change("a.py", went=RETRY, former="b.py"))
        assert [each.observation for each in books.removed("a.py", RETRY)] == [gone.id]
        notebook.erase(gone)
        assert (books.removed("a.py", RETRY), books.entries("a.py")) == ((), ())
        assert books.ledger.names("a.py") == ("a.py",)

    @needs(Capability.LEDGER)
    def test_a_history_is_latest_first(self, notebook: Notebook) -> None:
        """The order is that of recording, the oldest are given where there are too many, or hunks come along."""
        books = Books(notebook)
        captures = [
            books.capture(change("a.py", went=lines), reason=name)
            for name, lines in (("one", RETRY), ("two", PARSE), ("three", PRINT))
        ]
        books.ledger.record([captures[1], captures[2], captures[0]])
        assert [title for title, _ in books.history("a.py")] == ["three", "two", "one"]
        assert [title for title, _ in books.history("a.py", 2)] == ["three", "two"]
        assert {each.change.hunks for each in books.entries("a.py")} == {""}
        assert [(each.change.additions, each.change.deletions) for each in books.entries("a.py", 1)] == [(0, 2)]

    @needs(Capability.LEDGER)
    def test_renames_are_followed(self, notebook: Notebook) -> None:
        """A renamed file begins anew, or what is called like it was is taken for its past."""
        books = Books(notebook)
        for reason, made in (
            ("made", change("a.py", went=RETRY)),
            ("renamed", change("b.py", former="a.py")),
            ("another", change("a.py", went=PARSE)),
            ("renamed again", change("c.py", went=PRINT, former="b.py")),
        ):
            books.ledger.record([books.capture(made, reason=reason)])
        assert [books.ledger.names(each) for each in ("c.py", "b.py", "a.py")] == [
            ("c.py", "b.py", "a.py"),
            ("b.py", "a.py"),
            ("a.py",),
        ]
        assert books.history("c.py") == [("renamed again", "c.py"), ("renamed", "b.py"), ("made", "a.py")]
        assert [each.path for each in books.removed("c.py", RETRY, PARSE, PRINT)] == ["c.py", "a.py"]
        assert [each.title for each in books.removed("a.py", RETRY, PARSE)] == ["another", "made"]

    @needs(Capability.LEDGER)
    def test_a_file_that_is_called_as_before_has_one_history(self, notebook: Notebook) -> None:
        """A file that was renamed and renamed back never ends, or has entries twice."""
        books = Books(notebook)
        books.record(change("a.py", went=RETRY))
        books.record(change("b.py", went=PARSE, former="a.py"))
        books.record(change("a.py", went=PRINT, former="b.py"))
        assert books.ledger.names("a.py") == ("a.py", "b.py")
        assert [path for _, path in books.history("a.py")] == ["a.py", "b.py", "a.py"]

    @needs(Capability.LEDGER)
    def test_a_session_is_told_once(self, notebook: Notebook) -> None:
        """A report to one session counts for other sessions, files or removals, or is not remembered."""
        books = Books(notebook)
        books.record(change("a.py", went=RETRY), change("b.py", went=RETRY))
        books.record(change("a.py", went=PARSE))
        (second,), (first,) = books.removed("a.py", PARSE), books.removed("a.py", RETRY)
        (beside,) = books.removed("b.py", RETRY)
        told = [
            books.ledger.tell(session, removal)
            for session, removal in (("s1", first), ("s1", first), ("s2", first), ("s1", second), ("s1", beside))
        ]
        assert told == [True, False, True, True, True]
        assert not books.ledger.tell("s1", evolve(first, observation=notebook.new_id()))

    @needs(Capability.LEDGER)
    def test_each_project_has_its_own_ledger(self, notebook: Notebook) -> None:
        """Changes or captures of another project are in the answer, or an unknown project is made."""
        here, there = Books(notebook), Books(notebook.elsewhere("there"))
        assert here.ledger.record([here.capture(change("a.py", went=RETRY), request="call")]) == (Recorded.NEW,)
        assert there.ledger.record([there.capture(change("a.py", went=PARSE), request="call")]) == (Recorded.NEW,)
        assert (len(here.entries("a.py")), len(there.removed("a.py", RETRY))) == (1, 0)
        with pytest.raises(UnknownProjectError):
            notebook.storage.ledger("unknown")


class LedgerMovingClauses:
    """The ledger moves with its project in merges and splits, and survives restarts."""

    @needs(Capability.LEDGER)
    @needs(Capability.MERGE)
    def test_a_merge_moves_the_ledger(self, notebook: Notebook) -> None:
        """Removed lines, former names or captures stay behind in a merge or a split."""
        old, new = Books(notebook.elsewhere("old")), Books(notebook.elsewhere("new"))
        capture = old.capture(change("b.py", went=RETRY, former="a.py"), request="call")
        old.ledger.record([capture])
        own = new.capture(change("b.py", went=PARSE), request="call of new")
        new.ledger.record([own])
        notebook.storage.registry.merge(old.notebook.project.id, new.notebook.project.id)
        assert {each.observation for each in new.removed("b.py", RETRY, PARSE)} == {capture.id, own.id}
        assert old.ledger.names("b.py") == new.ledger.names("b.py") == ("b.py", "a.py")
        assert new.ledger.known(["call", "call of new"]) == {"call", "call of new"}
        notebook.storage.registry.split(old.notebook.project.id)
        assert [each.observation for each in old.removed("b.py", RETRY, PARSE)] == [capture.id]
        assert [each.observation for each in new.removed("b.py", RETRY, PARSE)] == [own.id]
        assert old.ledger.known(["call", "call of new"]) == {"call"}
        assert new.ledger.known(["call", "call of new"]) == {"call of new"}

    @needs(Capability.LEDGER)
    @needs(Capability.DURABLE)
    def test_the_ledger_survives_a_restart(self, notebook: Notebook) -> None:
        """Removed lines, former names, captures or reports are in memory only."""
        books = Books(notebook)
        capture = books.capture(change("b.py", went=RETRY, former="a.py"), request="call")
        books.ledger.record([capture])
        (removal,) = books.removed("b.py", RETRY)
        books.ledger.tell("s1", removal)
        again = Books(notebook.reopened())
        assert again.removed("b.py", RETRY) == (removal,)
        assert again.ledger.names("b.py") == ("b.py", "a.py")
        assert again.ledger.record([capture]) == (Recorded.KNOWN,)
        assert not again.ledger.tell("s1", removal)
