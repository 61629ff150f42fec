"""Clauses on the ledger of what comes from another storage."""

from lamella.domain.exchange.arrival import Arrival
from lamella.domain.memories.observation import Kind
from lamella.ports.storage.ledger import Recorded
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.exchange import from_elsewhere
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.fixtures.ledger import PARSE, RETRY, LedgerFixture, all_fingerprints, change
from lamella_contracts.fixtures.project import MINUTE, ProjectFixture


class LedgerTakingOverClauses:
    """Changes that were taken over are part of the ledger."""

    @needs(Capability.LEDGER)
    def test_the_ledger_knows_what_was_taken_over(self, project: ProjectFixture) -> None:
        """Fingerprints of lines are not made, or captures are recorded again that were recorded elsewhere."""
        ledger = LedgerFixture(project)
        one, two = (
            from_elsewhere(project, name, kind=Kind.CHANGE, changes=(change(f"{name}.py", removed=RETRY),))
            for name in ("one", "two")
        )
        project.observations.take_over([Arrival(observation=one, request="capture-1"), Arrival(observation=two)])
        (gone,) = ledger.port.removals("one.py", all_fingerprints(RETRY))
        assert gone.observation == one.id
        assert [each.observation for each in ledger.port.history(".", limit=9)] == [two.id, one.id]
        assert ledger.port.known(["capture-1", "capture-2"]) == {"capture-1"}

    @needs(Capability.LEDGER)
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

    @needs(Capability.LEDGER)
    def test_pages_name_the_captures(self, project: ProjectFixture) -> None:
        """The request of a capture is not kept with its observation, and is recorded again elsewhere."""
        ledger = LedgerFixture(project)
        ledger.port.record([ledger.capture(change("a.py"), request="capture-1")])
        (page,) = project.observations.page(limit=9)
        assert page.request == "capture-1"
        there = project.other("there")
        there.observations.take_over([page])
        again = ledger.capture(change("a.py"), request="capture-1")
        assert project.storage.ledger(there.id).record([again]) == (Recorded.KNOWN,)
