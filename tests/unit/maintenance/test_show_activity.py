"""Activity of hooks, by session."""

from datetime import timedelta

from lamella.application.maintenance.activity import ShowActivity
from lamella.ports.storage.storage import Capability
from tests.unit.maintenance.test_status import did
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import LackingStorage

DAY = timedelta(days=1)


def test_activity_is_told_by_session_the_latest_first() -> None:
    desk = Desk()
    desk.said("Why is it slow?", session="s1", name="Slow page")
    now = desk.clock.moment
    did(desk, (now - 3 * DAY, "s1", 9), (now - 2.1 * DAY, "s1", 400), (now - DAY / 2, "s2", 0), (now, "s1", 100))
    sessions = ShowActivity(projects=desk.projects, clock=desk.clock)(desk.call, days=2)
    assert [(each.session, each.name, each.tokens, each.times, each.entries) for each in sessions] == [
        ("s1", "Slow page", 500, 2, 2),
        ("s2", None, 0, 0, 1),
    ]
    assert (sessions[0].first, sessions[0].latest) == (now - 2.1 * DAY, now)
    show = ShowActivity(projects=desk.projects, clock=desk.clock)
    assert show(desk.call, days=2, session="s2") == sessions[1:]
    entries = show.entries(desk.call, ["s1", "s2"], days=2, limit=1)
    assert [(each.tokens, each.about) for each in entries] == [(100, entries[0].about), (0, "reason of s2")]
    assert show.entries(desk.call, [], days=2, limit=1) == ()
    assert show.tokens(desk.call, [now - 3 * DAY, now - 2.5 * DAY, now]) == (9, 400, 100)


def test_without_a_log_or_conversations_less_is_told() -> None:
    desk = Desk(storage=LackingStorage({Capability.CONVERSATIONS}))
    assert ShowActivity(projects=desk.projects, clock=desk.clock)(desk.call, days=2) == ()
    did(desk, (desk.clock.moment, "s1", 9))
    (only,) = ShowActivity(projects=desk.projects, clock=desk.clock)(desk.call, days=2)
    assert only.name is None
    lacking = Desk(storage=LackingStorage({Capability.ACTIVITY}))
    lacking.save("x")
    show = ShowActivity(projects=lacking.projects, clock=lacking.clock)
    assert (show(lacking.call, days=2), show.tokens(lacking.call, [lacking.clock.moment])) == ((), [0])
