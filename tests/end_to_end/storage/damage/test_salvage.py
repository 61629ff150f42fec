"""Files that are broken in the middle: what can still be read comes back, and nothing else does."""

import random
from contextlib import closing
from pathlib import Path

import pytest

from lamella_adapters.sqlite.doctor.recovery.recover import recover
from tests.end_to_end.storage.damage.broken_files import (
    COUNT,
    DERIVED,
    PAGE,
    PARTS,
    REPAIR,
    TABLES,
    TREES,
    connection_of,
    everything,
    kept,
    overwrite,
    pages,
    pages_root,
    rows,
    salvaged,
)
from tests.end_to_end.storage.worker import Memory, assert_sound, faults

APART = (len(TREES) + 5) // 6
"""Distance in the alphabet of trees that are broken together: a table and its indexes are neighbours."""


@pytest.mark.parametrize("trees", [TREES[at::APART] for at in range(APART)], ids="-".join)
def test_where_tables_or_indexes_are_noise_all_others_come_back(folder: Path, trees: list[str]) -> None:
    with Memory(folder) as memory:
        before = rows(memory.file)
        assert all(
            before[name]
            for name in TABLES
            if name not in ("alias", "restored") and not name.startswith("unfinished")
        )
        lost = [page for tree in trees for page in pages(memory.file, tree)]
        broken = overwrite(memory.file, lost, random.Random(trees[0]))  # noqa: S311 - repeatable
        salvaged(memory)
        after = rows(memory.file)
        assert kept(memory.file) == broken
        for name in set(TABLES).difference(trees, DERIVED, *(PARTS.get(tree, ()) for tree in trees)):
            assert after[name] == before[name], name
        # The registry knows what the file no longer says.
        assert after["project"] == before["project"]
        if "observation" not in trees:
            assert len(memory.find()) == COUNT - 1
            assert len(memory.find("zebra")) == COUNT - 1
    assert_sound(folder, {})


def test_rows_come_back_from_pages_that_no_other_page_leads_to(folder: Path) -> None:
    with Memory(folder) as memory:
        root = [pages_root(memory.file, "observation")]
        overwrite(memory.file, root, random.Random(1))  # noqa: S311 - repeatable
        said = salvaged(memory)
        assert said.startswith(f"{COUNT} memories, {COUNT} messages, ")
        assert "; none is known to be lost. The broken file is kept as " in said
        assert len(memory.find("zebra", include_purged=True)) == COUNT


def test_the_list_of_tables_may_be_lost_too(folder: Path) -> None:
    with Memory(folder) as memory:
        overwrite(memory.file, pages(memory.file, "sqlite_schema")[1:], random.Random(1))  # noqa: S311 - repeatable
        said = salvaged(memory)
        assert said.startswith(f"{COUNT} memories, {COUNT} messages, ")
        assert len(memory.find("zebra", include_purged=True)) == COUNT
    assert_sound(folder, {})


@pytest.mark.parametrize("seed", range(4))
def test_what_comes_back_is_what_was_saved(folder: Path, seed: int) -> None:
    noise = random.Random(seed)  # noqa: S311 - repeatable
    with Memory(folder) as memory:
        before = {each.id: each for each in everything(memory)}
        content = bytearray(memory.file.read_bytes())
        sound = bytes(content)
        for _ in range(noise.choice([1, 5, 40])):
            at = noise.randrange(1, len(content) // PAGE) * PAGE
            other = noise.randrange(1, len(content) // PAGE) * PAGE
            start, length = at + noise.randrange(PAGE - 500), noise.randrange(1, 500)
            match seed % 4:
                case 0:
                    content[at : at + PAGE] = noise.randbytes(PAGE)
                case 1:
                    content[at : at + PAGE] = bytes(PAGE)
                case 2:
                    content[start : start + length] = noise.randbytes(length)
                case _:
                    content[at : at + PAGE] = sound[other : other + PAGE]
        memory.file.write_bytes(content)
        said = f"{COUNT} memories"
        while found := faults(memory):
            told = memory.storage.diagnosis.repair(found[0])
            if found[0].repair == REPAIR:
                said = told
                assert kept(memory.file) == content
        after = {each.id: each for each in everything(memory)}
        assert len(after) > 0
        assert said.startswith(f"{len(after)} memories")
        assert {id: (each.title, each.content) for id, each in after.items()}.items() <= {
            id: (each.title, each.content) for id, each in before.items()
        }.items()
        again = memory.save("afterwards")
        # Numbers of what is lost, messages included, are not given out again.
        assert again.sequence > COUNT
    assert_sound(folder, {again.id: "afterwards"})


def test_rows_lost_without_a_trace_are_counted_and_their_numbers_not_reused(tmp_path: Path) -> None:
    with Memory(tmp_path) as memory:
        for number in range(20):
            memory.save(f"zebra {number}")
        path = memory.file
    with closing(connection_of(path)) as connection:
        connection.execute("DELETE FROM observation; DELETE FROM sqlite_sequence").fetchall()
    said = recover(path, lambda _: None)
    assert "; lost: at least 20 vanished rows. The broken file" in said
    with Memory(tmp_path) as memory:
        assert memory.save("horse").sequence == 21


@pytest.mark.parametrize(
    ("text", "found"), [("The build is green \U0001fae8 today", 0), ("It is green \u00e4", 1)]
)
def test_a_character_that_only_some_pythons_know_is_no_fault(tmp_path: Path, text: str, found: int) -> None:
    with Memory(tmp_path) as memory:
        memory.save(text)
        with closing(connection_of(memory.file)) as connection:
            connection.execute("UPDATE observation SET fingerprint = randomblob(32)")
        assert len(faults(memory)) == found
