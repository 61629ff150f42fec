"""Conversations in SQLite: broken off, damaged, erased."""

import pytest

from lamella.ports.diagnosis import Severity

from .conversation_kills import batch, conversations, texts
from .storage_worker import Memory, Worker, faults, unsynced_folder

KILLS = "tests.end_to_end.conversation_kills"


@pytest.mark.parametrize("command", ["add", "merge", "split", "erase"])
def test_what_is_killed_at_any_statement_can_be_repeated(command: str) -> None:
    with unsynced_folder() as folder, Worker(command, folder / "data", module=KILLS) as worker:
        statements = worker.said()
        assert worker.ended_well()
    assert statements > 10


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM message_search_data WHERE id > 10",
        "UPDATE message_statistics SET spoken = 7",
        "INSERT INTO message_search (rowid, content, sub, context) VALUES (99, 'zebra', '', '')",
    ],
)
def test_a_damaged_index_of_messages_is_found_and_rebuilt(damage: str) -> None:
    with unsynced_folder() as folder, Memory(folder) as memory:
        conversations(memory).add(batch())
        with memory.storage.registry.file_of(memory.id).database.writing() as connection:
            connection.execute(damage)
        (finding,) = faults(memory)
        assert (finding.severity, finding.repair) == (Severity.FAULT, "rebuild it")
        memory.storage.diagnosis.repair(finding)
        assert faults(memory) == []
        assert len(texts(memory)) == 3


def test_messages_that_a_merge_left_behind_are_found_and_moved() -> None:
    with unsynced_folder() as folder, Memory(folder, "old") as old, Memory(folder, "new") as new:
        conversations(old).add(batch())
        ids = (old.id, new.id)
        with old.storage.registry.file_of(ids[0]).database.writing() as connection:
            connection.execute("UPDATE project SET moved_to = ?", (ids[1],))
        (finding,) = faults(old)
        assert finding.message == "0 memories, 3 messages were left behind by a merge"
        old.storage.diagnosis.repair(finding)
        assert faults(old) == []
        assert len(texts(new)) == 3
