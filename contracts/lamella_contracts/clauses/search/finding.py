"""Clauses on search by title, recent memories and counts, and on the memories before and after a moment."""

from datetime import datetime
from itertools import product
from typing import Any

import pytest
from attrs import evolve

from lamella.domain.memories.errors import ObservationNotFoundError
from lamella.domain.memories.kind import DECISION, LEARNED, Kind
from lamella.domain.memories.observation import CodeChange, Observation
from lamella.domain.memories.query import ByText, ByTitle, Filters, Hit, Match, RecallQuery, Recent, Search
from lamella.domain.memories.timeline import TimelineQuery
from lamella.ports.storage.search import KindCounts
from lamella_contracts.clauses.memories import HIGH, LOW, MIDDLE, UNKNOWN
from lamella_contracts.fixtures.project import MICROSECOND, MINUTE, START, ZONES, ProjectFixture, signed


class FindingClauses:
    """Search by title, recent memories, limits and counts."""

    def test_the_most_recent_come_newest_first(self, project: ProjectFixture) -> None:
        """Fails if the order isn't by `occurred_at` and then sequence.

        Likely causes are `updated_at`, `created_at` or ids in the sort key, or a missing sort key.
        """
        contents = [f"memory {number}" for number in range(9)]
        saved = [
            project.save(content, title="memory", now=START - back // 2 * MINUTE)
            for back, content in enumerate(contents)
        ]
        project.purge(saved[0])
        project.restore(saved[0])
        project.insert("earlier", title="memory", occurred_at=START - 99 * MINUTE)
        for search in (Recent(), ByTitle("memory")):
            assert project.contents(search) == [*contents[::-1], "earlier"]

    def test_commits_are_not_what_is_recent(self, project: ProjectFixture) -> None:
        """Fails if commits learned from history appear as recent memories, or aren't found by their files."""
        project.save("a note", source=LEARNED)
        project.save("a commit", kind=Kind.CHANGE, source=LEARNED, changes=(CodeChange(path="a.py"),))
        assert project.contents(Recent(), limit=1) == ["a note"]
        assert project.contents(Recent(), path="a.py") == project.contents("commit") == ["a commit"]

    def test_what_is_found_is_counted(self, project: ProjectFixture) -> None:
        """Fails if a count exceeds the limit, or includes memories that the search doesn't return.

        The last memory of the clause has the word only in its context, so the search doesn't return this memory.
        """
        for kind, source in ((Kind.NOTE, DECISION), (Kind.NOTE, "manual"), (Kind.CHANGE, LEARNED)):
            for number in range(3):
                project.save(f"zebra {number}", title="zebra", kind=kind, source=source, author="Ann", session="s")
        project.save("horse", title="after zebras", session="s")
        project.save("horse", title="horse", session="s")
        project.purge(project.save("zebra, purged", title="zebra", source=DECISION))
        every = (
            Filters(kind=kind, source=source, author=author)
            for kind in (None, Kind.NOTE, Kind.CHANGE)
            for source in (None, DECISION)
            for author in (None, "Ann")
        )
        selectors: tuple[Search, ...] = (Recent(), ByTitle("zebra"), ByTitle("\0"), ByText("zebra"))
        for filters in (*every, Filters(only_purged=True), Filters(path=".")):
            for selector, purged, limit in product(selectors, (False, True), (2, 20)):
                query = RecallQuery(selector=selector, filters=filters, include_purged=purged, limit=limit)
                assert project.search.count_found(query) == len(project.search.find(query))

    def test_hits_have_short_ids(self, project: ProjectFixture) -> None:
        """Fails if a short id isn't unique.

        Likely causes are a fixed length of eight digits, or a comparison with ids of live memories only.
        """
        for number, id in enumerate((LOW, MIDDLE, HIGH)):
            project.save(f"zebra {number}", title="zebra", session="s", id=id)
        project.observations.purge([HIGH], by=signed(project.now()))
        right = dict(zip((LOW, MIDDLE, HIGH), ("abcd1200", "abcd1234560", "abcd1234567"), strict=True))
        for asked in ("zebra", ByTitle("zebra"), Recent()):
            hits = project.find(asked, include_purged=True)
            assert {hit.observation.id: hit.short_id for hit in hits} == right
        around = project.search.around(TimelineQuery(MIDDLE, before=1, after=1, include_purged=True))
        assert {hit.observation.id: hit.short_id for hit in (*around.before, *around.after)} == {
            LOW: right[LOW],
            HIGH: right[HIGH],
        }
        assert around.centre is not None
        assert around.centre.short_id == right[MIDDLE]

    def test_titles_are_found_in_any_case_and_spelling(self, project: ProjectFixture) -> None:
        """Fails if only whole words or the start of a title match, or if the content matches, too.

        Also fails if upper and lower case, or two spellings of a letter, don't match outside of ASCII.
        """
        one = project.save("one", title="Why the login broke")
        project.save("two: the login broke", title="Something else")
        project.save("umlaut", title="\u00c4rger mit STRASSE")
        project.save("accent", title="cafe\u0301 \u0130")
        asked = {
            "one": ("Why", "the login", "in bro", "broke"),
            "umlaut": ("\u00e4RGER", "stra\u00dfe", "A\u0308rger"),
            "accent": ("CAF\u00c9",),
        }
        found = {content: [project.contents(ByTitle(part)) for part in parts] for content, parts in asked.items()}
        assert found == {content: [[content]] * len(parts) for content, parts in asked.items()}
        hit = Hit(observation=one, short_id=one.id.hex[:8], match=Match.TITLE)
        assert project.find(ByTitle("Why")) == (hit,)
        assert project.find(Recent())[-1:] == (evolve(hit, match=Match.RECENT),)

    def test_wildcards_in_titles_are_plain(self, project: ProjectFixture) -> None:
        """Fails if `%` and `_` act as wildcards of LIKE, or `*` and `?` as wildcards of GLOB."""
        for title in ("100% done", "100 done", "a_b", "axb", "x*y?[z]", "xay1z", "back\\slash"):
            project.save(title, title=title)
        parts = ("0%", "a_b", "x*y?[z]", "%", "_", "\\")
        found = [project.contents(ByTitle(part)) for part in parts]
        assert found == [["100% done"], ["a_b"], ["x*y?[z]"], ["100% done"], ["a_b"], ["back\\slash"]]

    def test_maintenance_ends_and_changes_no_answer(self, project: ProjectFixture) -> None:
        """Fails if `Storage.maintain` never finishes, loses a memory, or restores purged memories."""
        saved = [project.save(f"memory {number} of the zebra", title="memory") for number in range(20)]
        project.purge(saved[3])
        searches = (ByText("zebra"), ByTitle("memory"), Recent())
        before = [project.find(each) for each in searches]
        steps = [project.storage.maintain() for _ in range(100)]
        assert steps[-1] is False
        assert [project.find(each) for each in searches] == before

    def test_nothing_found_is_an_empty_answer(self, project: ProjectFixture) -> None:
        """Fails if a search in an empty project or for unknown words raises, or returns everything."""
        searches = (ByText("zebra"), ByTitle("zebra"), ByText(""), ByText("?!"))
        assert [project.find(each) for each in (*searches, Recent())] == [()] * 5
        project.save("horse", title="horse")
        assert [project.find(each) for each in searches] == [()] * 4

    def test_a_limit_keeps_the_best(self, project: ProjectFixture) -> None:
        """Fails if the limit is applied before sorting, or if one kind of search ignores it."""
        for number in range(12):
            project.save(f"zebra {number} {'filler ' * number}", title="zebra")
        for search in (ByText("zebra"), ByTitle("zebra"), Recent()):
            assert project.find(search, limit=4) == project.find(search, limit=12)[:4]
            assert len(project.find(search, limit=12)) == 12

    def test_restored_ones_are_found_as_before(self, project: ProjectFixture) -> None:
        """Fails if a purged memory is found, or if a restored memory isn't found.

        Also fails if the score or position of a restored memory has changed.
        """
        contents = ("zebra", "zebra and horse", "cow", "dog", "cat")
        saved = [project.save(f"it was that {each}", title=f"{each} title", session="s") for each in contents]
        searches = (ByText("zebra"), ByTitle("zebra"), Recent())
        before = [[(hit.observation.id, hit.score) for hit in project.find(each)] for each in searches]
        project.purge(*saved[:2])
        assert [len(project.find(each)) for each in searches] == [0, 0, 3]
        plain = [[hit.observation.id for hit in project.find(each, include_purged=True)] for each in searches[1:]]
        assert plain == [[id for id, _ in each] for each in before[1:]]
        project.restore(*saved[:2])
        after = [[(hit.observation.id, hit.score) for hit in project.find(each)] for each in searches]
        assert after == before

    def test_kinds_are_counted(self, project: ProjectFixture) -> None:
        """Fails if purged memories or memories of other projects count as live.

        Also fails if `since` excludes memories at exactly that time.
        """
        project.other("there").save("theirs")
        saved = [project.save(f"{number}", kind=kind) for number, kind in enumerate([*Kind, Kind.CHANGE])]
        project.purge(saved[0], saved[1])
        last = saved[-1].occurred_at
        live = {Kind.SUMMARY: 1, Kind.CHANGE: 1}
        assert project.search.kinds(since=(last, last + MINUTE, saved[0].occurred_at)) == KindCounts(
            live=live, purged={Kind.NOTE: 1, Kind.CHANGE: 1}, since=({Kind.CHANGE: 1}, {}, live)
        )
        assert (project.search.count(), project.search.count(include_purged=True)) == (2, 4)


def sides(
    project: ProjectFixture, anchor: Observation | datetime, *, before: int = 9, after: int = 9, **more: Any
) -> tuple[list[str], str | None, list[str], tuple[int, int]]:
    """Return the contents before, at and after `anchor`, and the totals of both sides."""
    at = anchor.id if isinstance(anchor, Observation) else anchor
    found = project.search.around(TimelineQuery(at, before=before, after=after, **more))
    return (
        [hit.observation.content for hit in found.before],
        None if found.centre is None else found.centre.observation.content,
        [hit.observation.content for hit in found.after],
        (found.total_before, found.total_after),
    )


class TimelineClauses:
    """A timeline has the observations before and after an anchor: a time or an observation."""

    def test_around_a_moment_are_the_nearest_of_each_side(self, project: ProjectFixture) -> None:
        """Fails if the limits don't keep the memories nearest to the anchor, or if a side isn't sorted by time.

        Also fails if the totals count only returned memories, or if the anchor's time loses its zone.
        """
        for number in range(7):
            project.save(f"memory {number}", session=None if number % 2 else "s", now=START + number * MICROSECOND)
        for zone in ZONES:
            moment = (START + 3 * MICROSECOND).astimezone(zone)
            around = (["memory 2", "memory 3"], None, ["memory 4"], (4, 3))
            assert sides(project, moment, before=2, after=1) == around
            assert sides(project, moment, before=1, after=0) == (["memory 3"], None, [], (4, 3))
        assert sides(project, START - MINUTE, after=2) == ([], None, ["memory 0", "memory 1"], (0, 7))

    def test_around_is_ordered_by_moment_and_sequence(self, project: ProjectFixture) -> None:
        """Fails if neighbours are ordered by id, or by `created_at` after the clock was set back.

        Also fails if the memory in the centre is among its own neighbours.
        """
        saved = [project.save(f"memory {number}", now=START - number * MINUTE) for number in range(5)]
        around = (["memory 0", "memory 1"], "memory 2", ["memory 3", "memory 4"], (2, 2))
        assert sides(project, saved[2]) == around
        found = project.search.around(TimelineQuery(saved[0].id, before=1, after=1))
        assert found.centre is not None
        assert [hit.match for hit in (found.centre, *found.after)] == [Match.ID, Match.NEIGHBOUR]

    def test_around_within_a_session_others_are_left_out(self, project: ProjectFixture) -> None:
        """Fails if memories of other sessions are returned or counted.

        Also fails if an anchor of another session is refused or missing.
        """
        saved = [project.save(f"{session} {number}", session=session) for number in range(3) for session in "st"]
        assert sides(project, saved[2], session="s") == (["s 0"], "s 1", ["s 2"], (1, 1))
        assert sides(project, saved[2], session="t") == (["t 0"], "s 1", ["t 1", "t 2"], (1, 2))
        assert sides(project, START + 9 * MINUTE, session="s") == (["s 0", "s 1", "s 2"], None, [], (3, 0))
        assert sides(project, START, session="\ud800") == ([], None, [], (0, 0))

    def test_purged_ones_are_not_around(self, project: ProjectFixture) -> None:
        """Fails if purged memories are returned or counted.

        Also fails if `include_purged` doesn't return purged memories, or if a purged memory can't be the anchor.
        """
        saved = [project.save(f"memory {number}", session="s") for number in range(4)]
        project.purge(saved[0], saved[2])
        for session in (None, "s"):
            assert sides(project, saved[3], session=session) == (["memory 1"], "memory 3", [], (1, 0))
            every = [f"memory {number}" for number in range(3)]
            asked = sides(project, saved[3], session=session, include_purged=True)
            assert asked == (every, "memory 3", [], (3, 0))
        assert sides(project, saved[2], session="s") == (["memory 1"], "memory 2", ["memory 3"], (1, 1))

    def test_around_nothing_is_an_error(self, project: ProjectFixture) -> None:
        """Fails if an unknown id gets an empty answer instead of an error."""
        with pytest.raises(ObservationNotFoundError):
            project.search.around(TimelineQuery(UNKNOWN, before=1, after=1))
