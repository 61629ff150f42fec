"""Files that are broken in the middle: what can still be read comes back, and nothing else does."""

import random
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from lamella_adapters.sqlite.doctor.recovery.recover import recover
from tests.end_to_end.storage.damage import broken_files
from tests.end_to_end.storage.worker import Memory, assert_sound, faults

APART = (len(broken_files.TREES) + 5) // 6
"""Distance in the alphabet of trees that are broken together: a table and its indexes are neighbours."""


@pytest.mark.parametrize("trees", [broken_files.TREES[at::APART] for at in range(APART)], ids="-".join)
def test_where_tables_or_indexes_are_noise_all_others_come_back(folder: Path, trees: list[str]) -> None:
    with Memory(folder) as memory:
        before = broken_files.rows(memory.file)
        assert all(
            before[name]
            for name in broken_files.TABLES
            if name not in ("alias", "restored") and not name.startswith("unfinished")
        )
        lost = [page for tree in trees for page in broken_files.pages(memory.file, tree)]
        broken = broken_files.overwrite(memory.file, lost, random.Random(trees[0]))  # noqa: S311 - repeatable
        broken_files.salvaged(memory)
        after = broken_files.rows(memory.file)
        assert broken_files.kept(memory.file) == broken
        for name in set(broken_files.TABLES).difference(
            trees, broken_files.DERIVED, *(broken_files.PARTS.get(tree, ()) for tree in trees)
        ):
            assert after[name] == before[name], name
        # The registry knows what the file no longer says.
        assert after["project"] == before["project"]
        if "observation" not in trees:
            assert len(memory.find()) == broken_files.COUNT - 1
            assert len(memory.find("zebra")) == broken_files.COUNT - 1
    assert_sound(folder, {})


@pytest.mark.parametrize(
    "noisy",
    [
        lambda path: [broken_files.pages_root(path, "observation")],
        lambda path: broken_files.pages(path, "sqlite_schema")[1:],
    ],
    ids=["a page that leads to others", "the list of tables"],
)
def test_rows_come_back_from_pages_that_no_other_page_leads_to(
    folder: Path, noisy: Callable[[Path], list[int]]
) -> None:
    with Memory(folder) as memory:
        broken_files.overwrite(memory.file, noisy(memory.file), random.Random(1))  # noqa: S311 - repeatable
        said = broken_files.salvaged(memory)
        assert said.startswith(f"{broken_files.COUNT} memories, {broken_files.COUNT} messages, ")
        assert " The broken file is kept as " in said
        assert len(memory.find("zebra", include_purged=True)) == broken_files.COUNT
    assert_sound(folder, {})


def test_rows_lost_without_a_trace_are_counted_and_their_numbers_not_reused(tmp_path: Path) -> None:
    with Memory(tmp_path) as memory:
        for number in range(20):
            memory.save(f"zebra {number}")
        path = memory.file
    with closing(broken_files.connection_of(path)) as connection:
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
        with closing(broken_files.connection_of(memory.file)) as connection:
            connection.execute("UPDATE observation SET fingerprint = randomblob(32)")
        assert len(faults(memory)) == found
