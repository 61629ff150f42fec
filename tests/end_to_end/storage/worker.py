"""Storage for the tests to damage, a process to work on it, and what must hold after that."""

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self
from unittest.mock import patch
from uuid import UUID, uuid4

import apsw

from lamella.domain.memories.observation import Draft, Observation
from lamella.domain.memories.query import ByText, RecallQuery, Recent
from lamella.domain.projects.project import Location
from lamella.ports.storage.diagnosis import Finding, Severity
from lamella.ports.storage.observations import Added
from lamella_adapters.sqlite.file.write_queue import note_of
from lamella_adapters.sqlite.projects.scope import count_saved, note_count
from lamella_adapters.sqlite.schema import migrations
from lamella_adapters.sqlite.storage import SqliteStorage
from tests.end_to_end.support.forked import Command
from tests.waiting import HANG_SECONDS

NOW = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
NOBODY = 65534
NEWER = """
ALTER TABLE observation ADD COLUMN mood TEXT NOT NULL DEFAULT '';
CREATE TABLE mood (name TEXT PRIMARY KEY) STRICT;
INSERT INTO mood SELECT DISTINCT title FROM observation;
UPDATE observation SET mood = title;
CREATE INDEX observation_mood ON observation (mood);
"""
"""A migration that nobody has released."""

Saved = dict[UUID, str]
"""Observations whose save was acknowledged, with their content."""


@contextmanager
def unsynced_folder() -> Iterator[Path]:
    """Return a folder in memory, if possible: for faults that, unlike a power loss, don't depend on a disk."""
    memory = Path("/dev/shm")  # noqa: S108 - the folder made in it is this process's own
    with TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as folder:
        yield Path(folder)


def place(name: str) -> Location:
    return Location(key=f"/home/{name}/.git", name=name, root=Path("/home") / name)


class Memory:
    """One project of the storage in a folder."""

    def __init__(self, folder: Path, name: str = "p") -> None:
        self.storage = SqliteStorage(folder)
        self.location = place(name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.storage.close()

    @property
    def id(self) -> str:
        return self.storage.registry.at(self.location, now=NOW).id

    @property
    def file(self) -> Path:
        return self.storage.folder / "projects" / f"{self.location.project_id}.db"

    def execute(self, statement: str, *values: object) -> None:
        """Run a statement without lamella."""
        with closing(apsw.Connection(str(self.file))) as connection:
            connection.execute(statement, values).fetchall()

    def repaired(self) -> tuple[Finding, str]:
        """Repair the only fault. Return the fault, and the sentence about the repair."""
        (finding,) = faults(self)
        said = self.storage.diagnosis.repair(finding)
        assert faults(self) == []
        return finding, said

    def save(self, content: str, *, id: UUID | None = None, now: datetime = NOW, **fields: Any) -> Observation:
        observations = self.storage.observations(self.id)
        saved = observations.add(Draft(content=content, **fields), id=id or uuid4(), now=now)
        assert saved.added is Added.NEW
        return saved.observation

    def find(self, text: str = "", *, limit: int = 1000, include_purged: bool = False) -> list[str]:
        query = RecallQuery(
            selector=ByText(text) if text else Recent(), limit=limit, include_purged=include_purged
        )
        return [hit.observation.content for hit in self.storage.search(self.id).find(query)]


@contextmanager
def older_schema(folder: Path, count: int, name: str = "p") -> Iterator[None]:
    """Write files with the schema after the first `count` migrations.

    The present code names every column of an observation, so those that came later are there until the end.
    """
    made = "\n".join(migrations.PROJECT[:count])
    tables = ("observation", "code_change", *(["message"] if "CREATE TABLE message " in made else []))
    added = tuple(f"ALTER TABLE {table} ADD" for table in tables)
    statements = [each.strip() for migration in migrations.PROJECT[count:] for each in migration.split(";")]
    later = [each for each in statements if each.startswith(added)]
    # Changes are written with their entries in the audit trail.
    audit = [each for each in migrations.PROJECT[count:] if each == migrations.NAMED["audit"]]
    with patch.object(migrations, "PROJECT", (*migrations.PROJECT[:count], *later, *audit)):
        yield
    memory = Memory(folder, name)
    for each in later:
        memory.execute(" ".join(each.replace(" ADD ", " DROP ").split()[:6]))
    for table in ("audited", "audit", "off_period") if audit else ():
        memory.execute(f"DROP TABLE {table}")
    memory.execute(f"PRAGMA user_version = {count}")
    with closing(apsw.Connection(str(memory.file))) as connection:
        note_count(note_of(memory.file), count_saved(connection))


def saved_into(folder: Path, *contents: str, name: str = "p", **fields: Any) -> Saved:
    """Save with a storage, close it, and return the saved memories."""
    with Memory(folder, name) as memory:
        return {memory.save(content, **fields).id: content for content in contents}


def assert_sound(folder: Path, saved: Mapping[UUID, str], name: str = "p") -> None:
    """Check that acknowledged saves are present, files and indexes are sound, and saving still works."""
    with Memory(folder, name) as memory:
        observations = memory.storage.observations(memory.id)
        present = observations.get_all(saved)
        assert {id: present[id].content for id in saved} == dict(saved)
        after = memory.save(f"after the fault {uuid4().hex}")
        assert memory.find(after.content.split()[-1]) == [after.content]
    for path in folder.rglob("*.db"):
        with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as opened:
            # Other processes may still be working.
            opened.set_busy_timeout(int(HANG_SECONDS * 1000))
            assert opened.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            if path.parent.name == "projects":
                for index in ("search", "search_purged"):
                    opened.execute(f"INSERT INTO {index} ({index}, rank) VALUES ('integrity-check', 1)")  # noqa: S608 - made of our own constants
                live = "SELECT live, (SELECT count(*) FROM observation WHERE purged_at IS NULL) FROM statistics"
                assert len(set(opened.execute(live).fetchall()[0])) == 1


def leftovers(folder: Path, *words: str) -> list[str]:
    """Return the names of the files in which one of the words stands.

    Another process reads them: one that opens and closes a database by itself loses its locks on it.
    """
    patterns = [argument for word in words for argument in ("-e", word)]
    found = subprocess.run(
        ["grep", "-r", "-l", "-i", "-a", *patterns, str(folder)], capture_output=True, text=True, check=False
    )
    return sorted(Path(line).name for line in found.stdout.splitlines())


@contextmanager
def folder_of_nobody() -> Iterator[Path]:
    """Return a folder that a user without privileges can reach, unlike pytest's own."""
    with TemporaryDirectory() as outer:
        folder = Path(outer) / "data"
        folder.mkdir()
        Path(outer).chmod(0o755)
        yield folder


def give_away(folder: Path, mode: int) -> None:
    """Give everything in `folder` to the user nobody, and its directories the permissions `mode`."""
    for path in (*folder.rglob("*"), folder):
        if os.geteuid() == 0:
            os.chown(path, NOBODY, NOBODY)
        if path.is_dir():
            path.chmod(mode)


def faults(memory: Memory) -> list[Finding]:
    return [each for each in memory.storage.diagnosis.findings() if each.severity is Severity.FAULT]


class Worker:
    """Process that runs one command of this module."""

    def __init__(
        self, command: str, folder: Path, *arguments: object, module: str = "tests.end_to_end.storage.commands"
    ) -> None:
        words = [module, command, str(folder), *map(str, arguments)]
        self.process = Command(words, Path(__file__).parents[3], dict(os.environ), module=module).open(errors=2)
        self._printed = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self.process.close()

    def said(self) -> Any:
        """Return the next printed value, or None at the end. Blank lines only show that it is alive."""
        while (line := self._line()) == b"":
            pass
        return None if line is None else json.loads(line)

    def rest(self) -> list[Any]:
        """Return all output up to the end."""
        return list(iter(self.said, None))

    def tell(self) -> None:
        """Let it continue."""
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()

    def send(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def ended_well(self) -> bool:
        return self.process.wait(HANG_SECONDS) == 0

    def _line(self) -> bytes | None:
        """Return the next complete line; None for a line truncated by a kill."""
        pipe = self.process.stdout
        while b"\n" not in self._printed:
            assert select.select([pipe], [], [], HANG_SECONDS)[0], "the worker says nothing"
            piece = os.read(pipe.fileno(), 65536)
            if not piece:
                return None
            self._printed += piece
        line, _, self._printed = self._printed.partition(b"\n")
        return line


@contextmanager
def workers(folder: Path, command: str, *arguments: tuple[object, ...]) -> Iterator[list[Worker]]:
    """Run processes of `command`, one for each tuple of arguments, started simultaneously."""
    with ExitStack() as stack:
        running = [stack.enter_context(Worker(command, folder, *each)) for each in arguments]
        for each in running:
            assert each.said() == "ready"
        for each in running:
            each.tell()
        yield running


def acknowledged(said: list[tuple[str, str]]) -> Saved:
    return {UUID(hex=id): content for id, content in said}


def say(value: object) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def show_life() -> None:
    """Print a blank line, to show that this process is alive."""
    sys.stdout.write("\n")
    sys.stdout.flush()


def upgrade() -> None:
    """Make this process act as a newer version."""
    migrations.PROJECT = (*migrations.PROJECT, NEWER)
