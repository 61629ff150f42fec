"""Clauses on dropping the lines of captured edits."""

from attrs import evolve

from lamella.domain.ledger.ageing import aged
from lamella.domain.ledger.describe import described
from lamella.domain.memories.kind import EDITED, FOUND
from lamella.domain.memories.observation import CodeChange, Observation
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import every_clause_needs
from lamella_contracts.fixtures.ledger import PARSE, PRINT, RETRY, LedgerFixture, change
from lamella_contracts.fixtures.project import MINUTE, ProjectFixture

_MOST_STEPS = 20


@every_clause_needs(Capability.LEDGER)
class AgeingClauses:
    """Old captured edits lose their lines, and nothing else does."""

    def test_old_edits_lose_their_lines(self, project: ProjectFixture) -> None:
        """Lines stay in changes or in the index, counts or reports are lost, or ageing never ends."""
        ledger = LedgerFixture(project)
        edits = [_captured(ledger, source, change("a.py", removed=RETRY)) for source in (EDITED, FOUND)]
        project.purge(edits[1])
        former = [project.get(each) for each in edits]
        (removal,) = ledger.removed("a.py", RETRY)
        ledger.port.tell("s1", removal)
        _age(ledger, edits[-1])
        assert [project.get(each) for each in edits] == [aged(each) for each in former]
        assert [hit.observation.id for hit in project.find("zebras")] == [edits[0].id]
        assert project.find("retried") == ()
        assert not ledger.port.tell("s1", removal)

    def test_aged_edits_are_warned_of_all_the_same(self, project: ProjectFixture) -> None:
        """Removed lines, former names or the history are lost with the hunks."""
        ledger = LedgerFixture(project)
        _captured(ledger, EDITED, change("b.py", removed=PARSE, former="a.py"))
        last = _captured(ledger, EDITED, change("b.py", removed=RETRY, added=PRINT))
        before = (ledger.removed("b.py", RETRY, PARSE), ledger.history("b.py"), ledger.port.names("b.py"))
        _age(ledger, last)
        assert len(before[0]) == 2
        assert (ledger.removed("b.py", RETRY, PARSE), ledger.history("b.py"), ledger.port.names("b.py")) == before


def _captured(ledger: LedgerFixture, source: str, *changes: CodeChange) -> Observation:
    """Record an edit with a description, as captures do, and return the stored observation."""
    capture = ledger.capture(*changes, source=source)
    draft = evolve(capture.draft, content=described(changes, "No zebras"))
    ledger.port.record([evolve(capture, draft=draft)])
    return ledger.project.observations.get_all([capture.id])[capture.id]


def _age(ledger: LedgerFixture, last: Observation) -> None:
    """Age all edits up to `last`, one in each step."""
    after = last.occurred_at + MINUTE
    steps = (ledger.port.age(after, limit=1) for _ in range(_MOST_STEPS))
    assert not all(steps)
