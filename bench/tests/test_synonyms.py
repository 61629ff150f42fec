"""Tests of the script that writes the table of English synonyms."""

from pathlib import Path

from bench.quality.synonyms import GROUPS, TABLE, distinct, groups, nearest, related
from lamella.domain.embeddings.vector import Vector

DATA = """  1 This is a comment.
00000001 00 v 02 delete 0 Cancel(p) 0 003 @ 00000002 v 0000 + 00000002 v 0101 ! 00000003 v 0101 | gloss
00000002 00 v 01 remove 0 000 | gloss
00000003 00 v 01 keep 0 001 + 00000002 v 0101 | gloss
"""


def test_words_of_a_synset_and_words_that_a_pointer_relates_are_related(tmp_path: Path) -> None:
    for part in ("adj", "adv", "noun", "verb"):
        (tmp_path / f"data.{part}").write_text(DATA if part == "verb" else "")
    assert related(tmp_path) == {
        "delete": {"delete", "Cancel", "remove"},
        "remove": {"delete", "Cancel", "remove", "keep"},
        "keep": {"keep", "remove"},
    }


def test_a_related_word_may_be_less_alike() -> None:
    vectors = [Vector.of(each) for each in ([1.0, 0.0], [0.8, 0.6], [0.6, 0.8])]
    assert [*nearest(["a", "b", "c"], vectors, {})] == [["b"], ["c", "a"], ["b"]]
    assert [*nearest(["a", "b", "c"], vectors, {"a": {"c"}})] == [["b", "c"], ["c", "a"], ["b"]]


def test_a_word_of_the_stem_of_an_earlier_one_is_left_out() -> None:
    assert distinct(["delete", "remove", "deleted", "drop", "removes"]) == ["delete", "remove", "drop"]


def test_the_table_has_the_synonyms_of_each_group() -> None:
    table = {word: others for word, *others in map(str.split, TABLE.read_text("utf-8").splitlines())}
    by_hand = groups(GROUPS.read_text("utf-8"))
    assert all(
        len(set(group)) == len(group) > 1 for group in map(str.split, GROUPS.read_text("utf-8").splitlines())
    )
    for word, others in by_hand.items():
        first = distinct([word, *others])
        assert [word, *table.get(word, ())][: len(first)] == first
