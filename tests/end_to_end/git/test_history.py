"""Commits that the adapter reads from a real git."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lamella.domain.errors import HistoryUnreadableError
from lamella.domain.memories.observation import CodeChange
from lamella.ports.history import Latest
from lamella_adapters.git.history import GitHistory
from tests.end_to_end.git.git_repository import Repository, executable
from tests.end_to_end.git.histories import HISTORY, changed, told
from tests.end_to_end.git.uncommitted_changes import EVER, diff
from tests.unit.support.tables import cases


@pytest.fixture
def repository(unborn: Repository) -> Repository:
    return unborn


def test_a_commit_says_what_it_did(repository: Repository) -> None:
    repository.commit(a="1\n2\n3\n")
    repository.write("a.py", "1\nzwei\n3\n")
    repository.write("b.py", "one\n")
    repository.git("add", "--all")
    repository.git("commit", "--quiet", "--message", "Count in German\n\nBecause it is\nasked for.")
    (first, second) = told(repository)
    moment = int(repository.git("log", "-1", "--format=%ct"))
    assert [first.id, second.id] == repository.git("log", "--reverse", "--format=%H").split()
    assert (second.at, second.message) == (
        datetime.fromtimestamp(moment, UTC),
        "Count in German\n\nBecause it is\nasked for.",
    )
    assert second.changes == (
        diff("a.py", "@@ -1,3 +1,3 @@\n 1\n-2\n+zwei\n 3"),
        diff("b.py", "@@ -0,0 +1 @@\n+one"),
    )
    assert first.changes[0].hunks == "@@ -0,0 +1,3 @@\n+1\n+2\n+3"
    assert second.size > 100


def test_only_the_latest_are_told_oldest_first(repository: Repository) -> None:
    for number in range(30):
        repository.commit(a=f"{number}\n")
    assert [each.changes[0].hunks.split("\n")[-1] for each in told(repository, 27)] == [
        f"+{number}" for number in range(3, 30)
    ]


@cases
def test_hostile_names_are_told_as_they_are(repository: Repository, name: str) -> None:
    repository.write(name, "1\n")
    repository.commit()
    assert [each.path for each in changed(repository)] == [name]
    repository.git("mv", "--", name, f"{name}.moved")
    repository.commit()
    assert [(each.path, each.former) for each in changed(repository)] == [(f"{name}.moved", name)]


def test_names_that_are_no_text_are_told(repository: Repository) -> None:
    (repository.root / os.fsdecode(b"\xff.py")).write_text("1\n")
    repository.commit()
    assert [each.path for each in changed(repository)] == ["\ufffd.py"]


@cases
def test_what_looks_like_a_log_is_only_content(repository: Repository, content: bytes) -> None:
    repository.write("a.txt", content)
    repository.commit(b="1\n")
    (commit,) = told(repository)
    assert [each.path for each in commit.changes] == ["a.txt", "b.py"]
    assert commit.changes[0].additions == len(content.removesuffix(b"\n").split(b"\n"))


def test_a_large_change_is_cut_and_counted_whole(repository: Repository) -> None:
    repository.commit(a="".join(f"line {number}\n" for number in range(40_000)))
    (change,) = changed(repository)
    assert (change.additions, len(change.hunks) <= 130 * 1024) == (40_000, True)
    assert change.hunks.startswith("@@ -0,0 +1,40000 @@\n+line 0\n+line 1\n")


def test_a_very_large_file_has_no_lines(repository: Repository) -> None:
    repository.write("dump.sql", "insert into a values (1);\n" * 50_000)
    repository.commit()
    assert changed(repository) == (CodeChange(path="dump.sql"),)


def test_a_very_long_line_is_cut(repository: Repository) -> None:
    repository.write("bundle.js", "x" * 900_000)
    repository.commit()
    (change,) = changed(repository)
    assert (change.additions, len(change.hunks) < 400) == (1, True)


@pytest.mark.parametrize("most", [8_000, 8_010, 8_020, 8_036])
def test_of_a_long_message_no_half_of_a_word_is_read(repository: Repository, most: int) -> None:
    word = "w" * 36
    repository.write("a", "1\n")
    repository.git("add", ".")
    said = "x " * ((most - len(word)) // 2) + word
    repository.git("commit", "-qm", f"{said} more\n\n{said} more")
    (commit,) = told(repository)
    assert set(commit.message.replace("[...]", "").split()) <= {"x", word, "more"}


def test_of_very_many_files_some_are_kept(repository: Repository) -> None:
    for number in range(250):
        repository.write(f"{number:03}.py", f"{number}\n")
    repository.commit()
    (commit,) = told(repository)
    paths = [each.path for each in commit.changes]
    assert (len(paths), paths[0], paths[-1]) == (200, "000.py", "249.py")
    assert commit.more == tuple(f"{number:03}.py" for number in range(199, 249))


def test_without_commits_there_is_no_history(repository: Repository, tmp_path: Path) -> None:
    for folder in (repository.root, tmp_path):
        with pytest.raises(HistoryUnreadableError, match="no readable git history"):
            HISTORY.commits(folder, limit=5)


def test_without_git_there_is_no_history(repository: Repository) -> None:
    missing = GitHistory(program="/nonexistent/git")
    with pytest.raises(HistoryUnreadableError, match="no readable git history"):
        missing.commits(repository.root, limit=5)
    with pytest.raises(HistoryUnreadableError, match="stopped before"):
        list(missing.read(repository.root, ["0" * 40]))


def test_a_commit_that_is_missing_is_told(repository: Repository) -> None:
    repository.commit(a="1\n")
    with pytest.raises(HistoryUnreadableError, match="stopped before the last commit"):
        list(HISTORY.read(repository.root, [*HISTORY.commits(repository.root, limit=5), "0" * 40]))


def test_a_git_that_never_ends_is_given_up(repository: Repository, tmp_path: Path) -> None:
    program = executable(tmp_path / "git", "printf 'something'\nsleep 60")
    with pytest.raises(HistoryUnreadableError, match="stopped before"):
        list(GitHistory(program=str(program), patience=0.3).read(repository.root, ["0" * 40]))


def test_reading_can_be_broken_off(repository: Repository) -> None:
    for number in range(40):
        repository.commit(a=f"{number}\n" * 2000)
    commits = HISTORY.read(repository.root, HISTORY.commits(repository.root, limit=50))
    assert next(commits).changes[0].additions == 2000
    del commits


def test_only_commits_of_the_time_are_told_to_the_second(repository: Repository) -> None:
    repository.commit(a="1\n")
    at = datetime.fromtimestamp(int(repository.git("log", "-1", "--format=%ct")), UTC)
    part = timedelta(milliseconds=900)
    hour = timedelta(hours=1)
    for start, end, many in ((at + part, at + hour, 1), (at - hour, at, 1), (at - hour, at - part, 0)):
        assert len(HISTORY.latest(repository.root, during=[(start, end)], limit=5).commits) == many
    assert len(HISTORY.latest(repository.root, during=[(at + hour, EVER[1]), EVER], limit=5).commits) == 1


@pytest.mark.parametrize("failing", ["--walk-reflogs", "rev-list"])
def test_where_git_fails_to_say_who_made_them_no_commits_are_told(
    repository: Repository, tmp_path: Path, failing: str
) -> None:
    repository.commit(a="1\n")
    program = executable(tmp_path / "git", f'case "$*" in *{failing}*) exit 1;; esac\nexec git "$@"')
    assert GitHistory(program=str(program)).latest(repository.root, during=[EVER], limit=5) == Latest()


def test_commits_that_cannot_be_read_are_counted(repository: Repository, tmp_path: Path) -> None:
    repository.commit(a="1\n")
    repository.commit(a="2\n")
    program = executable(tmp_path / "git", 'git "$@" || exit 1\ncase "$*" in *--no-walk*) exit 1;; esac')
    whole = HISTORY.latest(repository.root, during=[EVER], limit=5)
    found = GitHistory(program=str(program)).latest(repository.root, during=[EVER], limit=5)
    assert found == Latest(whole.commits[:1], more=1)
