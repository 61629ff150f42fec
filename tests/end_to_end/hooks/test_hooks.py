"""Hooks as Claude Code starts them: by the command lines of the plugin, each a process of its own."""

import json
import os
import signal
import sqlite3
import subprocess
from contextlib import ExitStack, closing, suppress
from stat import S_IMODE

from lamella_adapters.hooks.payload import MAX_BYTES
from tests.end_to_end.hooks.edits import EDIT, EDITED, edit_of, hunks
from tests.end_to_end.hooks.machine import RECORDED, Machine
from tests.end_to_end.support.command_line import LAMELLA
from tests.end_to_end.support.forked import Command
from tests.end_to_end.support.raw_client import RawClient
from tests.waiting import HANG_SECONDS, contents, until

# Claude Code would print the command of a hook before a compaction, so the plugin has none.
NAMES = sorted(each.stem for each in RECORDED.glob("*.json") if each.stem != "PreCompact")
EVENTS = [*{each.partition("-")[0]: each for each in NAMES}.values()]
"""A recorded input of each event."""


def test_every_event_ends_well_and_in_silence(machine: Machine) -> None:
    for name in EVENTS:
        machine.tell(name)
    folders = [machine.data, *machine.data.iterdir()]
    assert {oct(S_IMODE(each.stat().st_mode)) for each in folders} == {"0o700"}
    files = [each for each in machine.data.rglob("*") if each.is_file()]
    assert {oct(S_IMODE(each.stat().st_mode)) for each in files} == {"0o600"}


def test_the_first_hook_finds_the_command_and_links_what_later_ones_use(unlinked: Machine) -> None:
    unlinked.tell(EDIT)
    (unlinked.folder / "bin" / "lamella").unlink()
    unlinked.tell(EDIT)
    assert hunks(unlinked) == EDITED * 2


def test_nobody_else_can_read_what_is_kept_whatever_the_umask(machine: Machine) -> None:
    before = os.umask(0)
    try:
        machine.tell(EDIT)
        os.umask(0o777)
        machine.tell(EDIT, LAMELLA_DATA_DIR=str(machine.folder / "other"))
    finally:
        os.umask(before)
    for data in (machine.data, machine.folder / "other"):
        modes = {oct(S_IMODE(each.stat().st_mode)) for each in (data, data / "spool")}
        assert modes == {"0o700"}
        assert {oct(S_IMODE(each.stat().st_mode)) for each in (data / "spool").iterdir()} == {"0o600"}


def test_garbage_is_told_of_and_nothing_else(machine: Machine) -> None:
    machine.tell(EDIT, b"[" * 1_000_000 + b"\n")
    assert [record["skipped"] for record in machine.spooled()] == ["no hook input"]


def test_a_hundred_megabytes_are_not_read(machine: Machine) -> None:
    piece, taken = b"x" * 1_000_000, 0
    with machine.started(EDIT) as process:
        assert process.stdin is not None
        with suppress(BrokenPipeError):
            while taken < 100_000_000:
                taken += os.write(process.stdin.fileno(), piece)
        assert process.wait(HANG_SECONDS) == 0
    assert MAX_BYTES <= taken < 2 * MAX_BYTES
    assert [record["skipped"] for record in machine.spooled()] == ["input too large"]


def test_a_hook_does_not_wait_for_the_end_of_its_input(machine: Machine) -> None:
    with machine.started(EDIT) as process:
        assert process.stdin is not None
        process.stdin.write((RECORDED / f"{EDIT}.json").read_bytes() + b"more")
        process.stdin.flush()
        assert process.wait(HANG_SECONDS) == 0
    assert hunks(machine) == EDITED


def test_stdin_that_is_closed_is_no_input(machine: Machine) -> None:
    command = f'CLAUDE_PLUGIN_DATA={machine.linked} "$0" -I -S "$1" <&- >&-'
    script = machine.folder / "plugin" / "hooks" / "hook.py"
    done = subprocess.run(
        ["sh", "-c", command, machine.linked / "python", script], env=machine.environment, check=False
    )
    assert done.returncode == 0


def test_a_data_directory_that_cannot_be_written_is_no_matter(machine: Machine) -> None:
    file = machine.folder / "file"
    file.touch()
    for name in (EDIT, "SessionStart-startup"):
        for where in (file, file / "x", "/proc/nowhere", "~nobody-of-that-name/x"):
            machine.tell(name, LAMELLA_DATA_DIR=str(where))
    assert not machine.data.exists()


def test_a_user_without_a_home_keeps_nothing_or_finds_it_elsewhere(machine: Machine) -> None:
    del machine.environment["HOME"], machine.environment["LAMELLA_DATA_DIR"]
    machine.tell(EDIT, XDG_DATA_HOME=str(machine.folder / "xdg"))
    assert len(machine.spooled(machine.folder / "xdg" / "lamella")) == 1


def test_captures_need_no_database(machine: Machine) -> None:
    machine.data.mkdir(mode=0o700)
    with ExitStack() as holders:
        for name in ("registry.db", "project.db"):
            database = sqlite3.connect(machine.data / name, isolation_level=None)
            holders.enter_context(closing(database))
            database.execute("CREATE TABLE memory (text TEXT)")
            database.execute("BEGIN EXCLUSIVE")
        for name in (EDIT, "Stop", "SessionEnd-other", "PostToolUse-bash"):
            machine.tell(name)
        assert len(machine.spooled()) == 4


def test_captures_of_many_sessions_at_once_are_all_kept_while_somebody_fetches_them(machine: Machine) -> None:
    fetched: list[int] = []
    running: list[subprocess.Popen[bytes]] = []

    def fetch() -> None:
        for name, content in contents(machine.data / "spool", "*.json").items():
            if content.endswith(b"\n"):
                fetched.append(int(json.loads(content)["hunks"].rpartition("+")[2]))
                (machine.data / "spool" / name).unlink()

    def ended() -> bool:
        fetch()
        return all(process.poll() is not None for process in running)

    for batch in range(2):
        running.clear()
        for number in range(batch * 8, batch * 8 + 8):
            process = machine.started(EDIT)
            assert process.stdin is not None
            process.stdin.write(edit_of(f"+{number}"))
            process.stdin.close()
            running.append(process)
        until(ended)
        for process in running:
            assert process.returncode == 0
            for pipe in (process.stdout, process.stderr):
                assert pipe is not None
                pipe.close()
    fetch()
    assert sorted(fetched) == list(range(16))


def test_a_hook_that_is_killed_leaves_a_whole_capture_or_one_without_its_end(machine: Machine) -> None:
    line = edit_of(*[f"+{'x' * 200}"] * 400)

    def files() -> int:
        return len(list((machine.data / "spool").glob("*")))

    for turn in range(12):
        seen = files()
        with machine.started(EDIT) as process:
            assert process.stdin is not None
            process.stdin.write(line)
            process.stdin.flush()
            if turn % 2:
                # At the moment when its file appears, or a little later than its start.
                until(lambda seen=seen: files() > seen)  # type: ignore[misc]
            os.killpg(process.pid, signal.SIGKILL)
    assert files() >= 6
    for content in contents(machine.data / "spool").values():
        if content.endswith(b"\n"):
            json.loads(content)
    machine.tell(EDIT)


def test_the_server_links_at_its_start(unlinked: Machine) -> None:
    with RawClient(Command([LAMELLA, "serve"], unlinked.folder, unlinked.environment)) as client:
        assert until((unlinked.linked / "python").exists), client.errors
    (unlinked.folder / "bin" / "lamella").unlink()
    unlinked.tell(EDIT)
    assert hunks(unlinked) == EDITED


def test_a_server_of_no_plugin_links_nothing(unlinked: Machine) -> None:
    del unlinked.environment["CLAUDE_PLUGIN_DATA"]
    with RawClient(Command([LAMELLA, "serve"], unlinked.folder, unlinked.environment)) as client:
        assert client.call(1, "recall")["id"] == 1
    assert sorted(each.name for each in unlinked.folder.iterdir()) == ["bin", "home", "plugin"]
