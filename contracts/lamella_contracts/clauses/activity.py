"""Clauses on the log of activity."""

from collections.abc import Sequence
from datetime import datetime, timedelta, timezone

import pytest

from lamella.domain.errors import UnknownProjectError
from lamella.ports.storage.activity import KEPT_FOR, Activity, ActivityKind, ActivityLog
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.fixtures.project import DAWN, MINUTE, Notebook


def _log(notebook: Notebook) -> ActivityLog:
    return notebook.storage.activity(notebook.project.id)


def _names(notebook: Notebook, since: datetime = DAWN) -> Sequence[str]:
    return [each.name for each in _log(notebook).since(since)]


def _entry(name: str, *, at: datetime = DAWN, session: str | None = None, tokens: int = 0) -> Activity:
    return Activity(
        name=name, at=at, kind=ActivityKind.INJECTED, session=session, about="SessionStart", tokens=tokens
    )


class ActivityClauses:
    """The log keeps the activity of hooks for a limited time."""

    @needs(Capability.ACTIVITY)
    def test_activity_is_told_oldest_first(self, notebook: Notebook) -> None:
        """A field is lost, the order is that of adding, or what was done at the very moment is not told."""
        log = _log(notebook)
        west = timezone(timedelta(hours=-5))
        last = Activity(
            name="a", at=DAWN + MINUTE, kind=ActivityKind.SKIPPED, session="s1", about="a file for secrets"
        )
        first = _entry("b", at=DAWN.astimezone(west) + timedelta(microseconds=1), session="", tokens=2**31 - 1)
        second = _entry("c", at=first.at)
        assert log.since(DAWN) == ()
        log.add([])
        log.add([last, second])
        log.add([first])
        assert log.since(first.at) == (first, second, last)
        assert log.since(first.at + timedelta(microseconds=1)) == (last,)

    @needs(Capability.ACTIVITY)
    def test_a_known_name_is_passed_over(self, notebook: Notebook) -> None:
        """An entry that is drained again counts twice, or replaces the stored one."""
        log = _log(notebook)
        log.add([_entry("one", tokens=1), _entry("one", tokens=2)])
        log.add([_entry("one", tokens=3), _entry("two", tokens=4)])
        assert [(each.name, each.tokens) for each in log.since(DAWN)] == [("one", 1), ("two", 4)]

    @needs(Capability.ACTIVITY)
    def test_old_activity_goes_when_more_is_added(self, notebook: Notebook) -> None:
        """The log grows for ever, or loses what is not old: after an entry of a clock that was ahead, say."""
        log = _log(notebook)
        log.add([_entry("ahead", at=DAWN + 3 * KEPT_FOR)])
        log.add([_entry("old"), _entry("older", at=DAWN - timedelta(microseconds=1))])
        log.add([_entry("late", at=DAWN - MINUTE)])
        assert _names(notebook, DAWN - KEPT_FOR) == ["late", "older", "old", "ahead"]
        log.add([_entry("now", at=DAWN + KEPT_FOR), _entry("before", at=DAWN + MINUTE)])
        assert _names(notebook, DAWN - KEPT_FOR) == ["old", "before", "now", "ahead"]

    @needs(Capability.ACTIVITY)
    def test_each_project_has_its_own_activity(self, notebook: Notebook) -> None:
        """Activity of another project is told, its names are known here, or an unknown project is made."""
        there = notebook.elsewhere("there")
        _log(notebook).add([_entry("one", tokens=1)])
        _log(there).add([_entry("one", tokens=2), _entry("two")])
        assert [each.tokens for each in _log(notebook).since(DAWN)] == [1]
        assert [each.tokens for each in _log(there).since(DAWN)] == [2, 0]
        with pytest.raises(UnknownProjectError):
            notebook.storage.activity("unknown")

    @needs(Capability.ACTIVITY)
    @needs(Capability.MERGE)
    def test_activity_moves_with_its_project(self, notebook: Notebook) -> None:
        """A merge or split leaves activity behind, takes too much, or counts what both have twice."""
        old, new = notebook.elsewhere("old"), notebook.elsewhere("new")
        _log(old).add([_entry("both", tokens=1), _entry("of old", session="s1")])
        _log(new).add([_entry("both", tokens=2), _entry("of new", session="s1")])
        notebook.storage.registry.merge(old.project.id, new.project.id)
        _log(old).add([_entry("since")])
        assert _names(old) == _names(new) == ["both", "of new", "of old", "since"]
        assert [each.tokens for each in _log(new).since(DAWN)][:1] == [2]
        notebook.storage.registry.split(old.project.id)
        assert (_names(old), _names(new)) == (["of old"], ["both", "of new", "since"])

    @needs(Capability.ACTIVITY)
    @needs(Capability.CONVERSATIONS)
    @needs(Capability.ERASE)
    def test_erasing_a_session_erases_its_activity(self, notebook: Notebook) -> None:
        """Activity of an erased session is still told, or that of another, or of none, is not."""
        _log(notebook).add([_entry("gone", session="s1"), _entry("kept", session="s2"), _entry("of none")])
        assert notebook.storage.conversations(notebook.project.id).erase("s1") == 0
        assert _names(notebook) == ["kept", "of none"]

    @needs(Capability.ACTIVITY)
    @needs(Capability.DURABLE)
    def test_activity_survives_a_restart(self, notebook: Notebook) -> None:
        """Activity, or which names are known, is in memory only."""
        _log(notebook).add([_entry("one", session="s1", tokens=1)])
        again = notebook.reopened()
        _log(again).add([_entry("one", tokens=2), _entry("two")])
        assert [(each.name, each.session, each.tokens) for each in _log(again).since(DAWN)] == [
            ("one", "s1", 1),
            ("two", None, 0),
        ]
