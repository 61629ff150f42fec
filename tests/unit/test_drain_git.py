from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field

from lamella.application.check_edit import EditRequest
from lamella.domain.observation import CodeChange, Observation
from lamella.ports.transcripts import Transcripts
from lamella_adapters.git.history import GitHistory
from lamella_adapters.git.working_tree import GitWorkingTree

from .doubles import Desk, FixedClock
from .git_repository import Repository

RETRY = "def retried(call, attempts):\n    return call(attempts or DEFAULT_ATTEMPTS)\n"
CALL = "def called(call, arguments):\n    return call(*arguments, timeout=PATIENCE)\n"
LOG = "def logged(message, level):\n    print(level_name(level), message)\n"


def no_transcripts(path: Path | None) -> Transcripts:
    raise AssertionError(path)


def drain(desk: Desk) -> None:
    (*_, account) = desk.draining(no_transcripts, GitHistory())()
    assert (account.left, account.aside, account.trouble) == (0, 0, None)


@define
class Bench:
    """Somebody at work in a real repository: edits that are told of, and commands that are not."""

    repository: Repository
    desk: Desk = field(init=False)
    ahead: timedelta = timedelta()
    """How much later than now everything happens."""
    _told: int = 0

    @desk.default
    def _at_the_repository(self) -> Desk:
        tree: Any = GitWorkingTree()  # where other desks have one on paper
        return Desk(directory=self.repository.root, tree=tree, clock=FixedClock(datetime.now(UTC)))

    def edit(self, path: str, before: str, after: str) -> None:
        """An edit as a hook tells of it."""
        file = self.repository.root / path
        text = file.read_text(encoding="utf-8")
        assert before in text
        file.write_text(text.replace(before, after), encoding="utf-8")
        lines = [*(f"-{line}" for line in before.splitlines()), *(f"+{line}" for line in after.splitlines())]
        self._tell(tool="Edit", path=str(file), hunks="\n".join(["@@ -1 +1 @@", *lines]))

    def ran(self, command: str, **fields: Any) -> list[Observation]:
        """What is recorded after a command ended that changed something."""
        known = {each.id: each.updated_at for each in self.recorded}
        self._tell(tool="Bash", command=command, **fields)
        drain(self.desk)
        return [each for each in self.recorded if known.get(each.id) != each.updated_at]

    def git(self, *arguments: str) -> list[Observation]:
        self.repository.git(*arguments)
        return self.ran(f"git {' '.join(arguments)}")

    def walks_back(self, path: str, code: str) -> bool:
        """Whether an edit that brings some code would be warned of."""
        request = EditRequest(path=path, before="", after=code, session=f"session {self._told}")
        return self.desk.check(request) is not None

    @property
    def recorded(self) -> list[Observation]:
        return list(self.desk.observations.starting_with("", limit=100))

    def _tell(self, **fields: Any) -> None:
        self._told += 1
        # Each in a session of its own, so that nothing joins.
        at = datetime.now(UTC) + timedelta(milliseconds=self._told) + self.ahead
        told = {"name": f"{self._told:03d}", "at": at, "directory": self.repository.root, **fields}
        self.desk.spool.put(session=f"s{self._told}", **told)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    repository = Repository.made(tmp_path / "repository")
    repository.commit(pay=RETRY + CALL, log=LOG)
    return Bench(repository)


def lines(observations: list[Observation]) -> list[str]:
    """The lines that came and went in some observations."""
    hunks = "\n".join(change.hunks for each in observations for change in each.changes)
    return [line for line in hunks.split("\n") if line[:1] in ("+", "-")]


def signed(sign: str, code: str) -> list[str]:
    return [f"{sign}{line}" for line in code.splitlines()]


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


def test_what_a_command_committed_is_its_work_whoever_made_it(bench: Bench) -> None:
    bench.repository.write("new.py", CALL)
    bench.repository.commit()
    bench.ahead = timedelta(seconds=20)
    (found,) = bench.ran("git commit", took=timedelta(seconds=1))
    assert found.content.startswith("Command: git commit\n")


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


def test_a_revert_brings_lines_back(bench: Bench) -> None:
    bench.edit("pay.py", RETRY, "")
    bench.git("commit", "-qam", "Drop retries")
    assert bench.walks_back("pay.py", RETRY)
    assert lines(bench.git("revert", "--no-edit", "HEAD")) == signed("+", RETRY)
    assert not bench.walks_back("pay.py", RETRY)


def test_a_stash_and_its_return_leave_the_ledger_as_it_was(bench: Bench) -> None:
    bench.edit("pay.py", RETRY, "")
    bench.ran("ls")
    bench.git("stash")
    assert lines(bench.git("stash", "pop")) == signed("-", RETRY)
    assert bench.walks_back("pay.py", RETRY)


def test_a_new_line_that_git_takes_away_is_no_removed_line(bench: Bench) -> None:
    bench.edit("pay.py", RETRY, RETRY + LOG)
    bench.ran("ls")
    assert bench.git("checkout", "pay.py") == []
    assert not bench.walks_back("pay.py", LOG)


def test_a_renamed_file_is_followed(bench: Bench) -> None:
    (moved,) = bench.git("mv", "pay.py", "money.py")
    assert moved.changes == (CodeChange(path="money.py", former="pay.py", additions=0, deletions=0),)
    assert bench.git("commit", "-qm", "Rename") == []
    bench.edit("money.py", RETRY, "")
    assert lines(bench.ran("ls")) == signed("-", RETRY)
    assert bench.desk.projects.here().ledger().names("money.py") == ("money.py", "pay.py")


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


def test_what_was_changed_by_hand_long_ago_is_nobodys_work(bench: Bench) -> None:
    bench.repository.write("pay.py", CALL)
    bench.ahead = timedelta(minutes=11)
    assert bench.ran("ls") == []


def test_secrets_and_files_for_them_stay_out(bench: Bench) -> None:
    key = "AKIA" + "Q" * 16
    bench.repository.write(".env", "a=1\n")
    bench.repository.commit()
    bench.repository.write(".env", f"key={key}\n")
    bench.repository.write("pay.py", f'{RETRY}{CALL}KEY = "{key}"\n')
    (found,) = bench.ran("echo")
    assert [change.path for change in found.changes] == ["pay.py"]
    assert lines([found]) == ['+KEY = "[redacted]"']
    assert bench.ran("ls") == []


def test_a_worktree_is_its_repository(bench: Bench, tmp_path: Path) -> None:
    worktree = bench.repository.worktree(tmp_path / "worktree")
    (worktree / "pay.py").write_text(CALL, encoding="utf-8")
    bench.desk.spool.put(name="000", command="sed", directory=worktree, at=datetime.now(UTC))
    drain(bench.desk)
    (found,) = bench.recorded
    assert (found.changes[0].path, lines([found])) == ("pay.py", signed("-", RETRY))


def test_what_a_new_worktree_has_never_went(bench: Bench, tmp_path: Path) -> None:
    bench.edit("pay.py", RETRY, "")
    bench.ran("ls")
    worktree = bench.repository.worktree(tmp_path / "worktree")
    bench.desk.spool.put(name="000", command="make", directory=worktree, at=datetime.now(UTC))
    drain(bench.desk)
    assert (len(bench.recorded), bench.walks_back("pay.py", RETRY)) == (1, True)
