from hypothesis import given
from hypothesis import strategies as st

from lamella.application.privacy.cleaner import Cleaner
from lamella.domain.memories.observation import CodeChange
from lamella_adapters.git.changes.patch import HEAD_BYTES, Counted, beginning, parsed
from tests.end_to_end.git.git_repository import Repository
from tests.end_to_end.git.uncommitted_changes import TREE


def changes(repository: Repository) -> tuple[CodeChange, ...]:
    """The changes of the two files, as they are kept."""
    return Cleaner().changes(TREE.changes(repository.root, ["large", "wide"]), each=4_000, together=20_000)


@given(st.text(alphabet="ab \t\nä"), st.integers(0, 40))
def test_a_beginning_has_whole_words_only(text: str, most: int) -> None:
    given = text.encode()
    found = beginning(given, most)
    if len(given) <= most:
        assert found == given
        return
    kept = found.removesuffix(b"[...]")
    assert (found, given.startswith(kept), len(kept) <= most) == (kept + b"[...]", True, True)
    assert kept == b"" or kept[-1:].isspace()


def test_a_patch_that_is_cut_off_ends_with_a_whole_word() -> None:
    header = b"2\t0\ta\n\ndiff --git a a\n--- a\n+++ a\n@@ -0,0 +1,2 @@\n+one\n"
    assert parsed(header + b"+two thr")["a"].hunks == b"@@ -0,0 +1,2 @@\n+one\n+two [...]\n"
    line = b"+" + b"x" * (HEAD_BYTES - 50) + b" "
    assert parsed(header + line + b"y" * 100 + b"\n")["a"].hunks.endswith(b"xx [...]")
    assert parsed(header + b"+" + b"y" * HEAD_BYTES + b"\n")["a"].hunks == b"@@ -0,0 +1,2 @@\n+one\n+[...]"


def test_a_count_of_no_lines_without_a_patch_is_no_change() -> None:
    assert parsed(b"0\t0\ttouched\n0\t0\tmode\n\ndiff --git mode mode\nold mode 100644\nnew mode 100755\n") == {
        "mode": Counted(0, 0)
    }


def test_a_large_new_file_is_counted_and_begins_with_its_first_lines(unborn: Repository) -> None:
    unborn.write("large", "word\n" * 200_000)
    unborn.write("wide", "x" * 1_000_000)
    before = changes(unborn)
    assert [(each.additions, each.deletions) for each in before] == [(200_000, 0), (1, 0)]
    assert before[0].hunks.startswith("@@ -0,0 +1,200000 @@\n+word\n+word\n")
    assert before[0].hunks.endswith("\n+word\n[...199344 more changed lines]")
    assert before[1].hunks == "@@ -0,0 +1 @@\n+[...]"
    unborn.commit()
    assert changes(unborn) == before


def test_a_patch_too_long_to_read_leaves_the_counts(unborn: Repository) -> None:
    unborn.write("a", ("word " * 20 + "\n") * 100_000)
    unborn.write("b", "1\n")
    unborn.commit()
    found = TREE.changes(unborn.root, ["a", "b"])
    assert [(each.path, each.additions, each.deletions) for each in found] == [("a", 100_000, 0), ("b", 1, 0)]
    assert found[1] == CodeChange(path="b", additions=1, deletions=0, hunks="")


def test_a_file_too_large_for_source_code_has_no_counts(unborn: Repository) -> None:
    with unborn.write("data", "").open("r+b") as file:
        file.truncate(17 * 2**20)
    assert TREE.changes(unborn.root, ["data"]) == (CodeChange(path="data"),)
