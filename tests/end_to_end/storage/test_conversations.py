"""Conversations in SQLite: broken off, damaged, erased."""

from lamella_adapters.sqlite.file.backups import back_up
from lamella_contracts.fixtures.project import signed
from tests.end_to_end.storage.kills.conversations import activity, batch, conversations, skipped, texts
from tests.end_to_end.storage.worker import Memory, faults, leftovers, unsynced_folder


def test_no_byte_is_left_of_a_session_in_which_only_hooks_were_at_work() -> None:
    with unsynced_folder() as folder, Memory(folder, "old") as old, Memory(folder, "new") as new:
        old.storage.activity(old.id).add([skipped("gone", "plinkett")])
        new.storage.activity(new.id).add([skipped("kept", "new")])
        back_up(old.file, label="test")
        old.storage.registry.merge(old.id, new.id, by=signed())
        back_up(new.file, label="test")
        assert len(leftovers(folder, "plinkett")) >= 3
        assert conversations(new).erase("gone") == 0
        assert leftovers(folder, "plinkett") == []
        assert activity(new) == ["kept"]
        assert faults(new) == []


def test_messages_that_a_merge_left_behind_are_found_and_moved() -> None:
    with unsynced_folder() as folder, Memory(folder, "old") as old, Memory(folder, "new") as new:
        conversations(old).add(batch())
        ids = (old.id, new.id)
        with old.storage.registry.file_of(ids[0]).database.writing() as connection:
            connection.execute("UPDATE project SET moved_to = ?", (ids[1],))
        assert old.repaired()[0].message == "0 memories, 3 messages were left behind by a merge"
        assert len(texts(new)) == 3


def test_what_a_merge_left_behind_and_was_erased_does_not_come_back() -> None:
    with unsynced_folder() as folder, Memory(folder, "old") as old, Memory(folder, "new") as new:
        conversations(old).add(batch())
        with old.storage.registry.file_of(old.id).database.writing() as connection:
            connection.execute("UPDATE project SET moved_to = ?", (new.id,))
        with old.storage.registry.ensure_database().writing() as connection:
            connection.execute("UPDATE project SET moved_to = ? WHERE id = ?", (new.id, old.id))
        keys = {draft.key for draft in batch().drafts}
        assert conversations(new).erase("s") == len(keys)
        assert conversations(new).known(keys) == keys
        assert (conversations(new).add(batch()), texts(new)) == (0, [])
