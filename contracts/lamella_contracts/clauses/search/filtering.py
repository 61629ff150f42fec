"""Clauses on filters by session, time and path.

Filters apply before the limit.
"""

from itertools import combinations
from typing import Any

import pytest

from lamella.domain.memories.observation import CodeChange, Kind
from lamella.domain.memories.query import ByText, ByTitle, Recent, Search
from lamella_contracts.fixtures.project import MICROSECOND, MINUTE, START, ZONES, ProjectFixture

SEARCHES: tuple[Search, ...] = (ByText("zebra"), ByTitle("zebra"), Recent())


def about(project: ProjectFixture, *paths: str) -> None:
    """Save a memory about these paths. Each of `SEARCHES` finds the memory."""
    project.save(f"zebra {' '.join(paths)}", title="zebra", changes=tuple(CodeChange(path=each) for each in paths))


def paths_found(project: ProjectFixture, path: str) -> list[set[str]]:
    """Return the paths of memories under `path`, for each of `SEARCHES`."""
    return [
        {change.path for hit in project.find(each, path=path) for change in hit.observation.changes}
        for each in SEARCHES
    ]


class FilteringClauses:
    """Filters narrow the candidates but do not change the statistics of the ranking."""

    def test_filters_come_before_the_limit(self, project: ProjectFixture) -> None:
        """Fails if filters are applied after the limit, so that matching memories are missing."""
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
        """Fails if session ids match ignoring case, as a prefix or as a pattern.

        Also fails if the empty session means "no session".
        """
        for session in ("s_1", "S_1", "sx1", "s_12", "", None):
            project.save(f"zebra in [{session}]", title="zebra", session=session)
        for search in SEARCHES:
            assert project.contents(search, session="s_1") == ["zebra in [s_1]"]
            assert project.contents(search, session="") == ["zebra in []"]
            assert len(project.contents(search)) == 6

    def test_times_count_microseconds_in_every_zone(self, project: ProjectFixture) -> None:
        """Fails if `since` excludes memories at exactly that time, or if `until` includes such memories.

        Also fails if the two times are rounded, read as local time, or compared with `created_at`.
        """
        for number in range(3):
            at: dict[str, Any] = {"occurred_at": START + number * MICROSECOND, "created_at": START}
            project.insert(f"zebra {number}", title="zebra", **at)
        for zone in ZONES:
            since, until = ((START + number * MICROSECOND).astimezone(zone) for number in (1, 2))
            for search in SEARCHES:
                assert set(project.contents(search, since=since)) == {"zebra 1", "zebra 2"}
                assert set(project.contents(search, until=since)) == {"zebra 0"}
                assert project.contents(search, since=since, until=until) == ["zebra 1"]
            assert sum(project.search.kinds(since=[since]).since[0].values()) == 2

    def test_kind_source_author_and_branch_are_taken_exactly(self, project: ProjectFixture) -> None:
        """Fails if one of these filters is ignored or ignores case.

        Also fails if rows without an author or branch pass every filter on that field.
        """
        project.save("zebra note", title="zebra", source="decision", author="Ada", branch="feat")
        project.save(
            "zebra change", title="zebra", source="Decision", author="ada", branch="Feat", kind=Kind.CHANGE
        )
        project.save("zebra summary", title="zebra", source="hook", kind=Kind.SUMMARY)
        for search in SEARCHES:
            assert project.contents(search, kind=Kind.CHANGE) == ["zebra change"]
            assert project.contents(search, source="decision") == ["zebra note"]
            assert project.contents(search, author="Ada") == ["zebra note"]
            assert project.contents(search, author="ada", kind=Kind.NOTE) == []
            assert project.contents(search, branch="feat") == ["zebra note"]
            assert len(project.contents(search)) == 3

    def test_metadata_has_every_entry_that_is_asked_for(self, project: ProjectFixture) -> None:
        """Fails if a memory with only one of several requested entries is found, or if values match in any case.

        Also fails if the name of an entry is parsed as a JSON path.
        """
        noted = {"team": "Payments", 'a."b"': "", "$.team": "x"}
        project.save("zebra noted", title="zebra", metadata=noted)
        project.save("zebra other", title="zebra", metadata={"team": "payments"})
        project.save("zebra", title="zebra")
        for search in SEARCHES:
            for entries in (noted, {"team": "Payments"}, {'a."b"': ""}):
                assert project.contents(search, metadata=entries) == ["zebra noted"]
            for name, value in (("team", "PAYMENTS"), ("$.team", "Payments"), ("a", "")):
                assert project.contents(search, metadata={"team": "Payments", name: value}) == []
            assert len(project.contents(search)) == 3

    def test_only_purged_ones_can_be_asked_for(self, project: ProjectFixture) -> None:
        """Fails if `only_purged` returns live rows, or purged rows without `include_purged`.

        Also fails if purged rows bypass other filters.
        """
        project.save("zebra live", title="zebra")
        for session in ("wanted", "other"):
            project.purge(project.save(f"zebra {session}", title="zebra", session=session))
        for search in SEARCHES:
            found = project.contents(search, only_purged=True, include_purged=True)
            assert set(found) == {"zebra wanted", "zebra other"}
            assert project.contents(search, session="wanted", include_purged=True) == ["zebra wanted"]
            assert project.contents(search, only_purged=True) == []

    def test_what_was_replaced_is_found_by_its_replacement(self, project: ProjectFixture) -> None:
        """Fails if `replaced_by` is ignored.

        Also fails if the filter returns memories that were purged without a replacement.
        """
        one, two, purged = (project.save(f"zebra {each}", title="zebra") for each in ("one", "two", "purged"))
        project.purge(purged)
        new = project.save("zebra new", title="zebra", replaces=(one.id, two.id))
        for search in SEARCHES:
            found = project.contents(search, replaced_by=new.id, include_purged=True)
            assert set(found) == {"zebra one", "zebra two"}
            assert project.contents(search, replaced_by=one.id, include_purged=True) == []

    def test_a_path_is_a_file_or_a_folder(self, project: ProjectFixture) -> None:
        """Fails if files in subfolders are missing, or `src/auth` finds `src/authx`.

        Also fails if a memory about several files is returned several times.
        """
        inside = {"src/auth/login.py", "src/auth/deep/er/token.py"}
        beside = {"src/authx/a.py", "src/auth.py"}
        others = {"x/src/auth/a.py", "auth"}
        for path in sorted(inside | beside | others):
            about(project, path)
        project.save("zebra without code", title="zebra")
        assert paths_found(project, "src/auth/login.py") == [{"src/auth/login.py"}] * 3
        assert paths_found(project, "src/auth") == [inside] * 3
        assert paths_found(project, "src") == [inside | beside] * 3
        assert paths_found(project, ".") == [inside | beside | others] * 3
        about(project, "lib/a.py", "lib/b.py", "lib/c.py")
        about(project, "lib/d.py")
        assert [len(project.find(each, limit=2, path="lib")) for each in SEARCHES] == [2] * 3
        assert [len({hit.short_id for hit in project.find(each, path="lib")}) for each in SEARCHES] == [2] * 3

    def test_paths_are_plain_and_have_their_case(self, project: ProjectFixture) -> None:
        """Fails if `%` and `_` in a path act as wildcards of LIKE, or if case is ignored."""
        for path in ("100%/a_b/x", "100x/a_b/x", "100%/aXb/x", "100%/A_B/x", "[a]/x", "a/x"):
            about(project, path)
        asked = ("100%/a_b", "100%", "[a]")
        assert [paths_found(project, each)[0] for each in asked] == [
            {"100%/a_b/x"},
            {"100%/a_b/x", "100%/aXb/x", "100%/A_B/x"},
            {"[a]/x"},
        ]

    def test_a_file_is_found_by_former_names(self, project: ProjectFixture) -> None:
        """Fails if former names of a file are ignored, or match as folders.

        Also fails if former names filter a search without a path.
        """
        for path in ("new.py", "old.py", "older.py", "old.py/a.py", "other.py"):
            about(project, path)
        for search in SEARCHES:
            hits = project.find(search, path="new.py", former=("old.py", "older.py"))
            paths = {change.path for hit in hits for change in hit.observation.changes}
            assert paths == {"new.py", "old.py", "older.py"}
            assert len(project.find(search, former=("old.py",))) == 5

    def test_filters_hold_together(self, project: ProjectFixture) -> None:
        """Fails if two filters are joined by "or" instead of "and", or if one filter disables another."""
        given: dict[str, Any] = {"session": "s", "kind": Kind.SUMMARY, "source": "decision", "author": "ada"}
        given |= {"branch": "main", "metadata": {"team": "a"}}
        passing = {**given, "changes": (CodeChange(path="a.py"),), "occurred_at": START + MINUTE}
        failing: dict[str, Any] = {
            "session": {"session": "t"},
            "kind": {"kind": Kind.NOTE},
            "source": {"source": "manual"},
            "author": {"author": "bob"},
            "branch": {"branch": None},
            "metadata": {"metadata": {"team": "b"}},
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
        """Fails if ids are ignored, or if an empty set of ids lets all rows pass.

        Also fails if ids disable the other filters.
        """
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
        """Fails if a filter by ids changes scores, because statistics then cover only the filtered rows."""
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
        """Fails if a filter by session changes scores, because statistics then cover only the filtered rows."""
        project.save("zebra", session="wanted")
        for number in range(6):
            project.save(f"horse {number}", session="wanted")
            project.save(f"another and longer cow {number}", session="other")
        every, filtered = project.scores("zebra"), project.scores("zebra", session="wanted")
        assert filtered == pytest.approx(every)
