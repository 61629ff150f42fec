"""Commits of others, and edits that commands are taken for, in a real repository."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from subprocess import CalledProcessError

import pytest

from lamella.application.ledger import find_unreported
from tests.end_to_end.capture.git_bench import CALL, LOG, RETRY, Bench, drain, lines, signed
from tests.end_to_end.git.git_repository import Repository
from tests.unit.support.tables import cases


def fetched(bench: Bench, *, ours: str, theirs: str) -> None:
    """Fetch a commit by another person, made on the same parent as ours."""
    bench.repository.git("branch", "theirs")
    other = Repository(bench.repository.worktree(bench.repository.root.parent / "other"))
    other.git("checkout", "-q", "theirs")
    other.commit(pay=theirs, log=LOG.replace("print", "printed"))
    other.git("checkout", "-q", "--detach")
    if ours:
        bench.repository.commit(pay=ours)
        bench.ran("git commit")
    bench.repository.git("branch", "-q", "--set-upstream-to=theirs")


@cases
def test_what_others_committed_is_no_work_of_a_command(bench: Bench, pull: list[str], ours: str) -> None:
    fetched(bench, ours=ours, theirs="\n" * 4 + CALL if not ours else f"ROUNDS = 5\n\n\n{RETRY}{CALL}")
    assert bench.git(*pull) == []
    assert (bench.repository.root / "log.py").read_text(encoding="utf-8").count("printed") == 1
    assert not bench.walks_back("pay.py", RETRY)


def test_of_a_merge_with_conflicts_only_its_resolution_is_told(bench: Bench) -> None:
    fetched(
        bench, ours=RETRY + CALL.replace("PATIENCE", "OURS"), theirs=RETRY + CALL.replace("PATIENCE", "THEIRS")
    )
    bench.ahead = timedelta(minutes=2)
    with pytest.raises(CalledProcessError):
        bench.repository.git("merge", "theirs")
    assert bench.ran("git merge theirs") == []
    bench.repository.write("pay.py", RETRY + CALL.replace("PATIENCE", "BOTH"))
    (resolved,) = bench.ran("sed -i s/OURS/BOTH/ pay.py")
    assert [line for line in lines([resolved]) if line[0] == "+"] == ["+    return call(*arguments, timeout=BOTH)"]
    assert bench.git("commit", "-qam", "Merge") == []


def test_a_commit_that_is_picked_is_the_work_of_the_command(bench: Bench) -> None:
    fetched(bench, ours="", theirs=CALL)
    assert sorted(lines(bench.git("cherry-pick", "theirs"))) == sorted(
        [
            *signed("-", RETRY),
            *(line for line in signed("-", LOG) if "print" in line),
            "+    printed(level_name(level), message)",
        ]
    )
    assert bench.walks_back("pay.py", RETRY)


def test_what_a_new_worktree_has_never_went(bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # How long git takes to write its files.
    monkeypatch.setattr(find_unreported, "_CHECKOUT", timedelta(minutes=5))
    bench.edit("pay.py", RETRY, "")
    bench.ran("ls")
    worktree = bench.repository.worktree(tmp_path / "worktree")
    bench.desk.spool.put(name="000", command="make", directory=worktree, at=datetime.now(UTC))
    drain(bench.desk)
    assert (len(bench.recorded), bench.walks_back("pay.py", RETRY)) == (1, True)


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


def test_an_edit_that_a_command_was_taken_for_is_told_once(bench: Bench) -> None:
    """The file is written, another agent's command ends, all is drained, and then the edit's hook runs."""
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
