"""Lines that were new, and that git or a program has thrown away."""

from datetime import timedelta

import pytest

from tests.unit.adapters.git.git_repository import ENVIRONMENT
from tests.unit.capture.git_bench import CALL, LOG, RETRY, Bench, lines, signed
from tests.unit.support.tables import cases


@pytest.fixture
def later(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """A while after the last commit, to which nothing was added but by an edit."""
    with monkeypatch.context() as then:
        then.setitem(ENVIRONMENT, "GIT_COMMITTER_DATE", "2024-05-06T07:08:09Z")
        bench.repository.git("commit", "-q", "--amend", "--no-edit")
    bench.edit("pay.py", RETRY, RETRY + LOG)
    bench.ran("ls")
    return bench


@pytest.mark.parametrize("away", [["checkout", "pay.py"], ["restore", "pay.py"], ["reset", "-q", "--hard"]])
def test_new_lines_that_git_throws_away_are_removed_lines(later: Bench, away: list[str]) -> None:
    (gone,) = later.git(*away)
    assert (lines([gone]), gone.content.split("\n")[0]) == (signed("-", LOG), f"Command: git {' '.join(away)}")
    assert later.walks_back("pay.py", LOG)
    assert later.ran("ls") == []


def test_new_lines_that_a_program_undoes_are_removed_lines(later: Bench) -> None:
    later.repository.write("pay.py", RETRY + CALL)
    assert lines(later.ran("sed -i /logged/d pay.py")) == signed("-", LOG)


SHOWN = LOG.replace("logged", "shown").replace("print", "display")


@pytest.mark.parametrize("after", ["sed -i /shown/d pay.py", "git checkout pay.py"])
def test_new_lines_of_a_command_that_another_one_removes_are_removed_lines(later: Bench, after: str) -> None:
    later.repository.write("pay.py", RETRY + LOG + SHOWN + CALL)
    assert lines(later.ran("cat shown.py >> pay.py")) == signed("+", SHOWN)
    later.repository.write("pay.py", RETRY + LOG + CALL)
    assert lines(later.ran(after)) == signed("-", SHOWN)
    assert later.walks_back("pay.py", SHOWN)
    assert later.ran("ls") == []


def test_new_lines_of_a_command_that_are_edited_at_once_are_removed_once(later: Bench) -> None:
    later.repository.write("pay.py", RETRY + LOG + SHOWN + CALL)
    later.ran("cat shown.py >> pay.py")
    later.edit("pay.py", SHOWN, "")
    assert lines(later.ran("ls")) == signed("-", SHOWN)
    later.edit("pay.py", CALL, SHOWN + CALL)
    later.ran("ls")
    later.repository.write("pay.py", RETRY + LOG + CALL)
    assert lines(later.ran("sed -i /shown/d pay.py")) == signed("-", SHOWN)
    assert later.ran("ls") == []


def test_new_lines_of_a_command_that_may_have_committed_them_are_not_thrown_away(later: Bench) -> None:
    later.repository.write("pay.py", RETRY + LOG + SHOWN + CALL)
    later.ran("cat shown.py >> pay.py; git diff")
    later.repository.write("pay.py", RETRY + LOG + CALL)
    assert later.ran("sed -i /shown/d pay.py") == []


def test_what_was_thrown_away_is_told_once(later: Bench) -> None:
    later.edit("pay.py", CALL, SHOWN + CALL)
    later.repository.write("pay.py", RETRY + SHOWN + CALL)
    assert lines(later.ran("sed"))[-2:] == signed("-", LOG)
    assert lines(later.git("checkout", "pay.py")) == signed("-", SHOWN)


def test_a_commit_that_is_thrown_away_took_its_lines(later: Bench) -> None:
    later.repository.git("commit", "-qam", "Log")
    later.repository.git("reset", "-q", "--hard", "HEAD~1")
    assert lines(later.ran("git reset --hard HEAD~1")) == signed("-", LOG)


@cases
def test_new_lines_that_may_be_elsewhere_are_not_thrown_away(later: Bench, commands: list[list[str]]) -> None:
    for each in commands:
        later.repository.git(*each)
    assert lines(later.ran("git")) == []
    assert not later.walks_back("pay.py", LOG)


def test_lines_that_went_before_a_command_began_are_not_thrown_away_by_it(later: Bench) -> None:
    later.repository.git("checkout", "pay.py")
    later.ahead = timedelta(seconds=3)
    assert later.ran("ls", took=timedelta()) == []


def test_of_the_end_of_a_very_long_file_nobody_knows_whether_it_is_there(later: Bench) -> None:
    later.repository.write("pay.py", RETRY + CALL + "#" * 260_000)
    assert [line[0] for line in lines(later.ran("make"))] == ["+"]


def test_a_line_that_was_told_without_its_secret_is_still_there(later: Bench) -> None:
    key = "AKIA" + "Q" * 16
    later.edit("pay.py", RETRY, f"KEY_OF_ALL_THE_USERS_THAT_HAVE_EVER_BEEN_AUTHORISED = '{key}'\n{RETRY}")
    assert later.ran("make")[-1].source == "edit"
    assert later.ran("make") == []


def test_what_a_command_committed_before_it_ended_is_not_thrown_away(later: Bench) -> None:
    later.repository.write("pay.py", RETRY + LOG + CALL + SHOWN)
    later.repository.git("commit", "-qam", "Show")
    later.ahead = timedelta(seconds=30)
    assert lines(later.ran("git commit -a; make test", took=timedelta(minutes=5))) == signed("+", SHOWN)
    later.repository.git("checkout", "-q", "--detach", "HEAD~1")
    assert lines(later.ran("git checkout")) == []
