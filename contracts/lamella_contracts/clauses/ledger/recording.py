"""Clauses on recording captured changes as observations."""

from functools import partial

from attrs import evolve

from lamella.domain.memories.kind import FOUND
from lamella.domain.memories.query import ByTitle, Recent
from lamella.ports.storage.ledger import Recorded
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.clauses.storage.concurrency import THREADS, at_once
from lamella_contracts.fixtures.ledger import PARSE, PRINT, RETRY, LedgerFixture, change
from lamella_contracts.fixtures.project import LONG_KEY, MINUTE, START, ProjectFixture, signed


class RecordingClauses:
    """A capture becomes an observation, or part of one, exactly once."""

    @needs(Capability.LEDGER)
    def test_a_capture_becomes_an_observation(self, project: ProjectFixture) -> None:
        """A field of a capture is lost, its request is told as the observation's, or it is not indexed."""
        ledger = LedgerFixture(project)
        capture = ledger.capture(change("a.py", removed=RETRY, former="b.py"), reason="No zebras")
        assert ledger.port.record([capture]) == (Recorded.NEW,)
        stored = project.observations.get_all([capture.id])[capture.id]
        assert stored == capture.draft.observed(
            id=capture.id, project=project.id, sequence=stored.sequence, now=capture.at
        )
        assert [hit.observation for hit in project.find("zebras")] == [stored]
        assert [hit.observation for hit in project.find("retried attempts")] == [stored]
        assert [hit.observation for hit in project.find(Recent(), path="a.py")] == [stored]

    @needs(Capability.LEDGER)
    def test_a_capture_takes_its_place_in_time(self, project: ProjectFixture) -> None:
        """A capture that comes late is put after all others, or isn't in the context of those after it."""
        ledger = LedgerFixture(project)
        project.save("early", session="s1", now=START)
        project.refer("late", session="s1", now=START + 2 * MINUTE)
        ledger.port.record([ledger.capture(change("a.py", removed=RETRY), at=START + MINUTE, reason="Between")])
        assert [hit.observation.title for hit in project.find(Recent())] == ["", "Between", ""]
        assert (project.leaning_on("retried"), project.leaning_on("early")) == ({"late"}, {"late"})

    @needs(Capability.LEDGER)
    def test_a_late_capture_has_its_neighbours_in_time(self, project: ProjectFixture) -> None:
        """Titles, neighbours or what is around a moment are ordered by sequence, which a late capture has last."""
        ledger = LedgerFixture(project)
        for minutes in (0, 2, 4):
            project.save(f"at {minutes}", title=f"at {minutes}", session="s1", now=START + minutes * MINUTE)
        late = ledger.capture(change("a.py", removed=RETRY), at=START + MINUTE, reason="at 1")
        ledger.port.record([late])
        search = project.search
        near = search.neighbourhood(late.id, each_side=1)
        around = search.around(late.id, before=9, after=1)
        assert [hit.observation.title for hit in near] == ["at 0", "at 1", "at 2"]
        assert [each.title for side in (around.before, around.after) for each in side] == ["at 0", "at 2"]
        assert (around.total_before, around.total_after) == (1, 2)
        titles = [hit.observation.title for hit in project.find(ByTitle("at"))]
        assert titles == ["at 4", "at 2", "at 1", "at 0"]

    @needs(Capability.LEDGER)
    def test_no_captures_are_no_error(self, project: ProjectFixture) -> None:
        """An empty list makes a statement that is no statement."""
        port = LedgerFixture(project).port
        assert (port.record([]), port.known([]), port.removals("a.py", [])) == ((), frozenset(), ())

    @needs(Capability.LEDGER)
    def test_a_known_capture_is_passed_over(self, project: ProjectFixture) -> None:
        """A capture that is drained again, or stands twice in a batch, is doubled."""
        ledger = LedgerFixture(project)
        first = ledger.capture(change("a.py", removed=RETRY), request="call 1")
        again = ledger.capture(change("a.py", removed=RETRY), request="call 1")
        other = ledger.capture(change("a.py", removed=PARSE), request="call 2")
        assert ledger.port.record([first, again]) == (Recorded.NEW, Recorded.KNOWN)
        assert ledger.port.record([again, other]) == (Recorded.KNOWN, Recorded.NEW)
        assert project.search.count() == 2
        assert ledger.port.known(["call 1", "call 2", "call 3"]) == {"call 1", "call 2"}

    @needs(Capability.LEDGER)
    def test_long_requests_are_told_apart(self, project: ProjectFixture) -> None:
        """A column or an index is too short for a long request or session, or one is asked for unshortened."""
        ledger = LedgerFixture(project)
        keys = [f"{LONG_KEY}{end}" for end in "ab"]
        captures = [ledger.capture(change("a.py", removed=RETRY), request=key, session=None) for key in keys]
        assert ledger.port.record([*captures, captures[0]]) == (Recorded.NEW, Recorded.NEW, Recorded.KNOWN)
        assert ledger.port.known([*keys, LONG_KEY]) == set(keys)
        removal = next(iter(ledger.removed("a.py", RETRY)))
        assert [ledger.port.tell(key, removal) for key in (*keys, *keys)] == [True, True, False, False]

    @needs(Capability.LEDGER)
    def test_a_capture_without_a_request_is_always_new(self, project: ProjectFixture) -> None:
        """Captures without a request are taken for one another, or for observations that say the same."""
        ledger = LedgerFixture(project)
        captures = [ledger.capture(change("a.py", removed=RETRY)) for _ in range(2)]
        assert ledger.port.record(captures) == (Recorded.NEW, Recorded.NEW)
        assert project.search.count() == 2

    @needs(Capability.LEDGER)
    @needs(Capability.ERASE)
    def test_an_erased_capture_stays_known(self, project: ProjectFixture) -> None:
        """A recorded capture is forgotten with its observation, and the next drain brings it back."""
        ledger = LedgerFixture(project)
        capture = ledger.capture(change("a.py", removed=RETRY), request="call 1")
        ledger.port.record([capture])
        project.observations.erase([capture.id], by=signed())
        assert ledger.port.record([capture]) == (Recorded.KNOWN,)
        assert project.search.count(include_purged=True) == 0

    @needs(Capability.LEDGER)
    def test_an_edit_joins_the_change_before_it(self, project: ProjectFixture) -> None:
        """Another edit of a file within minutes is an observation of its own, or what it says is not indexed."""
        ledger = LedgerFixture(project)
        first = ledger.record(change("a.py", removed=RETRY), at=START)
        project.refer("after", session="s1", now=START + MINUTE)
        again = ledger.capture(change("a.py", added=PARSE), at=START + 9 * MINUTE, request="call 2")
        assert ledger.port.record([again, again]) == (Recorded.JOINED, Recorded.KNOWN)
        whole = project.get(first)
        assert (whole.occurred_at, whole.updated_at, whole.sequence) == (
            first.occurred_at,
            again.at,
            first.sequence,
        )
        assert [(each.path, each.additions, each.deletions) for each in whole.changes] == [("a.py", 2, 2)]
        assert whole.content.startswith(first.content)
        assert [hit.observation for hit in project.find("document")][:1] == [whole]
        assert project.leaning_on("document") == {"after"}

    @needs(Capability.LEDGER)
    def test_other_edits_stay_apart(self, project: ProjectFixture) -> None:
        """An edit joins one of another session, file or hour, a purged one, or one that another came after."""
        ledger = LedgerFixture(project)
        first = ledger.record(change("a.py", removed=RETRY), at=START)
        for at, path, session in (
            (START + MINUTE, "b.py", "s1"),
            (START + MINUTE, "a.py", "s2"),
            (START + 2 * MINUTE, "a.py", "s1"),
            (START + 13 * MINUTE, "a.py", "s1"),
            (START + 14 * MINUTE, "a.py", None),
        ):
            project.purge(*[ledger.record(change(path, removed=PARSE), at=at, session=session)][: path == "b.py"])
        assert project.get(first) == first
        assert ledger.record(change("b.py", removed=PRINT), at=START + 2 * MINUTE).changes[0].deletions == 2
        assert project.search.count(include_purged=True) == 7

    @needs(Capability.LEDGER)
    def test_edits_for_another_request_stay_apart(self, project: ProjectFixture) -> None:
        """An edit joins one that was made before the user asked for it, or for another reason."""
        ledger = LedgerFixture(project)
        captures = [
            ledger.capture(change("a.py", removed=RETRY), at=START + MINUTE, asked=START),
            ledger.capture(change("a.py", removed=PARSE), at=START + 2 * MINUTE, asked=START),
            ledger.capture(change("a.py", removed=PRINT), at=START + 3 * MINUTE, asked=START + 2 * MINUTE),
            ledger.capture(change("a.py", added=PRINT), at=START + 4 * MINUTE, reason="Another reason"),
        ]
        recorded = ledger.port.record(captures)
        assert recorded == (Recorded.NEW, Recorded.JOINED, Recorded.NEW, Recorded.NEW)

    @needs(Capability.LEDGER)
    def test_an_edit_makes_what_was_found_before_its_own(self, project: ProjectFixture) -> None:
        """A change that was found in a file is doubled by the edit that tells of it, or keeps its own reason."""
        ledger, lines = LedgerFixture(project), change("a.py", removed=RETRY, added=PARSE)
        found = ledger.capture(lines, at=START + MINUTE, source=FOUND, reason="Zebras")
        told = ledger.capture(lines, at=START, request="call 1", reason="Why: no penguins")
        ledger.port.record([found])
        assert ledger.port.record([told, told]) == (Recorded.JOINED, Recorded.KNOWN)
        stored = project.observations.get_all([found.id])[found.id]
        assert stored == evolve(
            found.draft.observed(id=found.id, project=project.id, sequence=stored.sequence, now=found.at),
            **{name: getattr(told.draft, name) for name in ("title", "content", "source")},
        )
        assert [hit.observation for hit in project.find("penguins")] == [stored]
        assert project.find("zebras") == ()

    @needs(Capability.LEDGER)
    def test_racing_drains_double_nothing(self, project: ProjectFixture) -> None:
        """The check for a known capture is outside the transaction that stores it."""
        ledger = LedgerFixture(project)
        captures = [ledger.capture(change("a.py", removed=RETRY), request=f"call {number}") for number in range(5)]
        recorded = at_once([partial(ledger.port.record, captures)] * THREADS)
        assert sorted(each for found in recorded for each in found).count(Recorded.NEW) == len(captures)
        assert project.search.count() == len(captures)
