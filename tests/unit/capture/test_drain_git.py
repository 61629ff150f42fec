"""What commands change in a real repository, and what git brings and takes there.

Over 300 lines, because all of it happens at one bench.
"""

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from subprocess import CalledProcessError
from typing import Any

import pytest
from attrs import define, evolve, field

from lamella.application.ledger import find_unreported
from lamella.application.ledger.check_edit import EditRequest
from lamella.domain.memories.observation import CodeChange, Observation
from lamella.domain.privacy.redaction import cleaned
from lamella.ports.transcripts import Transcripts
from lamella_adapters.git import history
from lamella_adapters.git.history import GitHistory
from lamella_adapters.git.working_tree import GitWorkingTree
from tests.unit.doubles import Desk, FixedClock
from tests.unit.git.git_repository import ENVIRONMENT, Repository
from tests.waiting import HANG_SECONDS

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
        tree: Any = GitWorkingTree(patience=HANG_SECONDS)  # where other desks have one on paper
        return Desk(tree=tree, clock=FixedClock(datetime.now(UTC))).at(directory=self.repository.root)

    def edit(self, path: str, before: str, after: str) -> None:
        """An edit as a hook tells of it."""
        file = self.repository.root / path
        text = file.read_text(encoding="utf-8")
        assert before in text
        file.write_text(text.replace(before, after), encoding="utf-8")
        lines = [*(f"-{line}" for line in before.splitlines()), *(f"+{line}" for line in after.splitlines())]
        self._tell(tool="Edit", path=str(file), hunks=cleaned("\n".join(["@@ -1 +1 @@", *lines])).text)

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
        before = self.desk.tree.text(self.repository.root, path)
        request = EditRequest(path=path, before=before, after=before + code)
        session = evolve(self.desk.call, session=f"session {self._told}")
        return self.desk.check(session, request) is not None

    @property
    def recorded(self) -> list[Observation]:
        return list(self.desk.observations.starting_with("", limit=100))

    def _tell(self, **fields: Any) -> None:
        self._told += 1
        at = datetime.now(UTC) + timedelta(milliseconds=self._told) + self.ahead
        # Each in a session of its own, so that nothing joins.
        told = {"name": f"{self._told:03d}", "at": at, "session": f"s{self._told}", **fields}
        self.desk.spool.put(directory=self.repository.root, **told)


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Git has the time that it needs."""
    monkeypatch.setattr(history, "_LATEST_SECONDS", HANG_SECONDS)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    repository = Repository.made(tmp_path / "repository")
    repository.commit(pay=RETRY + CALL, log=LOG)
    forget_notes(repository)
    return Bench(repository)


def forget_notes(repository: Repository) -> None:
    """Makes git forget that something was committed here."""
    repository.git("reflog", "expire", "--expire=all", "--all")


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


def test_what_a_command_wrote_and_committed_is_its_work(bench: Bench) -> None:
    bench.repository.write("new.py", CALL)
    bench.repository.commit()
    (found,) = bench.ran("printf ... > new.py; git commit", took=timedelta(minutes=5))
    assert found.content.startswith("Command: printf ... > new.py; git commit\n")
    assert bench.ran("ls") == []


@pytest.mark.parametrize("command", ["git push", "python digits.py", "make"])
def test_what_was_committed_by_hand_before_a_command_is_not_its_work(bench: Bench, command: str) -> None:
    bench.repository.commit(pay=CALL)
    bench.ahead = timedelta(seconds=4)
    assert bench.ran(command, took=timedelta(seconds=0.5)) == []


@pytest.mark.parametrize("command", ["python digits.py", "cat .git/config", "./git-sync", "legit log", "git.py"])
def test_only_a_command_that_says_git_commits(bench: Bench, command: str) -> None:
    bench.repository.commit(pay=CALL)
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


def test_what_was_thrown_away_is_told_once(later: Bench) -> None:
    shown = LOG.replace("logged", "shown").replace("print", "display")
    later.edit("pay.py", CALL, shown + CALL)
    later.repository.write("pay.py", RETRY + shown + CALL)
    assert lines(later.ran("sed"))[-2:] == signed("-", LOG)
    assert lines(later.git("checkout", "pay.py")) == signed("-", shown)


def test_a_commit_that_is_thrown_away_took_its_lines(later: Bench) -> None:
    later.repository.git("commit", "-qam", "Log")
    later.repository.git("reset", "-q", "--hard", "HEAD~1")
    assert lines(later.ran("git reset --hard HEAD~1")) == signed("-", LOG)


@pytest.mark.parametrize(
    "commands",
    [
        [["stash"]],
        [["commit", "-qam", "Log"], ["checkout", "-q", "-b", "side", "HEAD~1"]],
        [["commit", "-qam", "Log"], ["branch", "kept"], ["reset", "-q", "--hard", "HEAD~1"]],
        [["commit", "-qam", "Log"], ["revert", "--no-edit", "HEAD"], ["checkout", "-q", "HEAD~2"]],
        [["mv", "pay.py", "money.py"]],
        [["worktree", "add", "-q", "../other"], ["checkout", "pay.py"]],
    ],
)
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
    shown = LOG.replace("logged", "shown").replace("print", "display")
    later.repository.write("pay.py", RETRY + LOG + CALL + shown)
    later.repository.git("commit", "-qam", "Show")
    later.ahead = timedelta(seconds=30)
    assert lines(later.ran("git commit -a; make test", took=timedelta(minutes=5))) == signed("+", shown)
    later.repository.git("checkout", "-q", "--detach", "HEAD~1")
    assert lines(later.ran("git checkout")) == []


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
    """What somebody else committed just now, besides what was committed here, was fetched."""
    bench.repository.git("branch", "theirs")
    other = Repository(bench.repository.worktree(bench.repository.root.parent / "other"))
    other.git("checkout", "-q", "theirs")
    other.commit(pay=theirs, log=LOG.replace("print", "printed"))
    other.git("checkout", "-q", "--detach")
    if ours:
        bench.repository.commit(pay=ours)
        bench.ran("git commit")
    bench.repository.git("branch", "-q", "--set-upstream-to=theirs")


@pytest.mark.parametrize("ours", ["", RETRY + CALL + "TRIES = 3\n"])
@pytest.mark.parametrize(
    "pull", [["pull", "--no-rebase", "--no-edit"], ["pull", "--rebase"], ["rebase", "theirs"], ["merge", "theirs"]]
)
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


def test_where_git_takes_no_notes_nobody_knows_who_made_a_commit(bench: Bench) -> None:
    bench.repository.git("config", "core.logAllRefUpdates", "false")
    shutil.rmtree(bench.repository.root / ".git" / "logs")
    bench.repository.commit(pay=CALL)
    assert bench.ran("git commit") == []


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


def test_a_new_file_counts_once_git_tracks_it(bench: Bench) -> None:
    bench.repository.write("new.py", RETRY)
    assert bench.ran("cat > new.py") == []
    assert lines(bench.git("add", "new.py")) == signed("+", RETRY)
    assert bench.git("commit", "-qm", "A new file") == []


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


def test_what_a_new_worktree_has_never_went(bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # How long git takes to write its files.
    monkeypatch.setattr(find_unreported, "_CHECKOUT", timedelta(minutes=5))
    bench.edit("pay.py", RETRY, "")
    bench.ran("ls")
    worktree = bench.repository.worktree(tmp_path / "worktree")
    bench.desk.spool.put(name="000", command="make", directory=worktree, at=datetime.now(UTC))
    drain(bench.desk)
    assert (len(bench.recorded), bench.walks_back("pay.py", RETRY)) == (1, True)
