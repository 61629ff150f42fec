from pathlib import Path

import pytest

from lamella.domain.observation import CodeChange
from lamella_adapters.git import patch
from lamella_adapters.git.patch import Counted, bounded, parsed
from lamella_adapters.git.working_tree import GitWorkingTree

from .git_repository import Repository

TREE = GitWorkingTree(patience=30)


def added(lines: list[str]) -> Counted:
    hunks = "\n".join([f"@@ -0,0 +1,{len(lines)} @@", *(f"+{line}" for line in lines)]) + "\n"
    return Counted(len(lines), 0, hunks.encode())


def test_a_count_of_no_lines_without_a_patch_is_no_change() -> None:
    assert parsed(b"0\t0\ttouched\n0\t0\tmode\n\ndiff --git mode mode\nold mode 100644\nnew mode 100755\n") == {
        "mode": Counted(0, 0)
    }


def test_hunks_that_fit_are_whole() -> None:
    assert bounded({"a": added(["x", "y"])}) == {"a": "@@ -0,0 +1,2 @@\n+x\n+y"}


def test_long_hunks_end_with_a_line_and_say_how_much_was_left_out() -> None:
    text = bounded({"a": added([f"line {number:04}" for number in range(1000)])})["a"]
    kept = (4_000 - 40 - len("@@ -0,0 +1,1000 @@\n")) // len("+line 0000\n")
    assert text.split("\n") == [
        "@@ -0,0 +1,1000 @@",
        *(f"+line {number:04}" for number in range(kept)),
        f"[...{1000 - kept} more changed lines]",
    ]


def test_a_long_line_is_cut() -> None:
    assert bounded({"a": added(["x" * 1000, "y"])}) == {"a": f"@@ -0,0 +1,2 @@\n+{'x' * 299}[...]\n+y"}


@pytest.mark.parametrize("count", [1, 2, 5, 6, 50])
@pytest.mark.parametrize("width", [1, 80, 400])
def test_neither_a_file_nor_a_call_exceeds_its_bound(count: int, width: int) -> None:
    texts = bounded({str(each): added(["ü" * width] * 2_100) for each in range(count)})
    assert max(map(len, texts.values())) <= 4_000
    assert sum(map(len, texts.values())) <= 20_000
    assert all(text.endswith(" more changed lines]") for text in texts.values())


def test_long_hunks_give_way_to_short_ones() -> None:
    short = {f"short{each}": added(["x"]) for each in range(40)}
    long = {f"long{each}": added(["y" * 50] * 100) for each in range(10)}
    texts = bounded(long | short)
    assert {texts[path] for path in short} == {"@@ -0,0 +1,1 @@\n+x"}
    assert {len(texts[path]) > 1_500 for path in long} == {True}


def test_a_large_new_file_is_counted_and_begins_with_its_first_lines(tmp_path: Path) -> None:
    repository = Repository.made(tmp_path / "shop")
    repository.write("large", "word\n" * 200_000)
    repository.write("wide", "x" * 1_000_000)
    before = TREE.changes(repository.root, ["large", "wide"])
    assert [(each.additions, each.deletions) for each in before] == [(200_000, 0), (1, 0)]
    assert before[0].hunks.startswith("@@ -0,0 +1,200000 @@\n+word\n+word\n")
    assert before[0].hunks.endswith("\n+word\n[...199344 more changed lines]")
    assert before[1].hunks == f"@@ -0,0 +1 @@\n+{'x' * 299}[...]"
    repository.commit()
    assert TREE.changes(repository.root, ["large", "wide"]) == before


def test_a_patch_too_long_to_read_leaves_the_counts(tmp_path: Path) -> None:
    repository = Repository.made(tmp_path / "shop")
    repository.write("a", "word\n" * 2_000_000)
    repository.write("b", "1\n")
    repository.commit()
    found = TREE.changes(repository.root, ["a", "b"])
    assert [(each.path, each.additions, each.deletions) for each in found] == [("a", 2_000_000, 0), ("b", 1, 0)]
    assert found[1] == CodeChange(path="b", additions=1, deletions=0, hunks="[...1 more changed lines]")


def test_a_file_too_large_for_source_code_has_no_counts(tmp_path: Path) -> None:
    repository = Repository.made(tmp_path / "shop")
    with repository.write("data", "").open("r+b") as file:
        file.truncate(17 * 2**20)
    assert TREE.changes(repository.root, ["data"]) == (CodeChange(path="data"),)


def test_the_bounds_are_what_the_port_promises() -> None:
    assert (patch.MAX_FILE_CHARACTERS, patch.MAX_CALL_CHARACTERS, patch.MAX_LINE_CHARACTERS) == (
        4_000,
        20_000,
        300,
    )
