"""Files of earlier versions hold NUL, which values replace today, and long keys. They stay readable and sound."""

from contextlib import closing
from pathlib import Path
from uuid import UUID

import apsw

from lamella.domain.memories.observation import CodeChange, fingerprint
from lamella.domain.text.printing import MAX_KEY_CHARACTERS, stored_key
from tests.end_to_end.storage.worker import NOW, Memory, faults, place

ID = UUID(int=1)
_TEXTS = ("title", "title_key", "content", "sub")
_HUNKS = "UPDATE code_change SET path = replace(path, char(1), char(0)), hunks = replace(hunks, char(1), char(0))"


def with_nul(folder: Path) -> Memory:
    """Return the storage of a memory with NUL in its texts, in its path and in its hunks."""
    with Memory(folder) as memory:
        change = CodeChange(path="a\x01b.py", hunks="+a\x01b")
        memory.save("zebra \x01 crossing", id=ID, title="a \x01 title", changes=(change,))
        memory.save("another")
    replaced = ", ".join(f"{each} = replace({each}, char(1), char(0))" for each in _TEXTS)
    raw = fingerprint("a \0 title", "zebra \0 crossing", "manual", ["a\0b.py"])
    memory.execute(f"UPDATE observation SET {replaced}, fingerprint = ? WHERE id = ?", raw, ID.bytes)  # noqa: S608 - our own columns
    memory.execute(_HUNKS)
    return Memory(folder)


def test_text_with_nul_is_found_and_is_no_fault(tmp_path: Path) -> None:
    with with_nul(tmp_path) as memory:
        assert memory.find("zebra") == ["zebra \0 crossing"]
        found = memory.storage.observations(memory.id).get_all([ID])[ID]
        assert (found.title, found.changes[0].path, found.changes[0].hunks) == (
            "a \0 title",
            "a\ufffdb.py",
            "+a\ufffdb",
        )
        assert faults(memory) == []


def test_text_that_has_lost_its_nul_is_a_fault(tmp_path: Path) -> None:
    with with_nul(tmp_path) as memory:
        memory.execute("UPDATE observation SET content = 'zebra  crossing' WHERE id = ?", ID.bytes)
        assert len(faults(memory)) == 1


def test_a_place_with_a_long_key_is_found_in_the_file_that_keeps_it_whole(tmp_path: Path) -> None:
    with Memory(tmp_path) as memory:
        memory.location = place("/".join(["deep"] * MAX_KEY_CHARACTERS))
        made = memory.storage.registry.at(memory.location, now=NOW)
        assert made.aliases == (stored_key(memory.location.key),)
    with Memory(tmp_path) as again:
        registry = again.storage.registry
        assert registry.living_at(memory.location) == registry.named(memory.location.key) == made
        again.location = memory.location
        again.save("said")
    with closing(apsw.Connection(str(tmp_path / "registry.db"))) as connection:
        assert connection.execute("SELECT alias FROM alias").get == memory.location.key.encode()
