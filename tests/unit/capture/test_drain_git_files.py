"""Files that are renamed, deleted, new or secret, and commits of others, in a real repository."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from subprocess import CalledProcessError

import pytest

from lamella.application.ledger import find_unreported
from lamella.domain.memories.observation import CodeChange
from tests.unit.adapters.git.git_repository import Repository
from tests.unit.capture.git_bench import CALL, LOG, RETRY, Bench, drain, forget_notes, lines, signed
from tests.unit.support.tables import cases


def test_a_renamed_file_is_followed(bench: Bench) -> None:
    (moved,) = bench.git("mv", "pay.py", "money.py")
    assert moved.changes == (CodeChange(path="money.py", former="pay.py", additions=0, deletions=0),)
    assert bench.git("commit", "-qm", "Rename") == []
    bench.edit("money.py", RETRY, "")
    assert lines(bench.ran("ls")) == signed("-", RETRY)
    assert bench.desk.here.ledger().names("money.py") == ("money.py", "pay.py")


def test_a_file_that_was_moved_without_telling_git_is_followed(bench: Bench) -> None:
    bench.edit("pay.py", RETRY, "")
    (bench.repository.root / "pay.py").rename(bench.repository.root / "money.py")
    told, moved = bench.ran("mv pay.py money.py")
    assert (lines([told]), moved.changes[0].former, lines([moved])) == (signed("-", RETRY), "pay.py", [])
    assert bench.ran("ls") == []
    assert bench.walks_back("money.py", RETRY)


def test_a_deleted_file_is_recorded(bench: Bench) -> None:
    (gone,) = bench.git("rm", "-q", "log.py")
    assert (gone.changes[0].path, lines([gone])) == ("log.py", signed("-", LOG))
    assert bench.walks_back("log.py", LOG)
    (bench.repository.root / "pay.py").unlink()
    assert [each.changes[0].path for each in bench.ran("rm pay.py")] == ["pay.py"]


def fetched(bench: Bench, *, ours: str, theirs: str) -> None:
    """Fetch a commit that somebody else has just made beside our own."""
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


def test_a_file_whose_name_is_a_secret_is_told_once(bench: Bench) -> None:
    key = "AKIA" + "Q" * 16
    bench.repository.commit(**{key: CALL})
    forget_notes(bench.repository)
    bench.repository.write(f"{key}.py", RETRY + CALL)
    (found,) = bench.ran("make")
    assert (found.changes[0].path, lines([found])) == ("[redacted].py", signed("+", RETRY))
    assert bench.ran("make again") == []
    bench.repository.git("mv", f"{key}.py", f"new{key}.py")
    (moved,) = bench.ran("mv")
    assert moved.changes[0].former == "[redacted].py"
    assert bench.ran("make again") == []


def test_a_new_file_counts_once_git_tracks_it(bench: Bench) -> None:
    bench.repository.write("new.py", RETRY)
    assert bench.ran("cat > new.py") == []
    assert lines(bench.git("add", "new.py")) == signed("+", RETRY)
    assert bench.git("commit", "-qm", "A new file") == []


def test_what_a_new_worktree_has_never_went(bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # How long git takes to write its files.
    monkeypatch.setattr(find_unreported, "_CHECKOUT", timedelta(minutes=5))
    bench.edit("pay.py", RETRY, "")
    bench.ran("ls")
    worktree = bench.repository.worktree(tmp_path / "worktree")
    bench.desk.spool.put(name="000", command="make", directory=worktree, at=datetime.now(UTC))
    drain(bench.desk)
    assert (len(bench.recorded), bench.walks_back("pay.py", RETRY)) == (1, True)
