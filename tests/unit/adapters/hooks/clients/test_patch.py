from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from lamella_adapters.hooks.clients.patch import intended, made
from tests.unit.support.tables import cases

LINES = Path(__file__).with_name("patch.txt").read_text("utf-8").splitlines()


@given(st.lists(st.sampled_from(LINES), max_size=12).map("\n".join) | st.text())
def test_any_text_is_parsed(patch: str) -> None:
    for edit in (*intended(patch, "/p"), *made(patch, "/p")):
        assert edit.path.startswith("/p/")
        assert "\n\n" not in edit.hunks


@cases
def test_what_has_no_file_has_no_edit(patch: str) -> None:
    assert made(patch, "/p") == []


def test_an_empty_line_is_one_of_the_context() -> None:
    (edit,) = made("*** Begin Patch\n*** Update File: a\n-one\n\n+two\n*** End of File\n*** End Patch", "/p")
    assert edit.hunks == "@@ @@\n-one\n \n+two"


def test_a_chunk_that_only_adds_has_no_place_yet() -> None:
    (edit,) = intended("*** Begin Patch\n*** Update File: a\n@@ class A:\n+two\n*** End Patch", "/p")
    assert edit.replacements == []


def test_the_path_may_be_absolute() -> None:
    (edit,) = made("*** Begin Patch\n*** Add File: /q/a\n+one\n*** End Patch\n", "/p")
    assert (edit.path, edit.hunks) == ("/q/a", "@@ -0,0 +1,1 @@\n+one")
