from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.ledger.hunks import counted
from lamella.domain.ledger.unreported import discarded, lost_again, restored, unreported
from tests.unit.support.tables import cases

RETRY = ("def retried(call, attempts):", "    return call(attempts or DEFAULT)")
EDIT = "\n".join(["@@ -1,4 +1,2 @@", *(f"-{line}" for line in RETRY), " def other():", "     pass"])


def test_what_an_edit_told_is_told_no_more() -> None:
    assert unreported(EDIT, [EDIT]) == ""
    assert unreported(EDIT, []) == EDIT


def test_lines_are_known_whatever_their_indentation() -> None:
    assert unreported("@@ -1 +1 @@\n+        return 1", ["@@ -9 +9 @@\n+return 1"]) == ""


def test_what_stands_beside_told_lines_is_shown_with_them_as_they_stand_now() -> None:
    second = "-old two\n\\ No newline at end of file\n+new two"
    difference = f"@@ -3,4 +3,4 @@ class A:\n-old one\n+new one\n middle\n{second}"
    told = "@@ -3 +3 @@\n-old one\n+new one"
    assert unreported(difference, [told]) == f"@@ -3,3 +3,3 @@ class A:\n new one\n middle\n{second}"
    ended = "@@ -1 +1 @@\n-old\n\\ No newline at end of file\n+new\n middle\n+more"
    assert unreported(ended, ["@@ @@\n-old\n+new"]) == "@@ -1,2 +1,3 @@\n new\n middle\n+more"


def test_only_the_hunks_with_news_are_kept() -> None:
    difference = "@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d\n"
    assert unreported(difference, ["@@ -1 +1 @@\n-a\n+b"]) == "@@ -9,1 +9,1 @@\n-c\n+d"


def test_the_latest_word_on_a_line_counts() -> None:
    came, went = "@@ -1,0 +1 @@\n+value = 1", "@@ -1 +0,0 @@\n-value = 1"
    assert unreported(went, [came, went]) == "@@ -1,1 +0,0 @@\n-value = 1"
    assert unreported(went, [went, came]) == ""
    assert unreported(went, [f"{came}\n\n{went}"]) == ""
    assert unreported(went, [f"{went}\n\n{came}"]) != ""


def test_a_newer_difference_decides_on_the_lines_that_it_tells_of() -> None:
    assert unreported("@@ -1 +1 @@\n-a\n+b", [], ["@@ @@\n-b\n+a"]) == ""
    assert unreported("@@ -1 +1 @@\n-a\n+b", [], ["@@ @@\n-b\n+c"]) == "@@ -1,1 +1,1 @@\n-a\n+b"


def test_a_move_is_told_once_whichever_side_of_it_git_shows() -> None:
    told = ["@@ -5,0 +5,2 @@\n+def moved():\n+    pass", "@@ -1,2 +0,0 @@\n-def moved():\n-    pass"]
    past = "@@ -1,4 +1,4 @@\n+print(1)\n+\n def moved():\n     pass\n-\n-print(1)"
    assert unreported(past, told) == ""
    itself = "@@ -1,3 +1,3 @@\n-def moved():\n-    pass\n print(1)\n+def moved():\n+    pass"
    assert unreported(itself, told) == ""
    assert unreported(past, []) == past


def test_what_came_more_often_than_it_went_did_not_only_move() -> None:
    twice = "@@ -1,2 +1,3 @@\n-print(1)\n middle\n+print(1)\n+print(1)"
    assert unreported(twice, ["@@ -9 +9 @@\n+other"]) == twice


def test_a_line_that_stands_in_many_places_is_counted() -> None:
    first, second = "@@ -1,0 +1,2 @@\n+one()\n+end", "@@ -9,2 +9,0 @@\n-two()\n-end"
    both = "@@ -1,0 +1,2 @@\n+one()\n+end\n@@ -7,2 +9,0 @@\n-two()\n-end"
    assert unreported(both, [second, first]) == unreported(both, [f"{first}\n\n{second}"]) == ""
    assert unreported("@@ -1,0 +1 @@\n+end\n@@ -9,0 +9 @@\n+end", [first]) != ""
    assert unreported(first, [first, second]) == unreported(first, [first, first]) == ""


def test_what_changed_among_told_lines_is_told_alone() -> None:
    told = "@@ -1,0 +1,4 @@\n+one()\n+two()\n+\n+three()"
    now = "@@ -1,0 +1,4 @@\n+one()\n+second()\n+\n+three()\n\\ No newline at end of file"
    assert unreported(now, [told]) == "@@ -1,3 +1,4 @@\n one()\n+second()\n \n three()"
    went = "@@ -1,2 +1 @@\n-zero()\n+one()"
    assert unreported(went, [told]) == "@@ -1,2 +1,1 @@\n-zero()\n one()"


def test_blank_lines_alone_are_no_news() -> None:
    assert unreported("@@ -1 +1,2 @@\n a\n+\n", []) == ""


def test_what_is_no_hunk_is_left_out() -> None:
    assert unreported("", []) == unreported("[...3 more changed lines]", []) == ""
    assert unreported("@@ odd @@\n+a line", []) == "@@ odd @@\n+a line"


def test_lines_that_git_brought_back_are_noticed() -> None:
    text = "\n".join(["import os", *RETRY, "def other():", "    pass"])
    assert (
        restored(text, [EDIT])
        == "@@ -2,0 +2,2 @@\n+def retried(call, attempts):\n+    return call(attempts or DEFAULT)"
    )
    assert restored("def other():\n    pass", [EDIT]) == ""


def test_lines_that_are_known_to_be_back_are_noticed_once() -> None:
    text = "\n".join(RETRY)
    back = restored(text, [EDIT])
    assert restored(text, [back, EDIT]) == ""


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


def test_one_long_line_is_enough() -> None:
    line = "result = compute_everything(with_many, arguments, that_are, long_enough)"
    assert restored(line, [f"@@ @@\n-{line}"]) == f"@@ -1,0 +1,1 @@\n+{line}"


LINES = st.lists(st.sampled_from(["a = 1", "b = 2", "", "+", "@@", "}"]), max_size=6)


@given(LINES, LINES)
def test_what_was_recorded_is_never_recorded_again(old: list[str], new: list[str]) -> None:
    difference = "\n".join(["@@ -1 +1 @@", *(f"-{line}" for line in old), *(f"+{line}" for line in new)])
    found = unreported(difference, [])
    assert unreported(difference, [found]) == ""
    assert counted(found) <= counted(difference)


BACK = "\n".join(["@@ -1,0 +1,2 @@", *(f"+{line}" for line in RETRY)])
GONE = "\n".join(["@@ -1,2 +0,0 @@", *(f"-{line}" for line in RETRY)])


def test_lines_that_came_back_and_are_gone_again_are_removed_lines() -> None:
    assert lost_again("def other():\n    pass", [BACK, EDIT]) == GONE
    assert lost_again("def other():\n    pass", [GONE, BACK, EDIT]) == ""
    assert lost_again("def other():\n    pass", [BACK, GONE, BACK, EDIT]) == GONE


@cases
def test_other_lines_are_not_gone_again(text: str, told: list[str]) -> None:
    assert lost_again(text, told) == ""


def test_lines_that_an_edit_brought_and_the_file_lacks_were_thrown_away() -> None:
    assert discarded("def other():\n    pass", [BACK]) == GONE
    assert discarded("def other():\n    pass", [BACK, EDIT]) == GONE
    assert discarded("def other():\n    pass", [GONE, BACK]) == ""


@cases
def test_other_lines_were_not_thrown_away(text: str, told: list[str]) -> None:
    assert discarded(text, told) == ""
