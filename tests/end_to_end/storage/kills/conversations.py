"""Conversations, with what hooks did in them, broken off at any statement of an import or erase.

Usage: python -m tests.end_to_end.storage.kills.conversations COMMAND FOLDER
"""

import sys
from contextlib import closing
from pathlib import Path

import apsw

from lamella.domain.conversations.message import Batch, MessageDraft, Role
from lamella.ports.storage.activity import Activity, ActivityKind
from lamella.ports.storage.conversations import Conversations
from lamella_adapters.sqlite.file.backups import back_up
from lamella_contracts.fixtures.project import signed
from tests.end_to_end.storage.kills.statements import ERASED, kill_everywhere, within
from tests.end_to_end.storage.worker import NOW, Memory, assert_sound, leftovers

TEXTS = ("zebra one", "zebra two", "zebra three")


def drafts(session: str, *texts: str) -> tuple[MessageDraft, ...]:
    return tuple(
        MessageDraft(key=f"{session} {text}", session=session, role=Role.HUMAN, text=text, at=NOW)
        for text in texts
    )


def batch(session: str = "s", *texts: str) -> Batch:
    said = drafts(session, *(texts or TEXTS))
    return Batch(source=session, position="at the end", drafts=said, names={session: f"About {session}"})


def skipped(session: str, about: str) -> Activity:
    return Activity(name=session, at=NOW, kind=ActivityKind.SKIPPED, session=session, about=about)


def conversations(memory: Memory) -> Conversations:
    return memory.storage.conversations(memory.id)


def activity(memory: Memory) -> list[str]:
    """Return the sessions with activity of hooks."""
    return [str(each.session) for each in memory.storage.activity(memory.id).since(NOW)]


def texts(memory: Memory) -> list[str]:
    scope = conversations(memory)
    return [each.text for session in scope.sessions() for each in scope.messages(scope.numbers(session.id))]


def assert_index_sound(folder: Path) -> None:
    """Check that the index of messages and its statistics match the messages."""
    for path in (folder / "projects").glob("*.db"):
        with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as connection:
            connection.execute("INSERT INTO message_search (message_search, rank) VALUES ('integrity-check', 1)")
            counts = "SELECT spoken, (SELECT count(*) FROM message) FROM message_statistics"
            assert len(set(connection.execute(counts).fetchall()[0])) == 1
    assert_sound(folder, {})


def add(folder: Path) -> None:
    """Check that a batch is stored with its position or not at all, and that a repeated import completes it."""
    with Memory(folder) as memory:
        conversations(memory).add(batch("before", "zebra before"))

    work = within(lambda memory: conversations(memory).add(batch()))

    def check(copy: Path) -> None:
        with Memory(copy) as memory:
            scope = conversations(memory)
            there = bool(scope.position("s"))
            assert len(scope.numbers("s")) == (len(TEXTS) if there else 0)
        work(copy)
        with Memory(copy) as memory:
            assert sorted(texts(memory)) == sorted(("zebra before", *TEXTS))
        assert_index_sound(copy)

    kill_everywhere(folder, work, check)


def erase(folder: Path) -> None:
    """Check that a repeated erase leaves no byte, neither in backups nor in the session's former file."""
    ids = two_projects(folder, f"the {ERASED}")
    with Memory(folder, "old") as memory:
        back_up(memory.file, label="test")
        memory.storage.registry.merge(*ids, by=signed())
    with Memory(folder, "new") as memory:
        back_up(memory.file, label="test")

    work = within(lambda memory: conversations(memory).erase("s"), "new")

    def check(copy: Path) -> None:
        work(copy)
        assert leftovers(copy, ERASED) == []
        with Memory(copy, "new") as memory:
            assert (texts(memory), activity(memory)) == (["zebra new"], ["there"])
            assert conversations(memory).add(batch("s", f"the {ERASED}")) == 0
        assert_index_sound(copy)

    kill_everywhere(folder, work, check)


def two_projects(folder: Path, *said: str) -> tuple[str, str]:
    """The ids of an old and a new project, each with a session, in which a hook did what was `said`."""
    with Memory(folder, "old") as old, Memory(folder, "new") as new:
        conversations(old).add(batch("s", *said))
        conversations(new).add(batch("there", "zebra new"))
        for memory, session, about in ((old, "s", " ".join(said)), (new, "there", "new")):
            memory.storage.activity(memory.id).add([skipped(session, about)])
        return old.id, new.id


if __name__ == "__main__":
    {each.__name__: each for each in (add, erase)}[sys.argv[1]](Path(sys.argv[2]))
