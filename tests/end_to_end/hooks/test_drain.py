"""Captures of hooks, stored by servers and by the command line."""

import signal
from contextlib import ExitStack, closing
from pathlib import Path

import apsw
import pytest

from tests.end_to_end.hooks.drain_kills import (
    captured,
    drained,
    edited,
    remembered,
    repository,
    transcript,
    written,
)
from tests.end_to_end.storage.worker import Worker
from tests.end_to_end.support.command_line import LISTED_ID, CommandLine
from tests.end_to_end.support.forked import Command
from tests.end_to_end.support.raw_client import RawClient
from tests.end_to_end.support.tools import SERVE
from tests.waiting import until

KILLS = "tests.end_to_end.hooks.drain_kills"
MANY = 150
IN_VAIN = {"sqlite.file.connection.BUSY_SECONDS": 0.2}
"""Seconds that a command waits for a lock that is held."""


@pytest.fixture
def lamella(tmp_path: Path) -> CommandLine:
    return CommandLine(tmp_path / "data", repository(tmp_path / "orchard"))


def waiting(lamella: CommandLine) -> list[str]:
    return sorted(each.name for each in (lamella.data / "spool").iterdir())


def serving(lamella: CommandLine) -> RawClient:
    return RawClient(Command(SERVE, lamella.directory, lamella.environment))


def test_processes_that_drain_at_once_store_everything_once(tmp_path: Path) -> None:
    directory = tmp_path / "orchard"
    directory.mkdir()
    for number in range(MANY):
        edited(directory, number, directory, session=f"s{number}", path=f"{number}.py")
    with ExitStack() as stack:
        workers = [stack.enter_context(Worker("drain", directory, module=KILLS)) for _ in range(3)]
        assert [worker.said() for worker in workers] == ["ready"] * 3
        for worker in workers:
            worker.tell()
        accounts = [worker.said() for worker in workers]
        assert all(worker.ended_well() for worker in workers)
    assert [each[1:] for each in accounts] == [[0, 0]] * 3
    assert list((directory / "spool").iterdir()) == []
    memories, _, _ = remembered(directory, directory)
    assert sorted(each.changes[0].path for each in memories) == sorted(f"{number}.py" for number in range(MANY))


def test_a_command_stores_what_waits_before_it_looks(lamella: CommandLine) -> None:
    said = transcript(lamella.data.parent / "s.jsonl", lamella.directory)
    edited(lamella.data, 1, lamella.directory)
    captured(lamella.data, 2, event="SessionEnd", directory=str(lamella.directory), transcript=str(said))
    done = lamella.run("recall", "compute")
    assert (done.code, done.err, waiting(lamella)) == (0, "", [])
    assert "Compute that, number 1." in done.out
    assert "Session: Compute that, please." in done.out


def test_what_cannot_be_stored_never_fails_a_command(lamella: CommandLine) -> None:
    saved = lamella.saved("One memory.")
    held = apsw.Connection(str(lamella.project_file))
    edited(lamella.data, 1, lamella.directory)
    captured(lamella.data, 2, version=9, directory=str(lamella.directory))
    written(lamella.data / "spool" / "3.json", "no json\n")
    written(lamella.data / "spool" / "4.json", '{"version": 1')
    with held:
        held.execute("UPDATE observation SET title = title")
        assert LISTED_ID.findall(lamella.run("recall", limits=IN_VAIN).out) == [saved[:8]]
        assert told_of_captures(lamella)[:1] == ["warning captures: 1 wait to be stored."]
    held.close()
    assert told_of_captures(lamella) == [
        "warning captures: 1 were made by a newer lamella. Upgrade this one: they wait.",
        "warning captures: 1 are incomplete: their writer is still at work, or was stopped.",
        "warning captures: 1 can't be understood. They are kept in the folder spool, as *.aside.",
    ]
    assert len(lamella.listed()) == 2
    assert [name.rpartition("-")[2] for name in waiting(lamella)] == ["1.json", "3.json.aside", "4.json"]


def told_of_captures(lamella: CommandLine) -> list[str]:
    """Return the findings of `lamella doctor` about captures."""
    return [line for line in lamella.run("doctor", limits=IN_VAIN).out.splitlines() if "captures" in line]


def test_a_server_stores_what_comes_without_being_called(lamella: CommandLine) -> None:
    with serving(lamella):
        edited(lamella.data, 1, lamella.directory)
        until(lambda: not waiting(lamella))
        edited(lamella.data, 2, lamella.directory, session="t")
        until(lambda: not waiting(lamella))
    assert len(lamella.listed()) == 2


def test_a_server_without_captures_opens_nothing(lamella: CommandLine) -> None:
    spool = lamella.data / "spool"
    spool.mkdir(parents=True, mode=0o700)
    with serving(lamella) as client:
        client.send_bytes(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
        client.answer(1)
        # What is no capture is set aside whenever it looks; when the second one is, the first look is over.
        for number in (1, 2):
            written(spool / f"{number}.json", "no json\n")
            until((spool / f"{number}.json.aside").exists)
    assert [each.name for each in lamella.data.iterdir()] == ["spool"]


@pytest.mark.parametrize("end", ["stdin", "signal"])
def test_a_server_that_drains_ends_before_all_is_stored(lamella: CommandLine, end: str) -> None:
    """It stores the captures of one project, and waits for somebody else who writes in the other one."""
    cellar = CommandLine(lamella.data, lamella.data.parent / "cellar")
    cellar.directory.mkdir()
    cellar.saved("One memory.")
    with closing(apsw.Connection(str(cellar.project_file))) as holder:
        for number in range(40):
            directory = lamella.directory if number < 20 else cellar.directory
            edited(lamella.data, number, directory, session=f"s{number}", path=f"{number}.py")
        holder.execute("BEGIN IMMEDIATE")
        with serving(lamella) as client:
            until(lambda: len(waiting(lamella)) <= 20)
            if end == "stdin":
                client.stdin.close()
            else:
                client.process.send_signal(signal.SIGTERM)
            assert client.exit_code() == 0
        assert len(waiting(lamella)) == 20
    account = drained(lamella.data)
    assert (account.done, account.left, waiting(lamella)) == (20, 0, [])
    memories = [each for directory in ("orchard", "cellar") for each in kept_in(lamella, directory)]
    assert sorted(memories) == sorted(["", *(f"{number}.py" for number in range(40))])


def kept_in(lamella: CommandLine, name: str) -> list[str]:
    """The files that the memories of a project tell of."""
    memories, _, _ = remembered(lamella.data, Path(name))
    return [each.changes[0].path if each.changes else "" for each in memories]


def test_erasing_a_conversation_takes_its_captures_that_wait(lamella: CommandLine) -> None:
    said = transcript(lamella.data.parent / "s.jsonl", lamella.directory)
    captured(lamella.data, 1, event="SessionEnd", directory=str(lamella.directory), transcript=str(said))
    captured(lamella.data, 2, version=9, directory=str(lamella.directory), reason="wvukjz")
    captured(lamella.data, 3, version=9, directory=str(lamella.directory), session="other", reason="qjhgwx")
    reasons = lamella.data / "claude-code"
    reasons.mkdir(mode=0o700)
    written(reasons / "s.reason", "wvukjz")
    done = lamella.run("erase", "--session", "s", "--yes")
    assert (done.code, done.err) == (0, "")
    assert "Erased 3 messages." in done.out
    assert "memories that summarise the conversation" in done.out
    assert len(waiting(lamella)) == 1
    for word in ("wvukjz", "Compute that"):
        assert [path for path, content in lamella.files.items() if word.encode() in content] == []
    assert lamella.run("recall").out.startswith("No memories")
