"""Clauses on recording captured changes as observations, and on taking them over from another storage."""

from lamella.domain.memories.query import ByTitle, Recent
from lamella.ports.storage.ledger import Recorded
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import every_clause_needs
from lamella_contracts.fixtures.ledger import PARSE, RETRY, LedgerFixture, all_fingerprints, change
from lamella_contracts.fixtures.project import LONG_KEY, MINUTE, START, ProjectFixture


@every_clause_needs(Capability.LEDGER)
class RecordingClauses:
    """A capture becomes an observation, or part of one, exactly once, also in another storage."""

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
        """An empty list becomes an invalid statement."""
        port = LedgerFixture(project).port
        assert (port.record([]), port.known([]), port.removals("a.py", [])) == ((), frozenset(), ())

    def test_long_requests_are_told_apart(self, project: ProjectFixture) -> None:
        """A column or an index is too short for a long request or session, or a lookup doesn't shorten it."""
        ledger = LedgerFixture(project)
        keys = [f"{LONG_KEY}{end}" for end in "ab"]
        captures = [ledger.capture(change("a.py", removed=RETRY), request=key, session=None) for key in keys]
        assert ledger.port.record([*captures, captures[0]]) == (Recorded.NEW, Recorded.NEW, Recorded.KNOWN)
        assert ledger.port.known([*keys, LONG_KEY]) == set(keys)
        removal = next(iter(ledger.removed("a.py", RETRY)))
        assert [ledger.port.tell(key, removal) for key in (*keys, *keys)] == [True, True, False, False]

    def test_the_ledger_knows_what_was_taken_over(self, project: ProjectFixture) -> None:
        """Fingerprints of lines are not made, or the request of a capture is not in its page or recorded again."""
        ledger, there = LedgerFixture(project), LedgerFixture(project.other("there"))
        first = ledger.capture(change("a.py", removed=RETRY), request="capture-1")
        ledger.port.record([first])
        (page,) = project.observations.page(limit=9)
        assert page.request == "capture-1"
        there.project.observations.take_over([page])
        (gone,) = there.port.removals("a.py", all_fingerprints(RETRY))
        assert (gone.observation, *there.port.known(["capture-1", "capture-2"])) == (first.id, "capture-1")
        assert there.port.record([first]) == (Recorded.KNOWN,)

    def test_lines_that_age_has_dropped_come_along(self, project: ProjectFixture) -> None:
        """Pages lack the lines of aged edits, or an import drops them."""
        here, there = LedgerFixture(project), LedgerFixture(project.other("there"))
        kept = change("b.py", removed=PARSE)
        here.port.record([here.capture(change("a.py", removed=RETRY)), here.capture(kept, session="s2")])
        before = here.removed("a.py", RETRY)
        (first, _) = project.observations.page(limit=9)
        while here.port.age(first.observation.occurred_at + MINUTE, limit=1):
            pass
        pages = project.observations.page(limit=9)
        assert [bool(each.lines) for each in pages] == [True, False]
        there.project.observations.take_over(pages)
        assert [each.lines for each in there.project.observations.page(limit=9)] == [each.lines for each in pages]
        assert [each.observation for each in there.removed("a.py", RETRY)] == [each.observation for each in before]
        assert len(there.removed("b.py", PARSE)) == 1
