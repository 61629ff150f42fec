"""Files whose rows an earlier version analysed, and analyses anew that are killed at any statement.

Usage: python -m tests.end_to_end.storage.migrations.older_analysis analyse FOLDER
"""

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import patch
from uuid import UUID

import apsw

from lamella.domain.conversations.message import Batch, MessageDraft, Role
from lamella.domain.conversations.query import MessageQuery
from lamella.domain.search import indexing
from lamella_adapters.sqlite.schema import migrations
from lamella_adapters.sqlite.tables import analysis
from lamella_contracts.fixtures.project import signed
from tests.end_to_end.storage.kills.statements import kill_everywhere, within
from tests.end_to_end.storage.worker import NOW, Memory, assert_sound, faults, older_schema

BEFORE = migrations.PROJECT.index(migrations.NAMED["message_changes"])
"""The version of files whose rows are of the earlier analysis."""

CONTENTS = (
    "Eine Zebraherde: das sind zebra und zebra am Zaun.",
    "It is what they said about the zebra before.",
    "parseConfig reads the zebra file.",
    "They do so for us too, zebra.",
    "\u6771\u4eac zebra \ud55c\uad6d\uc5b4",
    "Yes, zebra.",
)
SAID = ("Where do the zebra herds graze?", "In the north.", "Thanks, zebra.", "Two H\u00e4user with zebra walls.")
_TABLES = ("observation", "message", "search_terms", "search_purged_terms", "message_search_terms", "statistics")
_INDEXES = ("search", "search_purged", "message_search")


@contextmanager
def earlier(folder: Path, name: str = "p") -> Iterator[None]:
    """Write the file and the rows of a project as the version before dates in words and stems did."""
    day = "2024-05-06"
    with (
        older_schema(folder, BEFORE, name),
        patch.object(indexing, "observation_heading", lambda actor, kind, *_: f"{actor} {kind} {day}"),
        patch.object(indexing, "message_heading", lambda role, _: f"{role} {day}"),
        patch.object(indexing, "all_hidden_forms", lambda *_: "formerly"),
        patch.object(indexing, "message_hidden_forms", lambda hidden, _: hidden),
        patch.object(indexing, "needs_context", lambda _: True),
    ):
        yield


@contextmanager
def single_rows() -> Iterator[None]:
    """Analyse one row in a step."""
    with patch.object(analysis, "STEP_SECONDS", 0):
        yield


def fill(folder: Path, name: str = "p", *, first: int = 0, session: str = "s") -> None:
    """Save memories, of which one is purged, and import a conversation."""
    with Memory(folder, name) as memory:
        for number, content in enumerate(CONTENTS, start=first):
            memory.save(f"{content} {first or ''}".strip(), id=UUID(int=number), session=session, now=at(number))
        memory.storage.observations(memory.id).purge([UUID(int=first + 1)], by=signed(NOW))
        roles = (Role.HUMAN, Role.ASSISTANT, Role.TOOL, Role.HUMAN)
        drafts = tuple(
            MessageDraft(key=f"{session}{number}", session=session, role=role, text=text, at=at(number))
            for number, (role, text) in enumerate(zip(roles, SAID, strict=True))
        )
        memory.storage.conversations(memory.id).add(Batch(source=session, position="end", drafts=drafts, names={}))


def at(number: int) -> datetime:
    return datetime(2024, 5, 6, 7, number % 60, tzinfo=UTC)


def older(folder: Path, name: str = "p", *, first: int = 0, session: str = "s") -> Path:
    """Return the file of such a project as the earlier version left it."""
    with earlier(folder, name):
        fill(folder, name, first=first, session=session)
    return Memory(folder, name).file


def maintain(memory: Memory) -> int:
    """Maintain to the end. Return the number of steps."""
    steps = 1
    while memory.storage.maintain():
        steps += 1
    return steps


def rows(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return all rows, all terms of the indexes and their statistics, without counts of changes."""
    with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as connection:
        for index in _INDEXES:
            connection.execute(f"INSERT INTO {index} ({index}, rank) VALUES ('integrity-check', 1)")  # noqa: S608 - made of our own constants
        found = {each: connection.execute(f"SELECT * FROM {each} ORDER BY 1").fetchall() for each in _TABLES}  # noqa: S608 - made of our own constants
    found["statistics"] = [row[:1] for row in found["statistics"]]
    return found


def found(memory: Memory, text: str) -> tuple[int, int]:
    """Return how many memories and how many messages are found, without purged ones."""
    messages = memory.storage.conversations(memory.id).find(MessageQuery(text=text, limit=1000, now=NOW))
    return len(memory.find(text)), len(messages)


def analyse(folder: Path) -> None:
    """Whatever was killed, all is found meanwhile, and in the end all is as in a new file."""
    path = older(folder)
    new = folder.with_name("new")
    fill(new)
    expected = rows(Memory(new).file)

    def check(copy: Path) -> None:
        now = copy / "projects" / path.name
        with Memory(copy) as memory:
            assert found(memory, "zebra") == (5, 3)
            assert faults(memory) == []
            maintain(memory)
        assert rows(now) == expected
        assert_sound(copy, {})

    with single_rows():
        kill_everywhere(folder, within(lambda memory: (memory.find("zebra"), maintain(memory))), check)


if __name__ == "__main__":
    {each.__name__: each for each in (analyse,)}[sys.argv[1]](Path(sys.argv[2]))
