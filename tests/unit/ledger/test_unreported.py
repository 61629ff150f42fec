from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.ledger.hunks import counted
from lamella.domain.ledger.unreported import discarded, lost_again, restored, unreported
from tests.unit.support.tables import cases

RETRY = ("def retried(call, attempts):", "    return call(attempts or DEFAULT)")
EDIT = "\n".join(["@@ -1,4 +1,2 @@", *(f"-{line}" for line in RETRY), " def other():", "     pass"])


@cases
def test_what_was_not_told_is_left(difference: str, told: list[str], newer: list[str], left: str) -> None:
    assert unreported(difference, told, newer) == left


@cases
def test_lines_that_git_brought_back_are_noticed(text: str, told: list[str], back: str) -> None:
    assert restored(text, told) == back


def test_what_stands_between_lines_that_are_back_is_shown() -> None:
    text = "\n".join([RETRY[0], "    # why", RETRY[1]])
    assert restored(text, [EDIT]) == f"@@ -1,1 +1,3 @@\n+{RETRY[0]}\n     # why\n+{RETRY[1]}"
    apart = "\n".join([RETRY[0], *["    x"] * 9, RETRY[1]])
    assert [line for line in restored(apart, [EDIT]).split("\n") if line.startswith("@@")] == [
        "@@ -1,0 +1,1 @@",
        "@@ -11,0 +11,1 @@",
    ]


@cases
def test_what_may_be_chance_is_not_back(text: str, told: str) -> None:
    assert restored(text, [told]) == ""


LINES = st.lists(st.sampled_from(["a = 1", "b = 2", "", "+", "@@", "}"]), max_size=6)


@given(LINES, LINES)
def test_what_was_recorded_is_never_recorded_again(old: list[str], new: list[str]) -> None:
    difference = "\n".join(["@@ -1 +1 @@", *(f"-{line}" for line in old), *(f"+{line}" for line in new)])
    found = unreported(difference, [])
    assert unreported(difference, [found]) == ""
    assert counted(found) <= counted(difference)


BACK = "\n".join(["@@ -1,0 +1,2 @@", *(f"+{line}" for line in RETRY)])
GONE = "\n".join(["@@ -1,2 +0,0 @@", *(f"-{line}" for line in RETRY)])


@cases
def test_lines_that_came_back_and_are_gone_again_are_removed_lines(text: str, told: list[str], gone: str) -> None:
    assert lost_again(text, told) == gone


@cases
def test_other_lines_are_not_gone_again(text: str, told: list[str]) -> None:
    assert lost_again(text, told) == ""


@cases
def test_lines_that_an_edit_brought_and_the_file_lacks_were_thrown_away(
    text: str, told: list[str], gone: str
) -> None:
    assert discarded(text, told) == gone


@cases
def test_other_lines_were_not_thrown_away(text: str, told: list[str]) -> None:
    assert discarded(text, told) == ""
