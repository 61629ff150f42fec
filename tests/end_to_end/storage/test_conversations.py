"""Conversations in SQLite: broken off, damaged, erased."""

import random
from datetime import timedelta

import pytest
from attrs import evolve

from lamella.domain.conversations.message import Batch, MessageDraft, Role
from lamella.domain.conversations.query import YEAR, MessageQuery
from lamella.domain.memories.query import Filters
from lamella_adapters.memory import InMemoryStorage
from lamella_adapters.sqlite.file.backups import back_up
from lamella_contracts.fixtures.project import signed
from tests.end_to_end.storage.kills.conversations import activity, batch, conversations, skipped, texts
from tests.end_to_end.storage.worker import NOW, Memory, faults, leftovers, place, unsynced_folder
from tests.unit.support.tables import cases


@cases
def test_a_damaged_index_of_messages_is_found_and_rebuilt(damage: str) -> None:
    with unsynced_folder() as folder, Memory(folder) as memory:
        conversations(memory).add(batch())
        with memory.storage.registry.file_of(memory.id).database.writing() as connection:
            connection.execute(damage)
        assert memory.repaired()[0].repair == "rebuild it"
        assert len(texts(memory)) == 3


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


@pytest.mark.parametrize("oldest", [timedelta(), YEAR], ids=lambda age: f"{age.days}d")
def test_age_is_counted_as_if_all_messages_had_been_looked_at(oldest: timedelta) -> None:
    chance = random.Random(7)  # noqa: S311 - nothing is kept secret by it
    words = [f"{first}{second}{third}" for first in "bdf" for second in "aeo" for third in "gkl"]
    common = [1 / (rank + 1) for rank in range(len(words))]
    drafts = tuple(
        MessageDraft(
            key=str(number),
            session=f"s{number % 7}",
            role=Role.HUMAN,
            text=" ".join(chance.choices(words, common, k=chance.randint(3, 9))),
            at=NOW - YEAR / 2 - chance.random() * oldest,
        )
        for number in range(1_200)
    )
    said = Batch(source="x", position="1", drafts=drafts)
    model = InMemoryStorage()
    of_model = model.conversations(model.registry.at(place("p"), now=NOW).id)
    of_model.add(said)
    with unsynced_folder() as folder, Memory(folder) as memory:
        conversations(memory).add(said)
        for question in (words[0], words[-1], f"{words[1]} {words[-2]}", f"{words[4]} {words[0]} {words[-3]}"):
            for session, limits in ((None, (1, 6, 60)), ("s3", (6,))):
                query = MessageQuery(text=question, now=NOW, filters=Filters(session=session), limit=max(limits))
                theirs = [(hit.message.number, hit.score) for hit in of_model.find(query)]
                for limit in limits:
                    hits = conversations(memory).find(evolve(query, limit=limit))
                    assert [(hit.message.number, hit.score) for hit in hits] == theirs[:limit]
                    assert len(hits) == limit
