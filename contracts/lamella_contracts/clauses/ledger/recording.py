"""Clauses on captured edits: recording, importing and ageing them, and facts about them."""

from typing import Any

from attrs import evolve

from lamella.domain.ledger.ageing import aged
from lamella.domain.ledger.describe import described
from lamella.domain.memories.kind import EDITED, FOUND, LEARNED, Kind
from lamella.domain.memories.observation import CodeChange, Observation
from lamella.domain.memories.query import ByTitle, Recent
from lamella.domain.memories.timeline import TimelineQuery
from lamella.domain.transactions.look import Same
from lamella.domain.transactions.other_writes import Age, Amend, RememberRequest
from lamella.ports.storage.ledger import Recorded
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.memories import UNKNOWN
from lamella_contracts.clauses.storage.capabilities import every_clause_needs, needs
from lamella_contracts.fixtures.ledger import PARSE, PRINT, RETRY, LedgerFixture, all_fingerprints, change
from lamella_contracts.fixtures.project import LATER, LONG_KEY, MINUTE, START, ProjectFixture

_MOST_STEPS = 20


@every_clause_needs(Capability.LEDGER)
class RecordingClauses:
    """A capture is recorded once, as a new observation or as part of an existing one, even after an import."""

    def test_a_capture_takes_its_place_in_time(self, project: ProjectFixture) -> None:
        """Fails if a capture recorded late isn't found, or is ordered by saving instead of its own time.

        This order matters for search, for `around`, and for the context with which later memories are indexed.
        """
        ledger = LedgerFixture(project)
        project.save("early", title="at 0", session="s1", now=START)
        project.refer("late", title="at 2", session="s1", now=START + 2 * MINUTE)
        assert project.leaning_on("early") == {"late"}
        late = ledger.capture(change("a.py", removed=RETRY), at=START + MINUTE, reason="at 1")
        ledger.port.record([late])
        for search in (Recent(), ByTitle("at")):
            assert [hit.observation.title for hit in project.find(search)] == ["at 2", "at 1", "at 0"]
        assert (project.leaning_on("retried"), project.leaning_on("early")) == ({"late"}, {"late"})
        assert [hit.observation.id for hit in project.find("retried")] == [late.id]
        around = project.search.around(TimelineQuery(late.id, before=9, after=1))
        assert [hit.observation.title for hit in (*around.before, *around.after)] == ["at 0", "at 2"]
        assert (around.total_before, around.total_after) == (1, 1)

    def test_no_captures_are_no_error(self, project: ProjectFixture) -> None:
        """Fails if an empty list raises, for example because it becomes an invalid SQL statement."""
        port = LedgerFixture(project).port
        assert (port.record([]), port.known([]), port.removals("a.py", [])) == ((), frozenset(), ())

    def test_long_requests_are_told_apart(self, project: ProjectFixture) -> None:
        """Fails if a column or an index truncates long request ids or sessions, so that different ids look equal.

        Also fails if a lookup with a long request id or session doesn't shorten it as `stored_key` does.
        """
        ledger = LedgerFixture(project)
        keys = [f"{LONG_KEY}{end}" for end in "ab"]
        captures = [ledger.capture(change("a.py", removed=RETRY), request=key, session=None) for key in keys]
        assert ledger.port.record([*captures, captures[0]]) == (Recorded.NEW, Recorded.NEW, Recorded.KNOWN)
        assert ledger.port.known([*keys, LONG_KEY]) == set(keys)
        removal = next(iter(ledger.removed("a.py", RETRY)))
        assert [ledger.port.tell(key, removal) for key in (*keys, *keys)] == [True, True, False, False]

    def test_the_ledger_knows_imported_memories(self, project: ProjectFixture) -> None:
        """Fails if an import loses the fingerprints of removed lines or the request id of a capture.

        Also fails if an imported capture can be recorded again.
        """
        ledger, there = LedgerFixture(project), LedgerFixture(project.other("there"))
        first = ledger.capture(change("a.py", removed=RETRY), request="capture-1")
        ledger.port.record([first])
        (page,) = project.observations.page(limit=9)
        assert page.request == "capture-1"
        there.project.observations.insert_new([page])
        (gone,) = there.port.removals("a.py", all_fingerprints(RETRY))
        assert (gone.observation, *there.port.known(["capture-1", "capture-2"])) == (first.id, "capture-1")
        assert there.port.record([first]) == (Recorded.KNOWN,)

    def test_lines_that_age_has_dropped_come_along(self, project: ProjectFixture) -> None:
        """Fails if an export or an import loses the fingerprints of lines that ageing has removed from an edit."""
        here, there = LedgerFixture(project), LedgerFixture(project.other("there"))
        kept = change("b.py", removed=PARSE)
        here.port.record([here.capture(change("a.py", removed=RETRY)), here.capture(kept, session="s2")])
        before = here.removed("a.py", RETRY)
        (first, _) = project.observations.page(limit=9)
        while here.port.age(first.observation.occurred_at + MINUTE, limit=1):
            pass
        pages = project.observations.page(limit=9)
        assert [bool(each.lines) for each in pages] == [True, False]
        there.project.observations.insert_new(pages)
        assert [each.lines for each in there.project.observations.page(limit=9)] == [each.lines for each in pages]
        assert [each.observation for each in there.removed("a.py", RETRY)] == [each.observation for each in before]
        assert len(there.removed("b.py", PARSE)) == 1


@every_clause_needs(Capability.LEDGER)
class AgeingClauses:
    """Ageing removes the lines of old captured edits, and nothing else."""

    def test_old_edits_lose_their_lines(self, project: ProjectFixture) -> None:
        """Fails if ageing keeps lines in the changes or in the index, or never ends.

        Also fails if ageing loses other fields, or the record of shown warnings.
        """
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
        """Fails if removed lines, former names or the history of a file are lost when an edit drops its hunks."""
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
    """Age all edits up to `last`, one per step."""
    after = last.occurred_at + MINUTE
    steps = (ledger.port.age(after, limit=1) for _ in range(_MOST_STEPS))
    assert not all(steps)


@every_clause_needs(Capability.LEDGER)
class LedgerFactClauses:
    """A query for facts returns recorded captures, changes of files, and edits due for ageing."""

    @needs(Capability.ERASE)
    def test_recorded_requests_are_told(self, project: ProjectFixture) -> None:
        """Fails if the request id of a capture is erased with its observation.

        Also fails if request ids of other projects, or of saved memories, are returned as recorded.
        """
        captured = project.insert("captured", request="call-1")
        for _ in range(2):
            project.apply(RememberRequest(request="call-1", origin=project.id))
        project.insert("saved", request="call-2")
        project.erase(captured)
        requests = ("call-1", "call-2", "call")
        assert project.look(requests=requests).recorded == {"call-1"}
        assert project.other("other").look(requests=requests).recorded == frozenset()

    def test_whole_observations_are_told(self, project: ProjectFixture) -> None:
        """Fails if a purged observation is missing, or if an observation of another project is returned."""
        live, purged = project.insert("live"), project.insert("purged", purged_at=LATER)
        foreign = project.other("other").insert("foreign")
        ids = (purged.id, UNKNOWN, live.id, foreign.id)
        assert project.look(observations=ids).observations == {live.id: live, purged.id: purged}

    def test_the_latest_change_of_a_file_is_told(self, project: ProjectFixture) -> None:
        """Fails if the latest change is chosen by sequence instead of time.

        Also fails if a purged change, or a change of another file, is returned.

        Also fails if a query for several files returns only the change of the first file.
        """
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
        """Fails if the newest edits come first.

        Also fails if saved memories, learned commits, recent edits, or edits without lines are returned.
        """
        second = self._edit(project, EDITED, minutes=2, purged_at=LATER)
        first = self._edit(project, FOUND, minutes=1)
        self._edit(project, LEARNED, minutes=1)
        self._edit(project, EDITED, minutes=1, kind=Kind.NOTE)
        self._edit(project, EDITED, minutes=3)
        before = START + 3 * MINUTE
        assert project.look(unaged=(before, 9)).unaged == (first, second)
        assert project.look(unaged=(before, 1)).unaged == (first,)
        project.apply(Age(former=first, now=aged(first)))
        assert project.look(unaged=(before, 9)).unaged == (second,)

    def test_an_edit_is_amended(self, project: ProjectFixture) -> None:
        """Fails if amending changes the sequence, request id or first fingerprint of an edit.

        Also fails if the edit's old text or lines are still found, or if the next memory isn't indexed with the
        new text.
        """
        first = self._edit(project, EDITED, minutes=0, session="s", request="call-1")
        project.insert("it was that follower after", session="s", occurred_at=START + MINUTE)
        whole = evolve(
            first, title="New", content="zebra", changes=(change("b.py", removed=PARSE),), updated_at=LATER
        )
        assert project.leaning_on("retried") == {"after"}
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
