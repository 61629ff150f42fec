"""What is known about a project."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from lamella.application.search.counting import CountMemories
from lamella.application.search.overview import Overview, ShowOverview
from lamella.domain.audit.activity import ActivityTotals
from lamella.domain.conversations.message import Role
from lamella.domain.memories.freshness import Freshness
from lamella.domain.memories.kind import EDITED, LEARNED, Kind
from lamella.domain.memories.observation import CodeChange, Draft
from lamella.domain.memories.query import Hit
from lamella.domain.replies.overview import Area
from lamella.ports.storage.ledger import Capture
from lamella.ports.storage.storage import Capability
from tests.unit.maintenance.test_status import did
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import FolderTree, LackingStorage, numbered

DAY = timedelta(days=1)


def showing(desk: Desk) -> ShowOverview:
    counting = CountMemories(projects=desk.projects, search=desk.searching)
    return ShowOverview(projects=desk.projects, search=desk.searching, count_memories=counting, clock=desk.clock)


def seen(desk: Desk) -> Overview:
    return showing(desk)(desk.call)


def edited(desk: Desk, title: str, *, session: str, path: str = "src/a.py", kind: Kind = Kind.CHANGE) -> None:
    draft = Draft(
        content=title,
        title=title,
        kind=kind,
        source=EDITED,
        session=session,
        changes=(CodeChange(path=path),) if kind is Kind.CHANGE else (),
    )
    desk.clock.advance(timedelta(minutes=1))
    desk.made_here.ledger().record([Capture(id=desk.ids.new(), draft=draft, at=desk.clock.moment)])


def titles(hits: Iterable[Hit]) -> list[str]:
    return [hit.observation.title for hit in hits]


def named(areas: tuple[Area, ...]) -> list[tuple[str, list[str]]]:
    return [(area.tag or area.folder, titles(area.decisions)) for area in areas]


def test_decisions_are_grouped_by_their_commonest_tag_or_their_folder() -> None:
    desk = Desk()
    desk.save("For all.", title="all", source="decision")
    desk.save("Everywhere.", title="everywhere", source="decision", everywhere=True)
    desk.save("A note.", title="note")
    for title, keywords, paths in (
        ("cents", "#money #till", ()),
        ("bank", "#bank #money", ("src/bank/deep/pay.py",)),
        ("pay", "", ("src/bank/deep/pay.py",)),
        ("book", "", ("src/bank/book.py",)),
        ("read me", "", ("README.md",)),
    ):
        desk.save(f"{title}.", title=title, keywords=keywords, source="decision", paths=paths)
    overview = seen(desk)
    assert titles(overview.latest) == ["note"]
    assert named(overview.areas) == [
        ("src/bank", ["book", "pay"]),
        ("money", ["bank", "cents"]),
        (".", ["read me"]),
        ("", ["everywhere", "all"]),
    ]
    assert (str(overview.decisions), overview.live, overview.notes) == ("7", 7, 8)


def test_before_the_first_decision_the_latest_memories_are_shown() -> None:
    desk = Desk()
    desk.save("A first note.", title="note")
    edited(desk, "an edit", session="a")
    assert titles(seen(desk).latest) == ["an edit", "note"]


def test_decisions_say_whether_their_files_are_as_they_were() -> None:
    desk = Desk(tree=FolderTree(texts={"a": "1", "b": "1", "c": "1"}))
    ids = [desk.save(path, paths=[path], source="decision").id.hex for path in "abc"]
    desk.at(session=None).save("About no file.", source="decision")
    desk.tree.texts = {"a": "1", "b": "2"}
    assert seen(desk).standing == dict(zip(ids, (None, Freshness.CHANGED, Freshness.GONE), strict=True))
    elsewhere = desk.at(directory=Path("/srv/babbage"), project="lovelace")
    assert seen(elsewhere).standing == {}


def test_changes_of_the_week_come_with_the_decisions_of_their_session() -> None:
    desk = Desk()
    edited(desk, "too old", session="s0")
    desk.clock.advance(DAY)
    edited(desk, "Added src/d.py", session="s0")
    desk.clock.advance(7.1 * DAY)  # a week begins at midnight
    desk.at(session="s1").save("The bank repeats.", title="No retry", source="decision")
    for title, path in (("Remove the retry", "src/a.py"), ("Tidy", "src/a.py"), ("Changed src/b.py", "src/b.py")):
        edited(desk, title, session="s1", path=path)
    for title, session in (
        ("Changed src/c.py", "s2"),
        ("Go on", "s2"),
        ("Go on", "s3"),
        ("Changed src/c.py", "s3"),
    ):
        edited(desk, title, session=session, path="src/c.py")
    desk.save("Changed by a commit.", kind=Kind.CHANGE, source=LEARNED)
    overview = seen(desk)
    assert [
        (each.reason and each.reason.observation.title, len(each.changes), titles(each.decisions))
        for each in overview.changes
    ] == [(None, 2, []), ("Go on", 1, []), ("Go on", 1, []), ("Tidy", 3, ["No retry"]), ("Added src/d.py", 1, [])]
    assert str(overview.changed) == "8"


def test_sessions_have_their_requests_and_decisions_the_latest_first() -> None:
    desk = Desk()
    desk.said("/clear", "Why is it slow? Tell me.", session="talked", name="Slow page")
    desk.said("Hm.", session="silent", role=Role.ASSISTANT)
    edited(desk, "Session: Fix the build", session="summed", kind=Kind.SUMMARY)
    edited(desk, "Changed a.py", session="edited")
    edited(desk, "Rename it", session="edited")
    edited(desk, "Changed a.py", session="wordless")
    desk.at(session="talked").save("Cache it.", title="Cache", source="decision")
    overview = seen(desk)
    assert [
        (each.id, each.name, each.asked, each.talked, titles(each.decisions)) for each in overview.sessions
    ] == [
        ("talked", "Slow page", "Why is it slow?", True, ["Cache"]),
        ("wordless", "", "", False, []),
        ("edited", "Rename it", "", False, []),
        ("silent", "", "", True, []),
    ]
    assert overview.conversations == 2
    at = datetime(2025, 3, 1, 9, 5, tzinfo=UTC)
    asked = [showing(desk).named(desk.call, each, each, at) for each in ("summed", "edited", "nobody")]
    assert asked == ["Fix the build", "Rename it", "Session of 1 Mar 2025, 09:05"]
    assert showing(desk).named(desk.call, "summed", "The build", at) == "The build"


def test_a_mark_differs_after_each_change() -> None:
    desk = Desk()
    since = desk.clock.moment
    marks = [showing(desk).mark(desk.call, since)]
    for change in (
        lambda: desk.save("One."),
        lambda: desk.purge(desk.call, [str(numbered(1))]),
        lambda: desk.said("Why?"),
        lambda: did(desk, (desk.clock.moment, "s1", 9)),
    ):
        change()
        marks.append(showing(desk).mark(desk.call, since))
    assert len({repr(each) for each in marks}) == len(marks)
    assert showing(desk).mark(desk.call, since) == marks[-1]
    assert seen(desk).given == ActivityTotals(times=1, tokens=9, warnings=0)


def test_without_conversations_activity_or_memories_less_is_known() -> None:
    desk = Desk(storage=LackingStorage({Capability.CONVERSATIONS, Capability.ACTIVITY}))
    overview = seen(desk)
    assert (overview.areas, overview.changes, overview.sessions, overview.conversations) == ((), (), (), 0)
    assert overview.given == ActivityTotals(0, 0, 0)
    before = showing(desk).mark(desk.call, desk.clock.moment)
    desk.save("One.")
    assert showing(desk).mark(desk.call, desk.clock.moment) != before
