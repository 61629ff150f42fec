"""Changes of commands, and lines that git brings and takes, in a real repository."""

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.unit.adapters.git.git_repository import Repository
from tests.unit.capture.git_bench import CALL, RETRY, Bench, drain, lines, signed


def test_a_command_that_changes_nothing_leaves_nothing(bench: Bench) -> None:
    assert bench.ran("ls") == []
    bench.edit("pay.py", RETRY, "")
    assert lines(bench.ran("ls")) == signed("-", RETRY)
    assert bench.ran("ls") == []


def test_only_what_was_not_told_is_the_work_of_a_command(bench: Bench) -> None:
    bench.edit("pay.py", RETRY, "")
    bench.repository.write("pay.py", CALL.replace("PATIENCE", "LONGER_PATIENCE"))
    told, found = bench.ran("sed -i s/PATIENCE/LONGER_PATIENCE/ pay.py")
    assert lines([told]) == signed("-", RETRY)
    (change,) = found.changes
    assert (change.additions, change.deletions) == (1, 1)
    assert lines([found]) == [
        "-    return call(*arguments, timeout=PATIENCE)",
        "+    return call(*arguments, timeout=LONGER_PATIENCE)",
    ]
    assert bench.ran("ls") == []


def test_what_was_committed_is_told_no_more(bench: Bench) -> None:
    bench.repository.write("pay.py", CALL)
    assert lines(bench.ran("sed -i 1,2d pay.py")) == signed("-", RETRY)
    assert bench.git("commit", "-qam", "Drop retries") == []
    assert bench.walks_back("pay.py", RETRY)
    bench.repository.write("pay.py", CALL + RETRY)
    assert lines(bench.ran("patch")) == signed("+", RETRY)
    assert not bench.walks_back("pay.py", RETRY)


def test_what_a_command_wrote_and_committed_is_its_work(bench: Bench) -> None:
    bench.repository.write("new.py", CALL)
    bench.repository.commit()
    (found,) = bench.ran("printf ... > new.py; git commit", took=timedelta(minutes=5))
    assert found.content.startswith("Command: printf ... > new.py; git commit\n")
    assert bench.ran("ls") == []


@pytest.mark.parametrize("command", ["git push", "make"])
def test_what_was_committed_by_hand_before_a_command_is_not_its_work(bench: Bench, command: str) -> None:
    bench.repository.commit(pay=CALL)
    bench.ahead = timedelta(seconds=4)
    assert bench.ran(command, took=timedelta(seconds=0.5)) == []


def test_what_was_done_by_hand_before_the_prompt_is_not_the_work_of_a_command_of_unknown_length(
    bench: Bench,
) -> None:
    bench.repository.commit(pay=CALL)
    bench.repository.write("log.py", RETRY)
    bench.ahead = timedelta(seconds=9)
    asked = datetime.now(UTC) + timedelta(seconds=3)
    (by_hand,) = bench.ran("git commit", asked=asked, reason="Commit it.")
    assert (by_hand.changes[0].path, "Commit it." in by_hand.content) == ("log.py", False)


def test_what_is_done_after_the_prompt_is_the_work_of_a_command_of_unknown_length(bench: Bench) -> None:
    asked = datetime.now(UTC)
    bench.repository.commit(pay=CALL)
    bench.ahead = timedelta(seconds=9)
    (found,) = bench.ran("git commit", asked=asked, reason="Commit it.")
    assert (found.title, lines([found])) == ("Commit it.", signed("-", RETRY))


def test_only_a_command_that_says_git_commits(bench: Bench) -> None:
    bench.repository.commit(pay=CALL)
    for command in ("python digits.py", "cat .git/config", "./git-sync", "legit log", "git.py"):
        assert bench.ran(command, took=timedelta(minutes=5)) == []


@pytest.mark.parametrize("command", ["/usr/bin/git commit", "(git commit)", "true;git commit", "x=$(git commit)"])
def test_git_is_found_wherever_a_command_says_it(bench: Bench, command: str) -> None:
    bench.repository.commit(pay=CALL)
    assert lines(bench.ran(command, took=timedelta(minutes=5))) == signed("-", RETRY)


def test_a_command_that_goes_on_long_after_its_commit_made_it(bench: Bench) -> None:
    bench.repository.commit(pay=CALL)
    bench.ahead = timedelta(minutes=5)
    (found,) = bench.ran("git commit -a && make test", took=timedelta(minutes=9))
    assert (found.content.split("\n")[0], lines([found])) == (
        "Command: git commit -a && make test",
        signed("-", RETRY),
    )


def test_every_commit_of_a_command_is_told(bench: Bench) -> None:
    for number in range(8):
        bench.repository.commit(**{f"new{number}": CALL})
    found = bench.ran("git commit", took=timedelta(minutes=5))
    assert sorted(each.changes[0].path for each in found) == [f"new{number}.py" for number in range(8)]


def test_the_first_commit_of_a_repository_is_told(tmp_path: Path) -> None:
    bench = Bench(Repository.made(tmp_path / "new"))
    bench.repository.commit(pay=CALL)
    assert lines(bench.ran("git init && git add . && git commit", took=timedelta(minutes=5))) == signed("+", CALL)


@pytest.mark.parametrize(
    "back", [["checkout", "pay.py"], ["restore", "pay.py"], ["stash"], ["reset", "-q", "--hard"]]
)
def test_lines_that_git_brings_back_are_no_removed_lines(bench: Bench, back: list[str]) -> None:
    bench.edit("pay.py", RETRY, "")
    bench.ran("ls")
    assert bench.walks_back("pay.py", RETRY)
    assert lines(bench.git(*back)) == signed("+", RETRY)
    assert not bench.walks_back("pay.py", RETRY)
    assert bench.ran("ls") == []


def test_a_stash_and_its_return_leave_the_ledger_as_it_was(bench: Bench) -> None:
    bench.edit("pay.py", RETRY, "")
    bench.ran("ls")
    bench.git("stash")
    assert lines(bench.git("stash", "pop")) == signed("-", RETRY)
    assert bench.walks_back("pay.py", RETRY)


def test_where_git_takes_no_notes_nobody_knows_who_made_a_commit(bench: Bench) -> None:
    bench.repository.git("config", "core.logAllRefUpdates", "false")
    shutil.rmtree(bench.repository.root / ".git" / "logs")
    bench.repository.commit(pay=CALL)
    assert bench.ran("git commit") == []


def test_an_edit_after_a_command_that_says_the_same_is_told_apart(bench: Bench) -> None:
    line = "    print('called with no arguments at all')\n"
    words = {"session": "one", "asked": datetime.now(UTC), "reason": "Log the calls."}
    bench.repository.write("pay.py", RETRY.replace("\n", f"\n{line}", 1) + CALL)
    (found,) = bench.ran("sed", **words)
    hunks = f"@@ -4,2 +4,3 @@\n def called(call, arguments):\n+{line}"
    later = found.created_at + timedelta(seconds=1)
    bench.desk.spool.put(
        name="900", at=later, directory=bench.repository.root, path="pay.py", hunks=hunks, **words
    )
    drain(bench.desk)
    assert [(each.source, lines([each])) for each in bench.recorded] == [
        ("command", [f"+{line.rstrip()}"]),
        ("edit", [f"+{line.rstrip()}"]),
    ]


def test_lines_that_went_on_a_branch_are_gone_whenever_it_is_checked_out(bench: Bench) -> None:
    bench.repository.git("checkout", "-q", "-b", "other")
    bench.edit("pay.py", RETRY, "")
    bench.git("commit", "-qam", "Drop retries")
    bench.ahead = timedelta(minutes=2)
    assert lines(bench.git("checkout", "-q", "-")) == signed("+", RETRY)
    bench.git("checkout", "-q", "-")
    assert bench.walks_back("pay.py", RETRY)
    assert lines(bench.git("checkout", "-q", "-")) == signed("+", RETRY)


def test_an_edit_that_a_command_was_taken_for_is_told_once(bench: Bench) -> None:
    """The file is written, a command of another agent ends, all is drained, and then the edit's hook."""
    session, asked = "one", datetime.now(UTC)
    bench.repository.write("pay.py", CALL)
    hooked = datetime.now(UTC)
    words = {"session": session, "asked": asked, "reason": "Drop the retries."}
    (found,) = bench.ran("make", **words, at=hooked + timedelta(milliseconds=5))
    assert "Command: make" in found.content
    hunks = "\n".join(["@@ -1,4 +1,2 @@", *signed("-", RETRY), *signed(" ", CALL)])
    bench.desk.spool.put(
        name="000", at=hooked, directory=bench.repository.root, path="pay.py", hunks=hunks, **words
    )
    drain(bench.desk)
    (told,) = bench.recorded
    assert (told.id, told.title, told.source, lines([told])) == (
        found.id,
        "Drop the retries.",
        "edit",
        signed("-", RETRY),
    )
    assert (told.content.split("\n")[0], told.content.split("\n")[-1]) == ("Drop the retries.", "Command: make")
    assert bench.ran("ls") == []
