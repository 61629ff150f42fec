"""The latest commits that the adapter reads from a real git, and when something was committed last."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lamella.ports.history import Latest
from lamella_adapters.git.history import GitHistory
from tests.unit.adapters.git.git_repository import ENVIRONMENT, Repository, executable
from tests.unit.adapters.git.histories import HISTORY, changed, told

EVER = (datetime.fromtimestamp(0, UTC), datetime(2100, 1, 1, tzinfo=UTC))


@pytest.fixture
def repository(unborn: Repository) -> Repository:
    return unborn


def moment(repository: Repository) -> datetime:
    """Return the time of the latest commit."""
    return datetime.fromtimestamp(int(repository.git("log", "-1", "--format=%ct")), UTC)


def test_the_latest_commits_are_told_latest_first(repository: Repository) -> None:
    repository.commit(a="1\n")
    repository.commit(a="2\n")
    repository.git("checkout", "--quiet", "-b", "side", "HEAD~1")
    repository.commit(b="1\n")
    repository.git("merge", "--quiet", "--no-commit", "main")
    repository.commit()
    repository.commit(b="2\n")
    found = HISTORY.latest(repository.root, during=[EVER], limit=5)
    assert sorted(each.id for each in found.commits) == sorted(each.id for each in told(repository))
    assert (found.commits[0].changes, found.more) == (changed(repository), 0)
    assert HISTORY.latest(repository.root, during=[EVER], limit=1) == Latest(found.commits[:1], more=3)


def test_only_commits_of_the_time_are_told_to_the_second(repository: Repository) -> None:
    repository.commit(a="1\n")
    at, part = moment(repository), timedelta(milliseconds=900)
    hour = timedelta(hours=1)
    for start, end, many in ((at + part, at + hour, 1), (at - hour, at, 1), (at - hour, at - part, 0)):
        assert len(HISTORY.latest(repository.root, during=[(start, end)], limit=5).commits) == many
    assert len(HISTORY.latest(repository.root, during=[(at + hour, EVER[1]), EVER], limit=5).commits) == 1


def test_a_commit_that_was_made_anew_is_told_as_it_is_now(repository: Repository) -> None:
    repository.commit(a="1\n")
    repository.commit(a="2\n")
    repository.git("commit", "--quiet", "--amend", "--message", "better")
    assert [each.message for each in HISTORY.latest(repository.root, during=[EVER], limit=5).commits] == [
        "better",
        "a commit",
    ]


def test_the_oldest_commit_that_was_fetched_is_nobodys(repository: Repository, tmp_path: Path) -> None:
    repository.commit(a="1\n")
    repository.commit(a="2\n")
    repository.git("clone", "--quiet", "--depth=1", f"file://{repository.root}", str(tmp_path / "clone"))
    clone = Repository(tmp_path / "clone")
    assert HISTORY.latest(clone.root, during=[EVER], limit=5) == Latest()
    clone.git("commit", "--quiet", "--amend", "--message", "mine")
    assert HISTORY.latest(clone.root, during=[EVER], limit=5) == Latest()


def test_a_first_commit_is_shown_whatever_is_configured(repository: Repository) -> None:
    repository.git("config", "log.showRoot", "false")
    repository.commit(a="1\n")
    (commit,) = HISTORY.latest(repository.root, during=[EVER], limit=5).commits
    assert (commit.changes, [each.path for each in commit.changes]) == (changed(repository), ["a.py"])


def test_without_an_answer_there_are_no_latest_commits(repository: Repository, tmp_path: Path) -> None:
    for place in (repository.root, tmp_path):
        assert HISTORY.latest(place, during=[EVER], limit=5) == Latest()


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


def test_what_was_committed_last_counts_wherever_it_is(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert HISTORY.committed(repository.root) is None
    repository.commit(a="1\n")
    now = moment(repository)
    monkeypatch.setitem(ENVIRONMENT, "GIT_COMMITTER_DATE", (now + timedelta(hours=1)).isoformat())
    repository.write("a.py", "2\n")
    repository.git("stash")
    assert HISTORY.committed(repository.root) == now + timedelta(hours=1)
    repository.git("stash", "drop")
    assert HISTORY.committed(repository.root) == now


def test_beside_another_working_tree_nobody_knows_what_is_only_in_this_one(
    repository: Repository, tmp_path: Path
) -> None:
    repository.commit(a="1\n")
    assert HISTORY.committed(repository.root) == moment(repository)
    repository.worktree(tmp_path / "other")
    assert HISTORY.committed(repository.root) is None


def test_without_an_answer_nobody_knows_when_anything_was_committed(repository: Repository) -> None:
    repository.commit(a="1\n")
    assert GitHistory(program="/nonexistent/git").committed(repository.root) is None
