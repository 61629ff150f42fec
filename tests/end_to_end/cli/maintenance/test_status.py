"""`lamella status`: what it counts, that it makes nothing, and what it says where storage is ill or busy."""

import json
import re
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import apsw
import pytest
from attrs import evolve

from lamella.domain.conversations.message import Batch, MessageDraft, Role
from lamella.domain.memories.observation import CodeChange, Draft, Kind
from lamella.domain.text.ages import short_date
from lamella.ports.storage.activity import Activity, ActivityKind
from lamella.ports.storage.ledger import Capture
from lamella_adapters.sqlite.storage import SqliteStorage
from tests.end_to_end.support.command_line import CommandLine

HOUR = timedelta(hours=1)
NAME = "Why\x1b[31m does it\u202e retry?"


@pytest.fixture
def lamella(lamella: CommandLine) -> CommandLine:
    """Return the command line in a time zone where it is noon, far from midnight."""
    return evolve(lamella, settings={"TZ": f"NOON{datetime.now(UTC).hour - 12:+d}"})


def facts(lamella: CommandLine) -> Sequence[str]:
    done = lamella.run("status")
    assert (done.code, done.err) == (0, "")
    return done.out.splitlines()


def as_json(lamella: CommandLine) -> Any:
    done = lamella.run("status", "--json")
    assert (done.code, done.err, done.out.count("\n")) == (0, "", 1)
    return json.loads(done.out)


def fill(lamella: CommandLine) -> datetime:
    """Create a project with data of every kind, and return the time."""
    lamella.saved("Apples keep until March.", "--source", "decision")
    lamella.run("purge", lamella.saved("Pears keep for ever."))
    now = datetime.now(UTC)
    with closing(SqliteStorage(lamella.data)) as storage:
        (project,) = storage.registry.all()
        storage.ledger(project.id).record([captured(now - 30 * 24 * HOUR), captured(now - 30 * HOUR)])
        drafts = tuple(
            MessageDraft(key=f"{number}", session="s1", role=Role.HUMAN, text=text, at=now - ago * HOUR)
            for number, (text, ago) in enumerate((("Long ago.", 999), ("Yesterday.", 30), ("Now.", 0)))
        )
        storage.conversations(project.id).add(Batch(source="t", position="1", drafts=drafts, names={"s1": NAME}))
        storage.activity(project.id).add(
            [
                given("1", now - 30 * HOUR, "s1", 1234),
                given("2", now - 29 * HOUR, "s2\n", 40),
                given("3", now - 28 * HOUR, "s1", 26),
                *(skipped(number, now) for number in range(30)),
            ]
        )
    return now


def given(name: str, at: datetime, session: str, tokens: int) -> Activity:
    return Activity(name=name, at=at, kind=ActivityKind.INJECTED, session=session, about="Stop", tokens=tokens)


def skipped(number: int, at: datetime) -> Activity:
    return Activity(name=f"skip {number}", at=at, kind=ActivityKind.SKIPPED, about=f"reason {number % 9}")


def captured(at: datetime) -> Capture:
    change = CodeChange(path="tree.py", hunks=f"+pruned = {at.timestamp()}")
    draft = Draft(content=f"Pruning at {at}", source="edit", kind=Kind.CHANGE, changes=(change,))
    return Capture(id=uuid4(), draft=draft, at=at)


def spool(lamella: CommandLine, at: datetime) -> None:
    """Write a capture of hooks, and an incomplete one."""
    folder = lamella.data / "spool"
    folder.mkdir(mode=0o700, parents=True)
    record = {"version": 1, "event": "Stop", "at": at.timestamp(), "session": "s1", "directory": "/orchard"}
    (folder / f"{time_name(at)}-1.json").write_text(json.dumps(record) + "\n", encoding="utf-8")
    (folder / f"{time_name(at)}-2.json").write_text(json.dumps(record)[:20], encoding="utf-8")
    (lamella.data / "claude-code").mkdir()


def time_name(at: datetime) -> str:
    return f"{int(at.timestamp()) * 10**9:020d}"


def test_it_stores_what_waits_and_counts_what_there_is_on_few_lines(lamella: CommandLine) -> None:
    now = fill(lamella)
    spool(lamella, now - 2 * HOUR)
    before = sorted(lamella.files)
    lines = facts(lamella)
    expected = Path(__file__).with_name("status.txt").read_text("utf-8").replace("PLACE", str(lamella.data))
    noon = now - (now.hour - 12) * HOUR
    begun = noon - 29 * HOUR
    expected = expected.replace("WHEN", f"{short_date(begun, noon)}, {begun:%H:%M}")
    assert lines == expected.replace("LINE 8", lines[8]).splitlines()
    stored = set(before) - set(lamella.files)
    assert [path.name for path in stored] == [f"{time_name(now - 2 * HOUR)}-1.json"]


def test_a_database_that_nobody_may_read_at_present_is_said_so(lamella: CommandLine) -> None:
    lamella.saved("Apples keep until March.")
    with closing(apsw.Connection(str(lamella.project_file))) as writer:
        for statement in ("PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE", "CREATE TABLE held (a)"):
            writer.execute(statement).fetchall()
        found = lamella.run("status", limits={"sqlite.file.connection.BUSY_SECONDS": 0.2})
        writer.execute("ROLLBACK")
    assert (found.code, found.out) == (1, "")
    assert "Try again in a moment." in found.err


def test_the_help_names_every_key_for_other_programs(lamella: CommandLine) -> None:
    fill(lamella)
    words = set(re.findall(r"\w+", lamella.run("status", "--help").out))
    found = as_json(lamella)
    keys = {*found, *(key for value in found.values() if isinstance(value, dict) for key in value)}
    assert keys - {*found["skipped"]} | {*found["injected"]["sessions"][0]} <= words
