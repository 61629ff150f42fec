"""Clauses on filters by session, time and path, which apply before the limit."""

from itertools import combinations
from typing import Any

import pytest

from lamella.domain.memories.observation import CodeChange, Kind
from lamella.domain.memories.query import ByText, ByTitle, Recent, Search
from lamella_contracts.fixtures.project import MICROSECOND, MINUTE, START, ZONES, ProjectFixture

SEARCHES: tuple[Search, ...] = (ByText("zebra"), ByTitle("zebra"), Recent())


def about(project: ProjectFixture, *paths: str) -> None:
    """Save a memory about these paths that every search of `SEARCHES` finds."""
    project.save(f"zebra {' '.join(paths)}", title="zebra", changes=tuple(CodeChange(path=each) for each in paths))


def paths_found(project: ProjectFixture, path: str) -> list[set[str]]:
    """Return the paths of the memories that each search of `SEARCHES` finds under `path`."""
    return [
        {change.path for hit in project.find(each, path=path) for change in hit.observation.changes}
        for each in SEARCHES
    ]


class FilteringClauses:
    """Filters narrow the candidates but do not change the statistics of the ranking."""

    def test_filters_come_before_the_limit(self, project: ProjectFixture) -> None:
        """The best are cut first and filtered then, so that a filtered page comes up short or empty."""
        for number in range(5):
            project.save(
                f"zebra {number} and some more words",
                title="zebra",
                session="wanted",
                changes=(CodeChange(path="wanted.py"),),
            )
        for number in range(60):
            project.save(f"zebra zebra {number}", title="zebra", session="other")
        for search in SEARCHES:
            assert len(project.find(search, limit=4, session="wanted")) == 4
            assert len(project.find(search, limit=4, path="wanted.py")) == 4
            assert len(project.find(search, limit=10, session="wanted", path="wanted.py")) == 5

    def test_a_session_is_taken_exactly(self, project: ProjectFixture) -> None:
        """Sessions are compared without case, by their beginning or as a pattern; or "" is none."""
        for session in ("s_1", "S_1", "sx1", "s_12", "", None):
            project.save(f"zebra in [{session}]", title="zebra", session=session)
        for search in SEARCHES:
            assert project.contents(search, session="s_1") == ["zebra in [s_1]"]
            assert project.contents(search, session="") == ["zebra in []"]
            assert len(project.contents(search)) == 6

    def test_since_includes_its_moment(self, project: ProjectFixture) -> None:
        """`since` leaves out what was saved at that very moment, or compares seconds."""
        for number in range(3):
            project.save(f"zebra {number}", title="zebra", now=START + number * MINUTE)
        for search in SEARCHES:
            assert set(project.contents(search, since=START + MINUTE)) == {"zebra 1", "zebra 2"}
            assert set(project.contents(search, since=START + MINUTE / 2)) == {"zebra 1", "zebra 2"}

    def test_since_counts_microseconds(self, project: ProjectFixture) -> None:
        """`since` is cut to seconds or milliseconds, or passes through a float."""
        for number in range(3):
            project.save(f"zebra {number}", title="zebra", now=START + number * MICROSECOND)
        moment = START + MICROSECOND
        for search in SEARCHES:
            assert set(project.contents(search, since=moment)) == {"zebra 1", "zebra 2"}
        assert sum(project.search.kinds(since=[moment]).since[0].values()) == 2

    def test_since_is_the_same_in_every_zone(self, project: ProjectFixture) -> None:
        """The zone of `since` is dropped, or the machine's own is taken for it."""
        for number in range(3):
            project.save(f"zebra {number}", title="zebra", now=START + number * MINUTE)
        for zone in ZONES:
            moment = (START + MINUTE).astimezone(zone)
            for search in SEARCHES:
                assert set(project.contents(search, since=moment)) == {"zebra 1", "zebra 2"}
            assert sum(project.search.kinds(since=[moment]).since[0].values()) == 2

    def test_since_goes_by_the_moment(self, project: ProjectFixture) -> None:
        """`since` is compared with `created_at`, and what was saved while the clock was set back is missing."""
        project.save("zebra before", title="zebra", now=START + MINUTE)
        project.save("zebra set back", title="zebra", now=START)
        for search in SEARCHES:
            assert len(project.find(search, since=START + MINUTE)) == 2

    def test_until_leaves_its_moment_out(self, project: ProjectFixture) -> None:
        """`until` includes its own moment, or is rounded down to seconds."""
        for number in range(3):
            project.save(f"zebra {number}", title="zebra", now=START + number * MICROSECOND)
        for search in SEARCHES:
            assert set(project.contents(search, until=START + MICROSECOND)) == {"zebra 0"}
            found = project.contents(search, since=START + MICROSECOND, until=START + 2 * MICROSECOND)
            assert found == ["zebra 1"]

    def test_kind_source_and_author_are_taken_exactly(self, project: ProjectFixture) -> None:
        """Kind, source or author is ignored, compared without case, or no author counts as every one."""
        project.save("zebra note", title="zebra", source="decision", author="Ada")
        project.save("zebra change", title="zebra", source="Decision", author="ada", kind=Kind.CHANGE)
        project.save("zebra summary", title="zebra", source="hook", kind=Kind.SUMMARY)
        for search in SEARCHES:
            assert project.contents(search, kind=Kind.CHANGE) == ["zebra change"]
            assert project.contents(search, source="decision") == ["zebra note"]
            assert project.contents(search, author="Ada") == ["zebra note"]
            assert project.contents(search, author="ada", kind=Kind.NOTE) == []
            assert len(project.contents(search)) == 3

    def test_only_purged_ones_can_be_asked_for(self, project: ProjectFixture) -> None:
        """Live ones pass, or purged ones do although the query leaves them out."""
        project.save("zebra live", title="zebra")
        project.purge(project.save("zebra purged", title="zebra"))
        for search in SEARCHES:
            assert project.contents(search, only_purged=True, include_purged=True) == ["zebra purged"]
            assert project.contents(search, only_purged=True) == []

    def test_what_was_replaced_is_found_by_its_replacement(self, project: ProjectFixture) -> None:
        """The link is ignored, or leads to what was purged for another reason."""
        one, two, purged = (project.save(f"zebra {each}", title="zebra") for each in ("one", "two", "purged"))
        project.purge(purged)
        new = project.save("zebra new", title="zebra", replaces=(one.id, two.id))
        for search in SEARCHES:
            found = project.contents(search, replaced_by=new.id, include_purged=True)
            assert set(found) == {"zebra one", "zebra two"}
            assert project.contents(search, replaced_by=one.id, include_purged=True) == []

    def test_a_path_is_a_file_or_a_folder(self, project: ProjectFixture) -> None:
        """Only files are found by their path, or only what lies directly in a folder."""
        for path in ("src/auth/login.py", "src/auth/deep/er/token.py", "src/main.py"):
            about(project, path)
        assert paths_found(project, "src/auth/login.py") == [{"src/auth/login.py"}] * 3
        inside = {"src/auth/login.py", "src/auth/deep/er/token.py"}
        assert paths_found(project, "src/auth") == [inside] * 3
        assert paths_found(project, "src") == [{*inside, "src/main.py"}] * 3

    def test_a_sibling_is_not_in_the_folder(self, project: ProjectFixture) -> None:
        """A path is compared by its beginning without the `/`: `src/auth` finds `src/authx`."""
        for path in ("src/auth/a.py", "src/authx/a.py", "src/auth.py", "x/src/auth/a.py", "auth"):
            about(project, path)
        assert paths_found(project, "src/auth") == [{"src/auth/a.py"}] * 3

    def test_paths_are_plain_and_have_their_case(self, project: ProjectFixture) -> None:
        """`%` and `_` of LIKE are not escaped, or LIKE's blindness for case is let in."""
        for path in ("100%/a_b/x", "100x/a_b/x", "100%/aXb/x", "100%/A_B/x", "[a]/x", "a/x"):
            about(project, path)
        asked = ("100%/a_b", "100%", "[a]")
        assert [paths_found(project, each)[0] for each in asked] == [
            {"100%/a_b/x"},
            {"100%/a_b/x", "100%/aXb/x", "100%/A_B/x"},
            {"[a]/x"},
        ]

    def test_a_file_is_found_by_former_names(self, project: ProjectFixture) -> None:
        """The names that a file had before are passed over, taken for folders, or filter without a path."""
        for path in ("new.py", "old.py", "older.py", "old.py/a.py", "other.py"):
            about(project, path)
        for search in SEARCHES:
            hits = project.find(search, path="new.py", former=("old.py", "older.py"))
            paths = {change.path for hit in hits for change in hit.observation.changes}
            assert paths == {"new.py", "old.py", "older.py"}
            assert len(project.find(search, former=("old.py",))) == 5

    def test_a_dot_is_every_path(self, project: ProjectFixture) -> None:
        """`.`, the project's root, finds nothing, or also what is about no file."""
        about(project, "src/a.py")
        about(project, "b.py")
        project.save("zebra without code", title="zebra")
        assert paths_found(project, ".") == [{"src/a.py", "b.py"}] * 3
        assert [len(project.find(each, path=".")) for each in SEARCHES] == [2] * 3

    def test_several_paths_make_one_hit(self, project: ProjectFixture) -> None:
        """Joining the paths gives an observation once for each, and the limit counts them all."""
        about(project, "src/d.py")
        about(project, "src/a.py", "src/b.py", "src/c.py")
        found = [{hit.observation.id for hit in project.find(each, limit=2, path="src")} for each in SEARCHES]
        assert [len(each) for each in found] == [2] * 3

    def test_filters_hold_together(self, project: ProjectFixture) -> None:
        """Any two filters are joined by "or", or one of them is ignored where the other is given."""
        given: dict[str, Any] = {"session": "s", "kind": Kind.SUMMARY, "source": "decision", "author": "ada"}
        passing = {**given, "changes": (CodeChange(path="a.py"),), "occurred_at": START + MINUTE}
        failing: dict[str, Any] = {
            "session": {"session": "t"},
            "kind": {"kind": Kind.NOTE},
            "source": {"source": "manual"},
            "author": {"author": "bob"},
            "path": {"changes": ()},
            "since": {"occurred_at": START},
            "until": {"occurred_at": START + 2 * MINUTE},
        }
        for name, fields in failing.items():
            project.insert(f"zebra {name}", title="zebra", **{**passing, **fields})
        filters = {**given, "path": "a.py", "since": START + MINUTE, "until": START + 2 * MINUTE}
        for search in SEARCHES:
            for pair in combinations(filters, 2):
                found = project.contents(search, **{name: filters[name] for name in pair})
                assert (pair, set(found)) == (pair, {f"zebra {name}" for name in failing if name not in pair})

    def test_ids_are_the_only_ones_that_pass(self, project: ProjectFixture) -> None:
        """Ids are ignored, an empty set of them lets all through, or they replace the other filters."""
        one, _, three, purged = (
            project.save(f"zebra {each}", title="zebra", session=each)
            for each in ("one", "two", "three", "purged")
        )
        project.purge(purged)
        wanted = frozenset({one.id, three.id, project.new_id()})
        for search in SEARCHES:
            assert set(project.contents(search, ids=wanted)) == {"zebra one", "zebra three"}
            assert project.contents(search, ids=wanted, session="one") == ["zebra one"]
            every = project.contents(search, ids=wanted | {purged.id}, include_purged=True)
            assert set(every) == {"zebra one", "zebra three", "zebra purged"}
            assert project.contents(search, ids=frozenset()) == []

    def test_ids_leave_scores_alone(self, project: ProjectFixture) -> None:
        """With ids given, scores come from the statistics of these rows only."""
        for number in range(60):
            rare = f"rare{number % 7} pair{number // 2}" * (number % 3)
            project.save(f"zebra {'horse ' * (number % 5)}{rare} {number}", title=f"title {number % 4}")
        query = "zebra horse rare3 pair7 title"
        every = {hit.observation.id: hit for hit in project.find(query, limit=60)}
        some = list(every)[::7]
        found = project.find(query, ids=frozenset(some), limit=len(some))
        assert {hit.observation.id for hit in found} == set(some)
        expected = [every[hit.observation.id].score for hit in found]
        assert [hit.score for hit in found] == pytest.approx(expected, rel=1e-9)

    def test_filters_leave_scores_alone(self, project: ProjectFixture) -> None:
        """Scores come from the statistics of the filtered rows, so the filter changes their meaning."""
        project.save("zebra", session="wanted")
        for number in range(6):
            project.save(f"horse {number}", session="wanted")
            project.save(f"another and longer cow {number}", session="other")
        every, filtered = project.scores("zebra"), project.scores("zebra", session="wanted")
        assert filtered == pytest.approx(every)

    def test_filters_apply_to_purged_ones(self, project: ProjectFixture) -> None:
        """Purged observations that are asked for get past the filters."""
        project.purge(project.save("zebra wanted", title="zebra", session="wanted"))
        project.purge(project.save("zebra other", title="zebra", session="other"))
        for search in SEARCHES:
            assert project.contents(search, session="wanted", include_purged=True) == ["zebra wanted"]
