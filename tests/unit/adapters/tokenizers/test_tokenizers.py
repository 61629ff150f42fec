import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamella_adapters.tokenizers.character_classes import ClassTokenizer
from lamella_adapters.tokenizers.chars4 import Chars4Tokenizer
from tests.unit.support.tables import cases

CORPUS = json.loads((Path(__file__).parent / "tokens" / "corpus.json").read_text("utf-8"))
CHUNKS = {
    name: [(chunk["text"], max(chunk["claude"], chunk["cl100k"], chunk["o200k"])) for chunk in chunks]
    for name, chunks in CORPUS.items()
}
"""Texts of each class, and the most tokens that a real tokenizer makes of them."""
any_text = st.text(st.characters(exclude_categories=()))
"""Every code point, lone surrogates included."""
boundary_text = st.text(st.sampled_from(" \t\r\n\v\x85\u2028aZ09éяहไ中🙂.-=\ud800\0"))
"""Mostly class boundaries, where runs join and split."""


@pytest.mark.parametrize("name", CHUNKS)
def test_the_default_never_undercounts_a_chunk_by_more_than_a_tenth(name: str) -> None:
    assert [text for text, real in CHUNKS[name] if ClassTokenizer().count(text) < 0.9 * real] == []


@pytest.mark.parametrize("name", CHUNKS)
def test_the_default_never_overcounts_a_chunk_by_more_than_seven_tenths(name: str) -> None:
    assert [text for text, real in CHUNKS[name] if ClassTokenizer().count(text) > 1.7 * real] == []


@pytest.mark.parametrize("name", CHUNKS)
def test_the_default_is_within_three_tenths_over_a_whole_class(name: str) -> None:
    real = sum(real for _, real in CHUNKS[name])
    counted = sum(ClassTokenizer().count(text) for text, _ in CHUNKS[name])
    assert -0.05 <= counted / real - 1 <= 0.3


def test_the_corpus_covers_every_class_that_the_default_promises() -> None:
    assert sorted(CORPUS) == sorted(
        (
            *("english", "german", "russian", "chinese", "japanese", "korean", "thai", "arabic", "hindi"),
            *("python", "javascript", "json_pretty", "json_min", "logs", "base64", "hex", "emoji"),
        )
    )


def test_a_single_space_counts_one_in_the_default() -> None:
    assert ClassTokenizer().count(" ") == 1


@given(head=any_text | boundary_text, tail=any_text | boundary_text, line_end=st.sampled_from(["\n", "\r\n"]))
def test_cutting_behind_a_line_end_never_lowers_the_default_count(head: str, tail: str, line_end: str) -> None:
    line = head + line_end
    whole = ClassTokenizer().count(line + tail)
    assert whole <= ClassTokenizer().count(line) + ClassTokenizer().count(tail)


@given(lines=st.lists(boundary_text))
def test_a_text_counts_no_more_than_its_lines_in_the_default(lines: list[str]) -> None:
    ended = [line + "\n" for line in lines]
    assert ClassTokenizer().count("".join(ended)) <= sum(map(ClassTokenizer().count, ended))


@cases
def test_a_long_text_that_repeats_one_pattern_is_counted(unit: str) -> None:
    long = unit * (100_000 // len(unit))
    assert 1 <= ClassTokenizer().count(long) <= 400_000


@cases
def test_a_long_run_that_ends_otherwise_is_counted(tail: str, text: str) -> None:
    assert ClassTokenizer().count(text + tail) >= ClassTokenizer().count(text)


@cases
def test_chars4_is_a_quarter_of_the_code_points_rounded_up(text: str, expected: int) -> None:
    assert Chars4Tokenizer().count(text) == expected
