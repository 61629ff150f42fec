"""Captures in a spool and processes that store them, to be killed anywhere.

Usage: python -m tests.end_to_end.hooks.drain_kills COMMAND FOLDER
"""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import apsw

from lamella.application.capture.drained import Drained
from lamella.container import running
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import RecallQuery
from lamella.settings import Settings
from lamella_adapters.git.working_tree import GitWorkingTree
from lamella_adapters.process.start import spool_folder, storage_url
from lamella_adapters.sqlite.storage import SqliteStorage
from tests.end_to_end.git.git_repository import Repository
from tests.end_to_end.storage.kills.statements import kill_everywhere
from tests.end_to_end.storage.worker import say
from tests.end_to_end.support.transcripts import record, write
from tests.patience import be_patient
from tests.waiting import HANG_SECONDS

LINES = "value = compute(one, two)\nother = compute(three, four)\n"


def captured(data: Path, number: int, **fields: Any) -> Path:
    """Return a record as written by a hook."""
    spool = Path(spool_folder(storage_url("", str(data)), str(data)))
    spool.mkdir(parents=True, exist_ok=True, mode=0o700)
    told = {"version": 1, "at": time.time(), "session": "s", **fields}
    return written(spool / f"{number:020d}-1.json", json.dumps(told) + "\n")


def written(file: Path, content: str) -> Path:
    """Write a private file atomically."""
    draft = file.with_suffix(".draft")
    draft.touch(mode=0o600)
    draft.write_text(content, encoding="utf-8")
    return draft.rename(file)


def edited(data: Path, number: int, directory: Path, *, session: str = "s", path: str = "pay.py") -> Path:
    """Return the record of an edit."""
    return captured(
        data,
        number,
        event="PostToolUse",
        tool="Edit",
        directory=str(directory),
        session=session,
        path=str(directory / path),
        hunks=f"@@ -1 +1 @@\n-value{number} = compute(it)\n+value{number} = compute(that)",
        reason=f"Compute that, number {number}.",
    )


def repository(place: Path) -> Path:
    """Make a repository in which a command has changed a file."""
    made = Repository.made(place)
    made.write("tax.py", LINES)
    made.commit()
    made.write("tax.py", LINES.replace("two", "five"))
    return place


def transcript(file: Path, directory: Path, session: str = "s") -> Path:
    """Write the transcript of a session: a request, a call and an answer."""
    call = {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "make"}}
    said = (
        ("user", "Compute that, please."),
        ("assistant", [call]),
        ("assistant", [{"type": "text", "text": "Done."}]),
    )
    records = [
        record(role, number, content, session=session, folder=directory)
        for number, (role, content) in enumerate(said)
    ]
    write(file, records)
    return file


@contextmanager
def patient_git() -> Iterator[None]:
    """Give git as much time as it needs."""
    program, _ = GitWorkingTree.__init__.__defaults__ or ()
    tree = patch.object(GitWorkingTree.__init__, "__defaults__", (program, HANG_SECONDS))
    with tree:
        yield


def drained(data: Path) -> Drained:
    """Return the final account of a drain."""
    with patient_git(), running(Settings(data_directory=data)) as lamella:
        return [Drained(), *lamella.drain()][-1]


def remembered(data: Path, directory: Path) -> tuple[list[Observation], list[str], int]:
    """Return all memories of a directory's project, its messages, and the amount of activity."""
    with closing(SqliteStorage(data)) as storage:
        (project,) = [each.id for each in storage.registry.all() if each.name == directory.name]
        hits = storage.search(project).find(RecallQuery(limit=10_000))
        talk = storage.conversations(project)
        messages = [each.text for each in talk.messages(talk.numbers("s"))]
        with closing(apsw.Connection(str(data / "projects" / f"{project}.db"))) as connection:
            activity = connection.execute("SELECT count(*) FROM activity").get
    return [hit.observation for hit in hits], messages, int(activity)


def all_kinds(folder: Path) -> None:
    """Check that an edit, a command, a conversation and a note are stored once, wherever a drain is killed."""
    directory = repository(folder.parent / "orchard")
    for name in ("rates.py", "toll.py"):
        Repository(directory).write(name, LINES)
    Repository(directory).git("add", ".")
    said = transcript(folder.parent / "s.jsonl", directory)
    folder.mkdir()
    edited(folder, 1, directory)
    captured(
        folder, 2, event="PostToolUse", tool="Bash", directory=str(directory), command="make", reason="Make it."
    )
    captured(folder, 3, event="SessionEnd", directory=str(directory), transcript=str(said))
    captured(folder, 4, event="SessionStart", directory=str(directory), injected=7)

    def work(copy: Path) -> None:
        # A statement of no database, before what touches a file: a place to be killed at.
        beat = apsw.Connection(":memory:")
        sys.addaudithook(
            lambda event, _: event in ("os.remove", "os.rename") and beat.execute("SELECT 1") and None
        )
        drained(copy)

    def check(copy: Path) -> None:
        account = drained(copy)
        assert (account.left, account.aside, account.trouble) == (0, 0, None)
        assert list((copy / "spool").iterdir()) == []
        memories, messages, activity = remembered(copy, directory)
        assert sorted(
            (each.source, each.changes[0].path if each.changes else each.title) for each in memories
        ) == [
            *(("command", path) for path in ("rates.py", "tax.py", "toll.py")),
            ("edit", "pay.py"),
            ("session", "Session: Compute that, please."),
        ]
        assert sorted(change.additions or 0 for each in memories for change in each.changes) == [1, 1, 2, 2]
        assert (len(messages), activity) == (3, 1)

    kill_everywhere(folder, work, check)


def drain(folder: Path) -> None:
    """Run one of several simultaneous drains."""
    be_patient()
    say("ready")
    sys.stdin.readline()
    account = drained(folder)
    say([account.done, account.left, account.aside])


if __name__ == "__main__":
    {each.__name__: each for each in (all_kinds, drain)}[sys.argv[1]](Path(sys.argv[2]))
