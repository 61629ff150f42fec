"""Clauses on facts, read from a storage by a `Look`, and on the writes of a plan."""

from datetime import datetime, timedelta

import pytest
from attrs import evolve

from lamella.domain.exchange.arrival import Arrival
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.observation import CodeChange
from lamella.domain.text.marks import memory_mark
from lamella.domain.transactions.importing import ImportResult
from lamella.domain.transactions.look import SIMILAR, Facts, Look, Same, Status
from lamella.domain.transactions.other_writes import RememberErased
from lamella.domain.transactions.plan import SetStatus
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.memories import UNKNOWN
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.fixtures.project import LATER, LATEST, MICROSECOND, MINUTE, START, ProjectFixture, signed

CHANGES = (
    CodeChange(path="src/b.py", additions=3, deletions=0, hunks="@@ -1 +1 @@\r\n-old\n+new\n", former="c.py"),
    CodeChange(path="src/a.py", additions=0, deletions=None, version="3 1732300000000000001 e69de29b"),
    CodeChange(path="logo.png"),
)
MANY = 1_000
"""More ids than any call by a user has."""


class WriteClauses:
    """A write stores exactly the values given to it."""

    def test_every_field_comes_back(self, project: ProjectFixture) -> None:
        """Fails if a field isn't stored, or is converted or overwritten.

        Also fails if changes of files are sorted, or if times aren't in UTC.
        """
        new = project.insert("new")
        saved = project.insert(
            "What was observed.\n  On two lines. ",
            origin="elsewhere",
            title="A title",
            keywords="other words",
            source="decision",
            kind=Kind.SUMMARY,
            actor="reviewer",
            author="Ada",
            branch="feat/pay",
            head="1f" * 20,
            client="codex",
            metadata={"team": "payments", "Ünïcode 🦓": 'line\n"two"'},
            session="session-1",
            created_at=START + MICROSECOND,
            updated_at=LATER,
            purged_at=LATER - MICROSECOND,
            occurred_at=START,
            replaced_by=new.id,
            changes=CHANGES,
        )
        kept = project.get(saved)
        assert kept == saved
        times = (kept.created_at, kept.updated_at, kept.occurred_at)
        assert [time.utcoffset() for time in times] == [timedelta(0)] * 3

    def test_what_is_not_given_stays_absent(self, project: ProjectFixture) -> None:
        """Fails if None and the empty string, or None and 0, are stored as the same value."""
        saved = project.get(project.insert("only content"))
        assert (saved.title, saved.keywords, saved.session, saved.author, saved.purged_at, saved.changes) == (
            *("", "", None, None, None),
            (),
        )
        assert saved.metadata == {}
        assert saved.checkout == (None, None)
        assert project.get(project.insert("empty session", session="")).session == ""

    def test_a_status_is_set_as_given(self, project: ProjectFixture) -> None:
        """Fails if a purge or restore loses a time, link or text, or changes other rows.

        Also fails if the index isn't updated: a purged row is found, or a restored row isn't.
        """
        project.insert("zebra first", session="s")
        old = project.insert("zebra old", session="s", changes=CHANGES)
        kept, last = project.insert("zebra kept"), project.insert("it was that follower last", session="s")
        project.apply(SetStatus(ids=(last.id, old.id), at=LATER, purged=True, replaced_by=kept.id))
        project.apply(SetStatus(ids=(last.id,), at=LATEST, purged=False))
        gone = evolve(old, purged_at=LATER, updated_at=LATER, replaced_by=kept.id)
        assert [project.get(each) for each in (old, kept, last)] == [gone, kept, evolve(last, updated_at=LATEST)]
        assert project.contents("zebra") == ["zebra kept", "zebra first"]
        assert project.leaning_on("old") == set()
        project.apply(SetStatus(ids=(old.id,), at=LATEST, purged=False))
        assert project.get(old) == evolve(old, updated_at=LATEST)
        assert project.leaning_on("old") == {"last"}

    def test_writes_are_applied_in_order(self, project: ProjectFixture) -> None:
        """Fails if the writes of a plan are grouped by kind, or if a write ignores effects of earlier writes."""
        one, two = project.observed("one", sequence=1), project.observed("two", sequence=5)
        there_and_back = (
            SetStatus(ids=(one.id, two.id), at=LATER, purged=True, replaced_by=two.id),
            SetStatus(ids=(one.id,), at=LATEST, purged=False),
        )
        project.apply(project.insertion(one), project.insertion(two), *there_and_back)
        three = project.insert("three")
        assert three.sequence == 6
        assert project.observations.get_all([one.id, two.id, three.id]) == {
            one.id: evolve(one, updated_at=LATEST),
            two.id: evolve(two, purged_at=LATER, updated_at=LATER, replaced_by=two.id),
            three.id: three,
        }

    def test_a_decision_that_raises_changes_nothing(self, project: ProjectFixture) -> None:
        """Fails if the exception of a decision is swallowed or replaced.

        Also fails if the decision uses up a sequence number, or blocks later writes.
        """
        kept = project.insert("kept")
        before = project.look(ids=(kept.id,))
        with pytest.raises(ZeroDivisionError):
            project.change(lambda facts: ((), facts.sequence // 0))
        assert project.look(ids=(kept.id,)) == before
        project.insert("after", occurred_at=START + 2 * MINUTE)
        assert project.search.count(include_purged=True) == 2


class FactClauses:
    """A query for facts returns the current state of its project."""

    def test_the_last_number_and_moment_are_known(self, project: ProjectFixture) -> None:
        """Fails if the last sequence number or time of a project depends on other projects or the clock.

        Also fails if purged rows are ignored, or if reading changes one of these values.
        """
        project.other("other").insert("elsewhere", occurred_at=LATER)
        assert project.look() == project.look() == Facts(project=project.id, sequence=0)
        project.insert("late", occurred_at=START + MINUTE, session="s1", purged_at=START)
        last = project.insert("early", occurred_at=START, session="s2")
        facts = Facts(project=project.id, sequence=last.sequence, latest=START + MINUTE)
        assert project.look() == project.look() == facts

    @needs(Capability.ERASE)
    def test_sequence_numbers_are_never_reused(self, project: ProjectFixture) -> None:
        """Fails if the last sequence number is read from the last row, so that an erase frees a number."""
        project.insert("one")
        last = project.insert("two")
        project.erase(last)
        assert project.look().sequence == last.sequence

    def test_ids_are_told_with_their_status(self, project: ProjectFixture) -> None:
        """Fails if the status or the replacement of a purged id is missing.

        Also fails if an unknown id, or an id of another project, has a status, or if a query for many ids raises.
        """
        live, purged, replaced = (project.insert(each) for each in ("live", "purged", "replaced"))
        foreign = project.other("other").insert("foreign")
        project.apply(SetStatus(ids=(purged.id,), at=LATER, purged=True))
        project.apply(SetStatus(ids=(replaced.id,), at=LATER, purged=True, replaced_by=live.id))
        ids = (*(project.new_id() for _ in range(MANY)), replaced.id, UNKNOWN, live.id, foreign.id, purged.id)
        assert project.look(ids=ids).statuses == {
            live.id: Status(False, project.id),
            purged.id: Status(True, project.id),
            replaced.id: Status(True, project.id, live.id),
        }

    def test_what_says_the_same_is_told_in_order(self, project: ProjectFixture) -> None:
        """Fails if a query for the fingerprint of a text misses a purged or old row with this text.

        Also fails if the rows lack their request ids, or are ordered by time instead of sequence. Also fails if
        rows with another text are returned.
        """
        project.other("other").insert("said")
        first = project.insert("said", request="call-1", occurred_at=START + MINUTE, purged_at=LATER)
        for number in range(3):
            project.insert(f"Said {number}", request="call-1", occurred_at=START + timedelta(days=400 + number))
        second = project.insert("said", occurred_at=START)
        third = project.insert("said", request="", occurred_at=START - MINUTE)
        assert project.look(fingerprint=first.fingerprint).same == (
            Same(first, "call-1"),
            Same(second, None),
            Same(third, ""),
        )
        assert project.look(fingerprint=b"of nothing").same == ()

    def test_similar_notes_are_told(self, project: ProjectFixture) -> None:
        """Fails if a note that begins with the given words is missing.

        Also fails if purged notes, captured edits, notes of other projects, or notes with another beginning are
        returned.
        """
        project.other("other").insert("The server runs on port 1.")
        project.insert("The server runs on port 2.", purged_at=LATER)
        project.insert("The server runs on port 3.", kind=Kind.CHANGE, source="edit")
        project.insert("The server is loud.")
        similar = [project.insert(f"The server runs on port {port}.") for port in range(4, 6 + SIMILAR)]
        latest = {each.id: each.content for each in similar[-SIMILAR:]}
        assert project.look(similar=("server", "port", "host")).similar == latest
        assert project.look(similar=("port", "host")).similar == {}

    def test_it_is_told_that_memory_is_off(self, project: ProjectFixture) -> None:
        """Fails if facts don't say that memory is off, or still say so after memory is switched on again.

        Also fails if facts say so for another project, or for a query that didn't ask for `off`.
        """
        other, registry = project.other("other"), project.storage.registry
        seen = list[datetime | None]()
        for on in (False, True, False):
            registry.switch(project.id, on=on, now=START + MINUTE * len(seen))
            seen.append(project.look(off=True).off_since)
        assert seen == [START, None, START + MINUTE * 2]
        assert (project.look().off_since, other.look(off=True).off_since) == (None, None)

    @needs(Capability.ERASE)
    def test_marks_of_what_was_erased_are_told(self, project: ProjectFixture) -> None:
        """Fails if the fingerprints of erased memories are missing, or belong to other rows or projects.

        Also fails if an erased memory can be imported again, or if other memories can't be imported.
        """
        gone, kept = project.insert("gone"), project.insert("kept")
        project.erase(gone)
        mine, elsewhere, present = map(memory_mark, (gone.id, UNKNOWN, kept.id))
        for _ in range(2):
            project.apply(RememberErased((elsewhere,)))
        assert project.observations.erased() == {mine, elsewhere}
        assert project.look(marks=(elsewhere, present, mine)).erased == {mine, elsewhere}
        assert project.other("other").look(marks=(mine,)).erased == frozenset()
        after = project.observed("after", sequence=0)
        arrivals = [Arrival(observation=each) for each in (gone, after)]
        assert project.observations.insert_new(arrivals) == (ImportResult.ERASED, ImportResult.NEW)
        assert (project.knows(gone), project.knows(after)) == (False, True)

    @needs(Capability.MERGE)
    def test_facts_are_those_of_where_a_merge_led(self, project: ProjectFixture) -> None:
        """Fails if a merged project doesn't return its target's facts, or if the target lacks the moved rows."""
        old, new = project.other("old"), project.other("new")
        one, two = old.insert("said", request="call-1"), new.insert("said", purged_at=LATER)
        project.storage.registry.merge(old.id, new.id, by=signed())
        asked = Look(ids=(one.id, two.id), fingerprint=one.fingerprint)
        one, two = new.get(one), new.get(two)
        for each in (old, new):
            assert evolve(each.observations.look(asked), logged=None) == Facts(
                project=new.id,
                sequence=one.sequence,
                latest=max(one.occurred_at, two.occurred_at),
                statuses={one.id: Status(False, old.id), two.id: Status(True, new.id)},
                same=(Same(two, None), Same(one, "call-1")),
            )

    @needs(Capability.DURABLE)
    def test_facts_survive_a_restart(self, project: ProjectFixture) -> None:
        """Fails if a save is only in memory, or in an open transaction.

        Also fails if sequence numbers, times or request ids are lost.
        """
        live = project.insert("said", request="call-1")
        purged = project.insert("purged", occurred_at=LATER, purged_at=LATER, replaced_by=live.id)
        asked = Look(ids=(live.id, purged.id), fingerprint=live.fingerprint)
        before = (project.observations.look(asked), project.get(purged))
        again = project.reopened()
        assert (again.observations.look(asked), again.get(purged)) == before
