"""The ledger of code from the command line, over real repositories."""

import signal
import subprocess
import time

import pytest

from tests.end_to_end.git.git_repository import ENVIRONMENT, Repository
from tests.end_to_end.support.command_line import CommandLine
from tests.waiting import until

RETRY = "def retried(call, attempts):\n    return call(attempts or DEFAULT)\n"


@pytest.fixture
def lamella(lamella: CommandLine) -> CommandLine:
    """Return the command line at a repository with a function added and removed in a renamed file."""
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
    """Add commits that change `count.py`; the working tree stays unchanged."""
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


def test_a_backfill_that_was_killed_goes_on(lamella: CommandLine) -> None:
    commit_often(lamella, 120)
    process = lamella.started("ledger", "--backfill", stdout=subprocess.DEVNULL, stderr=None)
    # Something is being stored, or all is.
    until(lambda: process.poll() is not None or any(lamella.data.rglob("*.db-wal")))
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert lamella.run("ledger", "--backfill").out.endswith("; known: 123 of the latest 123.\n")
    listed = lamella.run("ledger", "count.py", "--limit", "500").out.splitlines()
    titles = [line.split("\t")[4].partition(" (")[0] for line in listed]
    assert titles == [f"Commit {number}" for number in reversed(range(120))]
