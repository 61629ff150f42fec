"""Answers of hooks if the database is damaged, locked or being written."""

import fcntl
import random
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import apsw
import pytest
from attrs import evolve

from lamella.application.memories.save import SaveRequest
from lamella.container import running
from lamella.domain.ledger.fingerprints import fingerprints
from lamella_adapters.git.repository.locate import find
from lamella_adapters.hooks.clients import claude_code
from lamella_adapters.hooks.context import answer as context
from lamella_adapters.sqlite.hook_reads import open_project
from lamella_adapters.sqlite.hook_reads.open_project import Deadline, Unavailable, project_at
from lamella_adapters.sqlite.hook_reads.reads import SqliteHookReads
from lamella_adapters.sqlite.schema.migrations import NAMED, PROJECT
from tests.end_to_end.hooks.place import CODE, Place, unmarked
from tests.unit.support.tables import cases
from tests.waiting import HANG_SECONDS

ASKING = """
import sys
from lamella_adapters.hooks.clients.claude_code import event
from lamella_adapters.hooks.context.answer import answer
said = {"hook_event_name": "SessionStart", "session_id": "x", "cwd": sys.argv[2]}
try:
    print(answer(event(said, ""), sys.argv[1]))
except TimeoutError:
    print("late")
"""

OLDEST = PROJECT.index(NAMED["message_changes"])
"""The first version that hooks read."""


def noise(size: int) -> bytes:
    return random.Random(size).randbytes(size)  # noqa: S311 - it keeps no secret


def everything_in(folder: Path) -> dict[str, tuple[int, int, int]]:
    return {
        str(path.relative_to(folder)): (path.stat().st_ino, path.stat().st_size, path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if "claude-code" not in path.parts and path.is_file()
    }


def test_looking_changes_no_file(said: Place) -> None:
    before = everything_in(said.data)
    assert all(said.answers())
    assert everything_in(said.data) == before
    assert {path.stat().st_mode & 0o777 for path in (said.data / "claude-code").iterdir()} == {0o600}


def test_looking_changes_no_file_while_somebody_has_it_open(said: Place) -> None:
    with running(said.settings) as lamella:
        lamella.save(said.call, SaveRequest(text="One more."))
        before = everything_in(said.data)
        assert all(said.answers())
        # What SQLite's users share is where they say that they read.
        after = everything_in(said.data)
        assert {name for name in after if after[name] != before.get(name)} <= {
            name for name in after if name.endswith("-shm")
        }
        assert after.keys() == before.keys()
        lamella.save(said.call, SaveRequest(text="And another."))
    assert "5 memories" in unmarked(said.start("after"))


def test_a_log_that_a_crash_left_is_read(said: Place) -> None:
    with running(said.settings) as lamella:
        lamella.save(said.call, SaveRequest(text="It is in the log alone.", source="decision"))
        left = {path.name: path.read_bytes() for path in said.database.parent.glob("*.db*")}
    for name, content in left.items():
        if not name.endswith("-shm"):
            (said.database.parent / name).write_bytes(content)
    before = everything_in(said.data)
    assert "It is in the log alone." in unmarked(said.start())
    assert everything_in(said.data) == before


@pytest.mark.parametrize("written", [False, True])
def test_a_database_that_somebody_keeps_locked_is_read_nevertheless(said: Place, written: bool) -> None:
    with ExitStack() as holders:
        for path in (said.database, said.data / "registry.db"):
            holder = holders.enter_context(closing(apsw.Connection(str(path))))
            holder.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
            if written:
                holder.execute("UPDATE project SET name = 'renamed'")
            holder.execute("BEGIN EXCLUSIVE")
            holder.execute("UPDATE project SET name = 'never'")
        assert all(said.answers())
        assert ("project renamed:" if written else "project shop:") in unmarked(said.start())


def test_a_lock_that_keeps_readers_out_is_given_up(said: Place) -> None:
    with running(said.settings) as lamella:
        lamella.save(said.call, SaveRequest(text="Now there is a log."))
        with closing(apsw.Connection(str(said.database))) as holder:
            # As SQLite does while it makes the index of the log anew: nobody may read.
            with Path(f"{said.database}-shm").open("r+b") as shared:
                fcntl.lockf(shared, fcntl.LOCK_EX | fcntl.LOCK_NB, 8, 120)
                in_another = subprocess.check_output([sys.executable, "-c", ASKING, said.data, said.project])
            assert in_another == b"late\n"
            assert holder.execute("SELECT live FROM statistics").get == 4


def versioned(number: int) -> Callable[[Path], object]:
    """Return what gives a database another version of the schema."""

    def change(database: Path) -> None:
        with closing(apsw.Connection(str(database))) as connection:
            connection.execute(f"PRAGMA user_version = {number}")

    return change


@cases
def test_a_database_that_cannot_be_read_is_told_nothing_of_and_left_alone(
    said: Place, harm: Callable[[Path], object]
) -> None:
    harm(said.database)
    before = said.database.read_bytes()
    assert said.answers() == [None, None, None]
    assert said.database.read_bytes() == before


def test_a_version_that_reads_alike_is_answered(said: Place) -> None:
    before = said.answers()
    # The last two migrations change nothing that hooks read.
    versioned(len(PROJECT) - 2)(said.database)
    assert [unmarked(each or "") for each in said.answers()] == [unmarked(each or "") for each in before]
    assert all(before)


def test_where_there_is_nothing_nothing_is_told_and_nothing_made(said: Place, tmp_path: Path) -> None:
    nowhere = evolve(said, data=tmp_path / "nowhere")
    assert nowhere.answers() == [None, None, None]
    assert not nowhere.data.exists()
    assert evolve(said, project=tmp_path).answers() == [None, None, None]
    said.database.unlink()
    assert said.answers() == [None, None, None]


def test_a_storage_that_would_not_open_is_not_looked_at(said: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    for url in ("sqlite://", "sqlite://relative", "sqlite:///"):
        monkeypatch.setenv("LAMELLA_STORAGE", url)
        assert said.answers() == [None, None, None]
    monkeypatch.setenv("LAMELLA_STORAGE", f"sqlite://{said.data}")
    assert all(said.answers())


def test_what_cannot_be_written_down_is_shown_and_nothing_else(place: Place) -> None:
    (place.data / "claude-code").write_text("in the way")
    assert place.start() is not None
    assert place.ask("Why did we remove retry_payment from there?") is None
    assert place.edit() is None


@pytest.mark.parametrize("session", ["", "../up", "a b", "x" * 300, "null\0"])
def test_a_session_without_a_name_is_told_nothing(said: Place, session: str) -> None:
    assert said.start(session) is None


def test_somebody_who_writes_meanwhile_makes_it_nothing(said: Place) -> None:
    deadline = Deadline(HANG_SECONDS)
    looking = project_at(str(said.data), find(str(said.project))[0], "", deadline)
    with pytest.raises(Unavailable), looking, running(said.settings) as lamella:
        lamella.save(said.call, SaveRequest(text="Meanwhile."))


def test_a_look_without_end_is_broken_off(said: Place) -> None:
    forever = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    key = find(str(said.project))[0]
    with pytest.raises(TimeoutError), project_at(str(said.data), key, "", Deadline()) as connection:
        connection.execute(forever).fetchall()


def test_redaction_of_a_large_file_takes_no_time_from_the_reads(
    said: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(open_project, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(open_project, "_STEPS", 1)
    with SqliteHookReads(str(said.data)).project(find(str(said.project))[0], None, "") as project:
        assert project.knows_file("src/pay.py")
        now[0] += HANG_SECONDS
        assert project.removals("src/pay.py", fingerprints(CODE.split("\n")))


def test_what_a_look_waits_for_the_hook_does_not(said: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    looking, leave = Event(), Event()

    def index(*_: object) -> str:
        looking.set()
        leave.wait()
        return "too late"

    monkeypatch.setattr(context, "LONGEST", 0.1)
    monkeypatch.setattr(context, "_index", index)
    start: dict[str, object] = {"hook_event_name": "SessionStart", "session_id": "x", "cwd": str(said.project)}
    with pytest.raises(TimeoutError):
        context.answer(claude_code.event(start, ""), str(said.data))
    assert looking.wait(HANG_SECONDS)
    leave.set()
