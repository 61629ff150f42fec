"""Files that differ from what a memory is about."""

from lamella.domain.memories.freshness import FileState, Freshness, keeps_lines  # noqa: F401 - for the table
from tests.unit.support.tables import cases

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


@cases
def test_a_state_is_said_in_a_few_words(state: FileState, said: str) -> None:
    assert str(state) == said


@cases
def test_only_the_lines_of_a_change_are_compared(text: str, hunks: str, kept: bool) -> None:
    assert keeps_lines(text, hunks) is kept
