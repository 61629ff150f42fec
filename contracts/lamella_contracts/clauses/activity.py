"""Clauses on the log of activity."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from uuid import UUID

from lamella.domain.audit.activity import SessionActivity
from lamella.ports.storage.activity import KEPT_FOR, Activity, ActivityKind, ActivityLog
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import every_clause_needs, needs
from lamella_contracts.fixtures.project import LONG_KEY, MINUTE, START, ProjectFixture, signed


def _log(project: ProjectFixture) -> ActivityLog:
    return project.storage.activity(project.id)


def _names(project: ProjectFixture, since: datetime = START) -> Sequence[str]:
    return [each.name for each in _log(project).since(since)]


def _entry(name: str, *, at: datetime = START, session: str | None = None, **more: Any) -> Activity:
    return Activity(name=name, at=at, kind=ActivityKind.INJECTED, session=session, about="SessionStart", **more)


@every_clause_needs(Capability.ACTIVITY)
class ActivityClauses:
    """The log keeps the activity of hooks for a limited time."""

    def test_activity_is_told_oldest_first(self, project: ProjectFixture) -> None:
        """Fails if entries are returned in order of insertion instead of time.

        Also fails if a field of an entry is lost, or if `since` excludes entries at exactly that time.
        """
        log = _log(project)
        west = timezone(timedelta(hours=-5))
        last = Activity(
            name="a", at=START + MINUTE, kind=ActivityKind.SKIPPED, session="s1", about="a file for secrets"
        )
        keys = tuple(UUID(int=number).hex for number in (7, 3, 5))
        moment = START.astimezone(west) + timedelta(microseconds=1)
        first = _entry("b", at=moment, session="", tokens=2**31 - 1, memories=keys, edit="src/ü.py\n+a\n")
        second, before = _entry("c", at=first.at), _entry("B", at=first.at)
        assert log.since(START) == ()
        log.add([])
        log.add([last, second, before])
        log.add([first])
        assert log.since(first.at.astimezone(UTC)) == log.since(first.at) == (before, first, second, last)
        assert log.since(first.at + timedelta(microseconds=1)) == (last,)

    def test_a_known_name_is_passed_over(self, project: ProjectFixture) -> None:
        """Fails if adding a stored entry again duplicates or replaces it.

        Also fails if long names are truncated, so that different names look equal.
        """
        log = _log(project)
        long = [_entry(f"{LONG_KEY}{end}", session=f"{LONG_KEY}{end}") for end in "ab"]
        for tokens in (1, 2):
            log.add([*long, _entry("one", tokens=tokens), _entry("one", tokens=9)])
        assert set(log.since(START)) == {*long, _entry("one", tokens=1)}

    def test_old_activity_goes_when_more_is_added(self, project: ProjectFixture) -> None:
        """Fails if entries older than `KEPT_FOR` are never deleted.

        Also fails if an entry with a time in the future causes recent entries to be deleted.
        """
        log = _log(project)
        log.add([_entry("ahead", at=START + 3 * KEPT_FOR)])
        log.add([_entry("old"), _entry("older", at=START - timedelta(microseconds=1))])
        log.add([_entry("late", at=START - MINUTE)])
        assert _names(project, START - KEPT_FOR) == ["late", "older", "old", "ahead"]
        log.add([_entry("now", at=START + KEPT_FOR), _entry("before", at=START + MINUTE)])
        assert _names(project, START - KEPT_FOR) == ["old", "before", "now", "ahead"]

    def test_each_project_has_its_own_activity(self, project: ProjectFixture) -> None:
        """Fails if a project returns entries of another project.

        Also fails if a new entry is ignored because another project has an entry with the same name.
        """
        there = project.other("there")
        _log(project).add([_entry("one", tokens=1)])
        _log(there).add([_entry("one", tokens=2), _entry("two")])
        assert [each.tokens for each in _log(project).since(START)] == [1]
        assert [each.tokens for each in _log(there).since(START)] == [2, 0]

    @needs(Capability.MERGE)
    def test_activity_moves_with_its_project(self, project: ProjectFixture) -> None:
        """Fails if a merge or split leaves entries behind or moves entries of the other project.

        Also fails if an entry stored in both projects appears twice after a merge.
        """
        old, new = project.other("old"), project.other("new")
        _log(old).add([_entry("both", tokens=1), _entry("of old", session="s1")])
        _log(new).add([_entry("both", tokens=2), _entry("of new", session="s1")])
        project.storage.registry.merge(old.id, new.id, by=signed())
        _log(old).add([_entry("since")])
        assert _names(old) == _names(new) == ["both", "of new", "of old", "since"]
        assert [each.tokens for each in _log(new).since(START)][:1] == [2]
        project.storage.registry.split(old.id, by=signed())
        assert (_names(old), _names(new)) == (["of old"], ["both", "of new", "since"])

    @needs(Capability.CONVERSATIONS)
    @needs(Capability.ERASE)
    def test_erasing_a_session_erases_its_activity(self, project: ProjectFixture) -> None:
        """Fails if erasing a session keeps its activity, or deletes entries of other sessions or of no session."""
        _log(project).add([_entry("gone", session="s1"), _entry("kept", session="s2"), _entry("of none")])
        assert project.storage.conversations(project.id).erase("s1") == 0
        assert _names(project) == ["kept", "of none"]

    @needs(Capability.ERASE)
    def test_erased_memories_leave_the_activity(self, project: ProjectFixture) -> None:
        """Fails if an entry of any project still has the id of an erased memory.

        Also fails if the edit of such an entry is left, or if ids of other memories are removed.
        """
        there = project.other("there")
        gone, kept = project.save("gone").id, project.save("kept").id
        for each in (project, there):
            _log(each).add(
                [
                    _entry("one", memories=(kept.hex, gone.hex)),
                    _entry("two", memories=(gone.hex,), edit="a.py\n+gone"),
                ]
            )
            _log(each).add([_entry("zero", memories=(kept.hex,), edit="a.py\n+kept")])
        project.observations.erase([gone], by=signed())
        for each in (project, there):
            assert [one.memories for one in _log(each).since(START)] == [(kept.hex,), (), (kept.hex,)]
            assert [one.edit for one in _log(each).since(START)] == ["", "", "a.py\n+kept"]

    def test_what_was_given_is_counted(self, project: ProjectFixture) -> None:
        """Fails if totals include skipped hooks, or exclude entries at exactly the start of the period.

        Also fails if the totals or the latest entries of a session are wrong.
        """
        log = _log(project)
        one = _entry("one", at=START + MINUTE, session="s", tokens=2, edit="a.py\n+one")
        log.add([_entry("old", session="s", tokens=1), one])
        log.add([_entry("two", at=START + 2 * MINUTE, session="s", tokens=4)])
        log.add([Activity(name="not", at=START + MINUTE, kind=ActivityKind.SKIPPED, about="too large")])
        totals = [log.totals(START + number * MINUTE) for number in range(4)]
        assert totals == [(3, 7, 1), (2, 6, 1), (1, 4, 0), (0, 0, 0)]
        at = START + 3 * MINUTE
        log.add(
            [Activity(name="asked", at=at, kind=ActivityKind.RECALLED, session="s", about="recall", tokens=16)]
        )
        assert log.tokens([START, START + MINUTE, START + 2 * MINUTE]) == (1, 2, 4)
        log.add([Activity(name="far", at=START, kind=ActivityKind.INJECTED, about="start", tokens=8)])
        assert log.sessions(START) == (
            SessionActivity("s", START, START + 2 * MINUTE, entries=3, times=3, tokens=7),
            SessionActivity(None, START, START + MINUTE, entries=2, times=1, tokens=8),
        )
        latest = [log.of_sessions([*each], since=START, limit=2) for each in (["s", None], ["s"])]
        assert [[each.name for each in found] for found in latest] == [
            ["two", "one", "not", "far"],
            ["two", "one"],
        ]

    def test_warnings_are_found_latest_first(self, project: ProjectFixture) -> None:
        """Fails if warnings are in another order, or if `skip` or `name` is ignored.

        Also fails if entries without an edit are returned.
        """
        log, edit = _log(project), "src/a.py\n+    one()\n+    two()"
        entries = [_entry(name, at=START + (name == "c") * MINUTE, edit=edit) for name in "bac"]
        log.add([*entries, _entry("d", at=START + MINUTE)])
        last = entries[2]
        assert [each.name for each in log.warnings(limit=9)] == ["c", "b", "a"]
        assert log.warnings(limit=1) == log.warnings(limit=9, name="c") == (last,)
        assert [each.name for each in log.warnings(limit=1, skip=1)] == ["b"]
        assert log.warnings(limit=9, name="d") == log.warnings(limit=9, skip=3) == ()

    def test_used_memories_are_known_if_the_log_is_old_enough(self, project: ProjectFixture) -> None:
        """Fails if memories in entries at or before `since` count as used.

        Also fails if the log answers without an entry between `recorded` and `since`, instead of returning None.
        Such a log may have begun after `since`, so it doesn't know all used memories.
        """
        log, keys = _log(project), [UUID(int=number).hex for number in range(4)]
        log.add([_entry("early", memories=(keys[0],)), _entry("b", at=START + 2 * MINUTE, memories=(keys[1],))])
        assert log.used(START, recorded=START) == frozenset({keys[1]})
        assert log.used(START - MINUTE, recorded=START - 2 * MINUTE) is None
        assert log.used(START + MINUTE, recorded=START + MINUTE) is None
        assert log.used(START + 2 * MINUTE, recorded=START + 2 * MINUTE) == frozenset()
        at = START + 3 * MINUTE
        log.add([_entry("c", at=at, memories=(keys[3], keys[2])), _entry("d", at=at)])
        assert log.used(START + MINUTE, recorded=START) == frozenset(keys[1:])

    @needs(Capability.DURABLE)
    def test_activity_survives_a_restart(self, project: ProjectFixture) -> None:
        """Fails if entries, or the names that identify repeated entries, are only in memory."""
        _log(project).add([_entry("one", session="s1", tokens=1)])
        again = project.reopened()
        _log(again).add([_entry("one", tokens=2), _entry("two")])
        assert [(each.name, each.session, each.tokens) for each in _log(again).since(START)] == [
            ("one", "s1", 1),
            ("two", None, 0),
        ]
