"""Files that differ from what a memory is about."""

import pytest

from lamella.domain.memories.freshness import FileState, Freshness, keeps_lines

HUNKS = """\
@@ -3,3 +3,4 @@
 def pay():
-    retry()
+    retry(3)
+    wait(5)
     done()
@@ -9 +11 @@
+LIMIT = 3"""
REMOVAL = "@@ -3,3 +3,2 @@\n def pay():\n-    retry()\n     done()"


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (FileState(Freshness.CHANGED), "changed since"),
        (FileState(Freshness.CHANGED, 1), "changed since (1 commit)"),
        (FileState(Freshness.CHANGED, 2, "b.py"), "now b.py, changed since (2 commits)"),
        (FileState(None, path="b.py"), "now b.py"),
        (FileState(Freshness.ABSENT), "file not here"),
    ],
)
def test_a_state_is_said_in_a_few_words(state: FileState, said: str) -> None:
    assert str(state) == said


@pytest.mark.parametrize(
    ("text", "hunks", "kept"),
    [
        ("def pay():\n  retry(3)\n  wait(5)\n  done()\n\nLIMIT = 3\n", HUNKS, True),
        ("def pay():\n    retry(3)\n    log()\n    wait(5)\nLIMIT = 3\n", HUNKS, False),
        ("def pay():\n    retry(3)\n    wait(5)\nLIMIT = 33\n", HUNKS, False),
        ("def pay():\n    done()\n", REMOVAL, True),
        ("def pay():\n    retry()\n    done()\n", REMOVAL, False),
        ("def pays():\n    done()\n", REMOVAL, False),
        ("key = abc\nx = 1\n", "@@ -0,0 +1,2 @@\n+key = [redacted]\n+x = 1", True),
        ("key = abc\n", "@@ -0,0 +1 @@\n+key = [redacted]", False),
        ("\n", "@@ -0,0 +1 @@\n+", False),
        ("x = 1\n", "", False),
    ],
)
def test_only_the_lines_of_a_change_are_compared(text: str, hunks: str, kept: bool) -> None:
    assert keeps_lines(text, hunks) is kept
