"""Search indexes that differ from the memories: doctor finds it, and makes them anew."""

from pathlib import Path

import pytest

from lamella_contracts.fixtures.project import signed
from tests.end_to_end.storage.worker import NOW, Memory, assert_sound, faults, saved_into

VIEWS = {"search": "live", "search_purged": "purged"}
DESYNC = {
    "a row is missing": """INSERT INTO {index} ({index}, rowid, title, content, sub, context)
      SELECT 'delete', seq, title, content, sub, context FROM {view}""",
    "a row is too many": "INSERT INTO {index} (rowid, content) VALUES (7, 'zebra')",
}


@pytest.mark.parametrize("index", VIEWS)
@pytest.mark.parametrize("what", DESYNC)
def test_an_index_that_differs_from_the_memories_is_found_and_rebuilt(
    tmp_path: Path, index: str, what: str
) -> None:
    saved = saved_into(tmp_path, "zebra one", "zebra two", session="s")
    with Memory(tmp_path) as memory:
        memory.storage.observations(memory.id).purge([next(iter(saved))], by=signed(NOW))
        assert faults(memory) == []
        rows = memory.find(include_purged=True)
        with memory.storage.registry.file_of(memory.id).database.writing() as connection:
            connection.execute(DESYNC[what].format(index=index, view=VIEWS[index]))
        assert memory.repaired()[0].repair == "rebuild it"
        assert sorted(memory.find("zebra", include_purged=True)) == sorted(rows)
    assert_sound(tmp_path, saved)


WORDS = [f"herd{letter}" for letter in "bcdfghjklmnpqrst"]


@pytest.mark.parametrize("damage", ["SET term = '0herdk' || pgno", "SET pgno = 2", "SET segid = segid + 1"])
def test_an_index_that_leads_to_a_wrong_page_is_found_and_rebuilt(tmp_path: Path, damage: str) -> None:
    saved = saved_into(tmp_path, *(f"{word} " * 1_000 for word in WORDS))
    with Memory(tmp_path) as memory:
        assert faults(memory) == []
        memory.execute(f"UPDATE search_idx {damage} WHERE term > '0herdk'")
    with Memory(tmp_path) as memory:
        assert [len(memory.find(word)) for word in WORDS] != [1] * len(WORDS)
        assert memory.repaired()[0].repair == "rebuild it"
        assert [len(memory.find(word)) for word in WORDS] == [1] * len(WORDS)
    assert_sound(tmp_path, saved)


def test_an_index_that_lost_its_settings_is_made_anew(tmp_path: Path) -> None:
    saved = saved_into(tmp_path, "zebra one", "zebra two", session="s")
    with Memory(tmp_path) as memory:
        memory.execute("DELETE FROM search_config")
        assert memory.repaired()[0].repair == "rebuild it from its readable parts, and keep the damaged file"
        assert sorted(memory.find("zebra")) == sorted(saved.values())
    assert_sound(tmp_path, saved)
