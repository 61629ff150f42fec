"""Clauses on recording captured changes as observations."""

from lamella.domain.memories.query import ByTitle, Recent
from lamella.ports.storage.ledger import Recorded
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.fixtures.ledger import RETRY, LedgerFixture, change
from lamella_contracts.fixtures.project import LONG_KEY, MINUTE, START, ProjectFixture


class RecordingClauses:
    """A capture becomes an observation, or part of one, exactly once."""

    @needs(Capability.LEDGER)
    def test_a_capture_becomes_an_observation(self, project: ProjectFixture) -> None:
        """A field of a capture is lost, its request counts as the observation's, or it isn't indexed."""
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
        around = search.around(late.id, before=9, after=1)
        assert [hit.observation.title for hit in (*around.before, *around.after)] == ["at 0", "at 2"]
        assert (around.total_before, around.total_after) == (1, 2)
        titles = [hit.observation.title for hit in project.find(ByTitle("at"))]
        assert titles == ["at 4", "at 2", "at 1", "at 0"]

    @needs(Capability.LEDGER)
    def test_no_captures_are_no_error(self, project: ProjectFixture) -> None:
        """An empty list makes a statement that is no statement."""
        port = LedgerFixture(project).port
        assert (port.record([]), port.known([]), port.removals("a.py", [])) == ((), frozenset(), ())

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
