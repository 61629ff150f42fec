"""Clauses on recording captured changes as observations."""

from lamella.domain.memories.query import ByTitle, Recent
from lamella.ports.storage.ledger import Recorded
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import every_clause_needs
from lamella_contracts.fixtures.ledger import RETRY, LedgerFixture, change
from lamella_contracts.fixtures.project import LONG_KEY, MINUTE, START, ProjectFixture


@every_clause_needs(Capability.LEDGER)
class RecordingClauses:
    """A capture becomes an observation, or part of one, exactly once."""

    def test_a_capture_takes_its_place_in_time(self, project: ProjectFixture) -> None:
        """A late capture is put after all others in search, contexts or around a moment, or isn't indexed."""
        ledger = LedgerFixture(project)
        project.save("early", title="at 0", session="s1", now=START)
        project.refer("late", title="at 2", session="s1", now=START + 2 * MINUTE)
        late = ledger.capture(change("a.py", removed=RETRY), at=START + MINUTE, reason="at 1")
        ledger.port.record([late])
        for search in (Recent(), ByTitle("at")):
            assert [hit.observation.title for hit in project.find(search)] == ["at 2", "at 1", "at 0"]
        assert (project.leaning_on("retried"), project.leaning_on("early")) == ({"late"}, {"late"})
        assert [hit.observation.id for hit in project.find("retried")] == [late.id]
        around = project.search.around(late.id, before=9, after=1)
        assert [hit.observation.title for hit in (*around.before, *around.after)] == ["at 0", "at 2"]
        assert (around.total_before, around.total_after) == (1, 1)

    def test_no_captures_are_no_error(self, project: ProjectFixture) -> None:
        """An empty list makes a statement that is no statement."""
        port = LedgerFixture(project).port
        assert (port.record([]), port.known([]), port.removals("a.py", [])) == ((), frozenset(), ())

    def test_long_requests_are_told_apart(self, project: ProjectFixture) -> None:
        """A column or an index is too short for a long request or session, or one is asked for unshortened."""
        ledger = LedgerFixture(project)
        keys = [f"{LONG_KEY}{end}" for end in "ab"]
        captures = [ledger.capture(change("a.py", removed=RETRY), request=key, session=None) for key in keys]
        assert ledger.port.record([*captures, captures[0]]) == (Recorded.NEW, Recorded.NEW, Recorded.KNOWN)
        assert ledger.port.known([*keys, LONG_KEY]) == set(keys)
        removal = next(iter(ledger.removed("a.py", RETRY)))
        assert [ledger.port.tell(key, removal) for key in (*keys, *keys)] == [True, True, False, False]
