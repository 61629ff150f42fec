import random

import pytest

from lamella.application.privacy.cleaner import Cleaner
from lamella.domain.memories.observation import CodeChange
from tests.unit.privacy.secret_corpus import TOKENS

TOGETHER = 20_000


def added(path: str, lines: list[str]) -> CodeChange:
    hunks = "\n".join([f"@@ -0,0 +1,{len(lines)} @@", *(f"+{line}" for line in lines)])
    return CodeChange(path=path, additions=len(lines), deletions=0, hunks=hunks)


def cut(*changes: CodeChange) -> list[str]:
    return [each.hunks for each in Cleaner().changes(changes, each=4_000, together=TOGETHER)]


def test_hunks_that_fit_are_whole() -> None:
    assert cut(added("a", ["x", "y"])) == ["@@ -0,0 +1,2 @@\n+x\n+y"]


def test_long_hunks_end_with_a_line_and_say_how_much_was_left_out() -> None:
    (text,) = cut(added("a", [f"line {number:04}" for number in range(1000)]))
    kept = (4_000 - 40 - len("@@ -0,0 +1,1000 @@\n")) // len("+line 0000\n")
    assert text.split("\n") == [
        "@@ -0,0 +1,1000 @@",
        *(f"+line {number:04}" for number in range(kept)),
        f"[...{1000 - kept} more changed lines]",
    ]


def test_what_was_not_read_counts_as_left_out() -> None:
    read = CodeChange(path="a", additions=5, deletions=2, hunks="@@ -1 +1 @@\n-x\n+y")
    nothing = CodeChange(path="b", additions=1, deletions=0)
    assert cut(read, nothing) == ["@@ -1 +1 @@\n-x\n+y\n[...5 more changed lines]", "[...1 more changed lines]"]


def test_of_a_binary_file_nothing_is_left_out() -> None:
    assert cut(CodeChange(path="a")) == [""]


def test_a_long_line_is_cut() -> None:
    assert cut(added("a", ["x" * 1000, "y"])) == [f"@@ -0,0 +1,2 @@\n+{'x' * 299}[...]\n+y"]


@pytest.mark.parametrize("place", range(250, 310, 5))
def test_a_secret_astride_a_cut_is_taken_out_whole(place: int) -> None:
    secret = next(iter(TOKENS.values()))(random.Random(place))  # noqa: S311 - a made-up value
    cleaner = Cleaner()
    (change,) = cleaner.changes([added("a", ["x " * (place // 2) + secret])], each=100_000, together=TOGETHER)
    assert secret[:8] not in change.hunks
    assert cleaner.secrets == 1


@pytest.mark.no_cover
@pytest.mark.parametrize("count", [1, 6, 50])
@pytest.mark.parametrize(("width", "lines"), [(1, 1_400), (80, 60), (400, 20)])
def test_neither_one_nor_all_exceed_their_bound(count: int, width: int, lines: int) -> None:
    texts = cut(*(added(str(each), ["ü" * width] * lines) for each in range(count)))
    assert max(map(len, texts)) <= 4_000
    assert sum(map(len, texts)) <= TOGETHER
    assert all(text.endswith(" more changed lines]") for text in texts)


def test_long_hunks_give_way_to_short_ones() -> None:
    short = [added(f"short{each}", ["x"]) for each in range(40)]
    long = [added(f"long{each}", ["y" * 50] * 100) for each in range(10)]
    texts = cut(*long, *short)
    assert set(texts[10:]) == {"@@ -0,0 +1,1 @@\n+x"}
    assert {len(text) > 1_500 for text in texts[:10]} == {True}
