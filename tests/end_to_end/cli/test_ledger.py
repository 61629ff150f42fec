"""The ledger of code from the command line, over real repositories."""

import re
import signal
import subprocess
import time
from pathlib import Path

import pytest
from attrs import evolve

from tests.end_to_end.support.command_line import CommandLine
from tests.unit.adapters.git.git_repository import ENVIRONMENT, Repository
from tests.waiting import until

SECRET = "AKIA" + "Z" * 16
RETRY = "def retried(call, attempts):\n    return call(attempts or DEFAULT)\n"


@pytest.fixture
def lamella(lamella: CommandLine) -> CommandLine:
    """Return the command line at a repository with a function that came and went, in a file that was renamed."""
    repository = Repository.made(lamella.directory)
    keep = "".join(f"line_{number} = weight_of(number={number})\n" for number in range(20))
    commit(lamella, "Add retries", pay=RETRY + keep)
    commit(lamella, "Drop the retries\n\nThey doubled payments.", pay=keep)
    repository.git("mv", "pay.py", "money.py")
    commit(lamella, "Rename pay to money")
    return lamella


def commit(command: CommandLine, message: str, **files: str) -> None:
    repository = Repository(command.directory)
    repository.commit(**files)
    repository.git("commit", "--quiet", "--amend", "--message", message)


def commit_often(command: CommandLine, count: int) -> None:
    """Add commits that give `count.py` other lines each; the working tree stays as it is."""
    now = int(time.time())
    stream = ""
    for number in range(count):
        message, content = f"Commit {number}\n", f"count = weight_of(number={number})\n" * 50
        stream += (
            f"commit HEAD\ncommitter Ada <ada@example.org> {now + number} +0000\ndata {len(message)}\n{message}"
            f"{'' if number else 'from HEAD^0'}\nM 100644 inline count.py\ndata {len(content)}\n{content}\n"
        )
    importing = ["git", "fast-import", "--quiet"]
    subprocess.run(importing, cwd=command.directory, env=ENVIRONMENT, input=stream, text=True, check=True)


def test_a_file_has_a_history_after_a_backfill(lamella: CommandLine) -> None:
    learned = lamella.run("ledger", "money.py", "--backfill")
    assert (learned.code, learned.err) == (0, "")
    first, *lines = learned.out.splitlines()
    assert first == "Learned from 3 commit(s); 3 of the latest 3 are known."
    assert [re.sub(r"^\S+ \S+\t|\t[0-9a-f]+$| \([0-9a-f]{7}\)", "", line) for line in lines] == [
        "+0\t-0\tmoney.py (was pay.py)\tRename pay to money\tgit",
        "+0\t-2\tpay.py\tDrop the retries\tgit",
        "+22\t-0\tpay.py\tAdd retries\tgit",
    ]
    assert lamella.run("ledger", "money.py", "--limit", "1").out.splitlines() == lines[:1]


def test_a_folder_a_change_and_a_commit_have_a_history_with_its_lines(lamella: CommandLine) -> None:
    (lamella.directory / "src").mkdir()
    commit(lamella, "Add taxes", **{"src/tax": "rate = 19\n"})
    lamella.run("ledger", "--backfill")
    inside = evolve(lamella, directory=lamella.directory / "src")
    folder = inside.run("ledger", ".", "--patch").out.splitlines()
    assert folder[0].split("\t")[1:4] == ["+1", "-0", "src/tax.py"]
    assert folder[1:] == ["@@ -0,0 +1 @@", "+rate = 19"]
    assert inside.run("ledger", "tax.py", "--patch").out.splitlines() == folder
    whole = folder[0].split("\t")
    assert lamella.run("ledger", whole[-1]).out.splitlines() == folder
    assert lamella.run("ledger", whole[4][-8:-1]).out.splitlines() == folder
    assert inside.run("recall", whole[4][-8:-1]).out.startswith(f"[1] {whole[-1]} | Add taxes (")
    assert inside.run("ledger", "src").err.startswith("Nothing is known of src.")


def test_a_backfill_that_is_repeated_learns_what_is_new(lamella: CommandLine) -> None:
    assert lamella.run("ledger", "--backfill", "--commits", "2").out.startswith("Learned from 2 commit(s); 2 of ")
    commit(lamella, "More", more="more = weight_of(number=1)\n")
    assert lamella.run("ledger", "--backfill").out == "Learned from 2 commit(s); 4 of the latest 4 are known.\n"
    assert lamella.run("ledger", "--backfill").out == "Learned from 0 commit(s); 4 of the latest 4 are known.\n"


def test_a_backfill_that_was_killed_goes_on(lamella: CommandLine) -> None:
    commit_often(lamella, 120)
    process = lamella.started("ledger", "--backfill", stdout=subprocess.DEVNULL, stderr=None)
    # Something is being stored, or all is.
    until(lambda: process.poll() is not None or any(lamella.data.rglob("*.db-wal")))
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert lamella.run("ledger", "--backfill").out.endswith("; 123 of the latest 123 are known.\n")
    listed = lamella.run("ledger", "count.py", "--limit", "500").out.splitlines()
    titles = [line.split("\t")[4].partition(" (")[0] for line in listed]
    assert titles == [f"Commit {number}" for number in reversed(range(120))]


def test_secrets_are_left_out(lamella: CommandLine) -> None:
    (lamella.directory / ".env").write_text(f"KEY={SECRET}\n", encoding="utf-8")
    commit(lamella, f"Use {SECRET}", use=f"key = '{SECRET}'\n")
    done = lamella.run("ledger", "--backfill")
    assert done.out.splitlines()[1:] == ["Redacted: 2 secret(s).", "Files passed over: 1 a file for secrets."]
    assert [path for path, content in lamella.files.items() if SECRET.encode() in content] == []
    assert lamella.run("ledger", ".env").out == ""


def test_a_person_sees_a_table_and_a_progress_bar(lamella: CommandLine) -> None:
    done = lamella.on_terminal("ledger", "money.py", "--backfill")
    screen = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", done.out)
    assert done.code == 0
    assert "Learning from commits" in screen
    assert re.search(r"\n[0-9a-f]{8}  \S+ \S+  Drop the retries.* \(git\)\n +\+0 -2 +pay\.py\n", screen)


def test_what_is_not_known_says_what_to_do(lamella: CommandLine) -> None:
    done = lamella.run("ledger", "money.py")
    assert (done.code, done.out) == (0, "")
    assert done.err == (
        "Nothing is known of money.py. If its git history was not learned yet: lamella ledger --backfill\n"
    )
    assert not lamella.data.exists()


def test_without_a_file_or_backfill_it_says_what_it_needs(lamella: CommandLine) -> None:
    done = lamella.run("ledger")
    assert (done.code, done.out) == (2, "")
    assert "Name a FILE, a FOLDER or the ID of a change, or give --backfill." in done.err


def test_a_file_elsewhere_is_refused(lamella: CommandLine) -> None:
    done = lamella.run("ledger", "../elsewhere.py")
    assert (done.code, "outside this project" in done.err) == (1, True)


def test_without_history_it_says_so(tmp_path: Path) -> None:
    done = CommandLine(tmp_path / "data", tmp_path).run("ledger", "--backfill")
    assert done.code == 1
    assert done.err == (
        "There is no git history here that can be read. "
        "Run this in a repository that has commits, with git installed.\n"
    )
    assert not (tmp_path / "data").exists()
