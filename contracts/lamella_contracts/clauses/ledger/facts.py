"""Clauses on facts about captured edits and warnings, and on writes of them."""

from typing import Any

from attrs import evolve

from lamella.domain.ledger.ageing import aged
from lamella.domain.memories.kind import EDITED, FOUND, LEARNED, Kind
from lamella.domain.memories.observation import Observation
from lamella.domain.transactions.look import Same, Unaged
from lamella.domain.transactions.plan import Age, Amend, RememberRequest
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.memories.looking_up import UNKNOWN
from lamella_contracts.clauses.storage.capabilities import every_clause_needs, needs
from lamella_contracts.fixtures.ledger import PARSE, RETRY, LedgerFixture, change
from lamella_contracts.fixtures.project import LATER, MINUTE, START, ProjectFixture


@every_clause_needs(Capability.LEDGER)
class LedgerFactClauses:
    """A look answers questions about captures."""

    @needs(Capability.ERASE)
    def test_recorded_requests_are_told(self, project: ProjectFixture) -> None:
        """A request is erased with its observation, or is answered in another project or for a saved memory."""
        captured = project.insert("captured", request="call-1")
        for _ in range(2):
            project.apply(RememberRequest(request="call-1", origin=project.id))
        project.insert("saved", request="call-2")
        project.erase(captured)
        requests = ("call-1", "call-2", "call")
        assert project.look(requests=requests).recorded == {"call-1"}
        assert project.other("other").look(requests=requests).recorded == frozenset()

    def test_whole_observations_are_told(self, project: ProjectFixture) -> None:
        """A purged observation is missing, or an unknown or foreign one is answered."""
        live, purged = project.insert("live"), project.insert("purged", purged_at=LATER)
        foreign = project.other("other").insert("foreign")
        ids = (purged.id, UNKNOWN, live.id, foreign.id)
        assert project.look(observations=ids).observations == {live.id: live, purged.id: purged}

    def test_the_latest_change_of_a_file_is_told(self, project: ProjectFixture) -> None:
        """A purged change, the last saved or another file's is answered; or only the first file has an answer."""
        late = project.insert("late", changes=(change("a.py"), change("b.py")), occurred_at=START + 5 * MINUTE)
        early = (change("a.py"), change("c.py"))
        project.insert("early", changes=early, occurred_at=START)
        later = project.insert("twin", changes=early, occurred_at=START)
        project.insert("purged", changes=early, occurred_at=LATER, purged_at=LATER)
        assert project.look(paths=("a.py", "b.py", "c.py", "d.py")).changed == {
            "a.py": late,
            "b.py": late,
            "c.py": later,
        }

    def test_unaged_edits_are_told_oldest_first(self, project: ProjectFixture) -> None:
        """Saved memories, commits, young or aged edits are answered, or the newest of many."""
        second = self._edit(project, EDITED, minutes=2, purged_at=LATER)
        first = self._edit(project, FOUND, minutes=1)
        self._edit(project, LEARNED, minutes=1)
        self._edit(project, EDITED, minutes=1, kind=Kind.NOTE)
        self._edit(project, EDITED, minutes=3)
        before = START + 3 * MINUTE
        assert project.look(unaged=Unaged(before=before, limit=9)).unaged == (first, second)
        assert project.look(unaged=Unaged(before=before, limit=1)).unaged == (first,)
        project.apply(Age(former=first, now=aged(first)))
        assert project.look(unaged=Unaged(before=before, limit=9)).unaged == (second,)

    def test_an_edit_is_amended(self, project: ProjectFixture) -> None:
        """Its place, request or first fingerprint change, or former text, contexts or lines are still found."""
        first = self._edit(project, EDITED, minutes=0, session="s", request="call-1")
        project.insert("it was that follower after", session="s", occurred_at=START + MINUTE)
        whole = evolve(
            first, title="New", content="zebra", changes=(change("b.py", removed=PARSE),), updated_at=LATER
        )
        project.apply(Amend(observation=whole))
        assert project.look(fingerprint=first.fingerprint).same == (Same(whole, "call-1"),)
        assert (project.get(first), project.contents("zebra")) == (whole, ["zebra"])
        assert (project.leaning_on("zebra"), project.leaning_on("retried")) == ({"after"}, set())
        ledger = LedgerFixture(project)
        assert (len(ledger.removed("b.py", PARSE)), ledger.removed("a.py", RETRY)) == (1, ())

    @staticmethod
    def _edit(project: ProjectFixture, source: str, *, minutes: int, **fields: Any) -> Observation:
        given: dict[str, Any] = {"kind": Kind.CHANGE, "changes": (change("a.py", removed=RETRY),), **fields}
        content = f"No retries {minutes}: retried"
        return project.insert(content, source=source, occurred_at=START + minutes * MINUTE, **given)
