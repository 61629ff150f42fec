"""Clauses on the ledger of what comes from another storage."""

from lamella.ports.storage.ledger import Recorded
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import every_clause_needs
from lamella_contracts.fixtures.ledger import PARSE, RETRY, LedgerFixture, all_fingerprints, change
from lamella_contracts.fixtures.project import MINUTE, ProjectFixture


@every_clause_needs(Capability.LEDGER)
class LedgerTakingOverClauses:
    """Changes that were taken over are part of the ledger."""

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
        """Pages lack the lines of aged edits, or what takes them over forgets them."""
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
