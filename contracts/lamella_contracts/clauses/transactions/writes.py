"""Clauses on the writes of a plan, and on their effects."""

from datetime import timedelta

import pytest
from attrs import evolve

from lamella.domain.memories.observation import CodeChange, Kind
from lamella.domain.transactions.plan import SetStatus
from lamella_contracts.fixtures.project import LATER, LATEST, MICROSECOND, MINUTE, START, ProjectFixture

CHANGES = (
    CodeChange(path="src/b.py", additions=3, deletions=0, hunks="@@ -1 +1 @@\r\n-old\n+new\n", former="c.py"),
    CodeChange(path="src/a.py", additions=0, deletions=None, version="3 1732300000000000001 e69de29b"),
    CodeChange(path="logo.png"),
)


class WriteClauses:
    """A write stores exactly its values."""

    def test_every_field_comes_back(self, project: ProjectFixture) -> None:
        """A field has no column, is converted on its way or set anew; changes are sorted, or times are local."""
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
        """None and the empty string, or None and 0, became one on their way through storage."""
        saved = project.get(project.insert("only content"))
        assert (saved.title, saved.keywords, saved.session, saved.author, saved.purged_at, saved.changes) == (
            *("", "", None, None, None),
            (),
        )
        assert saved.metadata == {}
        assert saved.checkout == (None, None)
        assert project.get(project.insert("empty session", session="")).session == ""

    def test_a_status_is_set_as_given(self, project: ProjectFixture) -> None:
        """A time, link or text is lost, other rows change too, or a purged row is still found."""
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
        """Writes are grouped by kind, or a write doesn't see the effects of earlier ones."""
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
        """Its exception is swallowed or replaced, it uses up a number, or blocks later writes."""
        kept = project.insert("kept")
        before = project.look(ids=(kept.id,))
        with pytest.raises(ZeroDivisionError):
            project.change(lambda facts: ((), facts.sequence // 0))
        assert project.look(ids=(kept.id,)) == before
        project.insert("after", occurred_at=START + 2 * MINUTE)
        assert project.search.count(include_purged=True) == 2
