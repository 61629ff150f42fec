"""Clauses on recording captured changes as observations."""

from functools import partial

from attrs import evolve

from lamella.domain.memories.kind import FOUND
from lamella.domain.memories.observation import Kind
from lamella.domain.memories.query import Recent
from lamella.ports.storage.ledger import Recorded
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.clauses.storage.concurrency import THREADS, at_once
from lamella_contracts.fixtures.ledger import PARSE, PRINT, RETRY, Books, change
from lamella_contracts.fixtures.project import DAWN, MINUTE, Notebook


class RecordingClauses:
    """A capture becomes an observation, or part of one, exactly once."""

    @needs(Capability.LEDGER)
    def test_a_capture_becomes_an_observation(self, notebook: Notebook) -> None:
        """A field of a capture is lost, its request is told as the observation's, or it is not indexed."""
        books = Books(notebook)
        capture = books.capture(change("a.py", went=RETRY, former="b.py"), reason="No zebras")
        assert books.ledger.record([capture]) == (Recorded.NEW,)
        stored = notebook.observations.get(capture.id)
        assert stored == capture.draft.observed(
            id=capture.id, project=notebook.project.id, sequence=1, now=capture.at
        )
        assert [hit.observation for hit in notebook.find("zebras")] == [stored]
        assert [hit.observation for hit in notebook.find("retried attempts")] == [stored]
        assert [hit.observation for hit in notebook.find(Recent(), path="a.py")] == [stored]

    @needs(Capability.LEDGER)
    def test_a_capture_takes_its_place_in_time(self, notebook: Notebook) -> None:
        """A capture that comes late is put after all others, or isn't in the context of those after it."""
        books = Books(notebook)
        notebook.save("early", session="s1", now=DAWN)
        notebook.save("late", session="s1", now=DAWN + 2 * MINUTE)
        books.ledger.record([books.capture(change("a.py", went=RETRY), at=DAWN + MINUTE, reason="Between")])
        assert [hit.observation.title or hit.observation.content for hit in notebook.find(Recent())] == [
            "late",
            "Between",
            "early",
        ]
        assert [hit.observation.content for hit in notebook.find("retried")][1:] == ["late"]
        assert {hit.observation.title for hit in notebook.find("early")} == {"", "Between"}

    @needs(Capability.LEDGER)
    def test_a_known_capture_is_passed_over(self, notebook: Notebook) -> None:
        """A capture that is drained again, or stands twice in a batch, is doubled."""
        books = Books(notebook)
        first = books.capture(change("a.py", went=RETRY), request="call 1")
        again = books.capture(change("a.py", went=RETRY), request="call 1")
        other = books.capture(change("a.py", went=PARSE), request="call 2")
        assert books.ledger.record([first, again]) == (Recorded.NEW, Recorded.KNOWN)
        assert books.ledger.record([again, other]) == (Recorded.KNOWN, Recorded.NEW)
        assert notebook.search.count() == 2
        assert books.ledger.known(["call 1", "call 2", "call 3"]) == {"call 1", "call 2"}

    @needs(Capability.LEDGER)
    def test_a_capture_without_a_request_is_always_new(self, notebook: Notebook) -> None:
        """Captures without a request are taken for one another, or for observations that say the same."""
        books = Books(notebook)
        captures = [books.capture(change("a.py", went=RETRY)) for _ in range(2)]
        assert books.ledger.record(captures) == (Recorded.NEW, Recorded.NEW)
        assert notebook.search.count() == 2

    @needs(Capability.LEDGER)
    @needs(Capability.ERASE)
    def test_an_erased_capture_stays_known(self, notebook: Notebook) -> None:
        """A recorded capture is forgotten with its observation, and the next drain brings it back."""
        books = Books(notebook)
        capture = books.capture(change("a.py", went=RETRY), request="call 1")
        books.ledger.record([capture])
        notebook.observations.erase([capture.id])
        assert books.ledger.record([capture]) == (Recorded.KNOWN,)
        assert notebook.search.count(include_purged=True) == 0

    @needs(Capability.LEDGER)
    def test_an_edit_joins_the_change_before_it(self, notebook: Notebook) -> None:
        """Another edit of a file within minutes is an observation of its own, or what it says is not indexed."""
        books = Books(notebook)
        first = books.record(change("a.py", went=RETRY), at=DAWN)
        notebook.save("after", session="s1", now=DAWN + MINUTE)
        again = books.capture(change("a.py", came=PARSE), at=DAWN + 9 * MINUTE, request="call 2")
        assert books.ledger.record([again, again]) == (Recorded.JOINED, Recorded.KNOWN)
        whole = notebook.get(first)
        assert (whole.occurred_at, whole.updated_at, whole.sequence) == (
            first.occurred_at,
            again.at,
            first.sequence,
        )
        assert [(each.path, each.additions, each.deletions) for each in whole.changes] == [("a.py", 2, 2)]
        assert whole.content.startswith(first.content)
        assert [hit.observation for hit in notebook.find("document")][:1] == [whole]
        assert [hit.observation.kind for hit in notebook.find("A reason")] == [Kind.CHANGE, Kind.NOTE]

    @needs(Capability.LEDGER)
    def test_other_edits_stay_apart(self, notebook: Notebook) -> None:
        """An edit joins one of another session, file or hour, a purged one, or one that another came after."""
        books = Books(notebook)
        first = books.record(change("a.py", went=RETRY), at=DAWN)
        for at, path, session in (
            (DAWN + MINUTE, "b.py", "s1"),
            (DAWN + MINUTE, "a.py", "s2"),
            (DAWN + 2 * MINUTE, "a.py", "s1"),
            (DAWN + 13 * MINUTE, "a.py", "s1"),
            (DAWN + 14 * MINUTE, "a.py", None),
        ):
            notebook.purge(*[books.record(change(path, went=PARSE), at=at, session=session)][: path == "b.py"])
        assert notebook.get(first) == first
        assert books.record(change("b.py", went=PRINT), at=DAWN + 2 * MINUTE).changes[0].deletions == 2
        assert notebook.search.count(include_purged=True) == 7

    @needs(Capability.LEDGER)
    def test_edits_for_another_request_stay_apart(self, notebook: Notebook) -> None:
        """An edit joins one that was made before the user asked for it, or for another reason."""
        books = Books(notebook)
        captures = [
            books.capture(change("a.py", went=RETRY), at=DAWN + MINUTE, asked=DAWN),
            books.capture(change("a.py", went=PARSE), at=DAWN + 2 * MINUTE, asked=DAWN),
            books.capture(change("a.py", went=PRINT), at=DAWN + 3 * MINUTE, asked=DAWN + 2 * MINUTE),
            books.capture(change("a.py", came=PRINT), at=DAWN + 4 * MINUTE, reason="Another reason"),
        ]
        recorded = books.ledger.record(captures)
        assert recorded == (Recorded.NEW, Recorded.JOINED, Recorded.NEW, Recorded.NEW)

    @needs(Capability.LEDGER)
    def test_an_edit_makes_what_was_found_before_its_own(self, notebook: Notebook) -> None:
        """A change that was found in a file is doubled by the edit that tells of it, or keeps its own reason."""
        books, lines = Books(notebook), change("a.py", went=RETRY, came=PARSE)
        found = books.capture(lines, at=DAWN + MINUTE, source=FOUND, reason="Zebras")
        told = books.capture(lines, at=DAWN, request="call 1", reason="Why: no penguins")
        books.ledger.record([found])
        assert books.ledger.record([told, told]) == (Recorded.JOINED, Recorded.KNOWN)
        stored = notebook.observations.get(found.id)
        assert stored == evolve(
            found.draft.observed(id=found.id, project=notebook.project.id, sequence=1, now=found.at),
            **{name: getattr(told.draft, name) for name in ("title", "content", "source")},
        )
        assert [hit.observation for hit in notebook.find("penguins")] == [stored]
        assert notebook.find("zebras") == ()

    @needs(Capability.LEDGER)
    def test_racing_drains_double_nothing(self, notebook: Notebook) -> None:
        """The check for a known capture is outside the transaction that stores it."""
        books = Books(notebook)
        captures = [books.capture(change("a.py", went=RETRY), request=f"call {number}") for number in range(5)]
        recorded = at_once([partial(books.ledger.record, captures)] * THREADS)
        assert sorted(each for found in recorded for each in found).count(Recorded.NEW) == len(captures)
        assert notebook.search.count() == len(captures)
