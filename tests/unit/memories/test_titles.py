import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.memories.titles import generated_title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Use WAL mode. It is faster.", "Use WAL mode."),
        ("Does it work? Yes.", "Does it work?"),
        ("Done! Next.", "Done!"),
        ("It ends here.", "It ends here."),
        ("First line\nsecond line", "First line"),
        ("First line\r\nsecond line", "First line"),
        ("Old line\rsecond line", "Old line"),
        ("用WAL模式。它更快。", "用WAL模式。"),
        ("动きますか？はい。", "动きますか？"),  # noqa: RUF001 - full-width signs end sentences too
    ],
)
def test_the_first_sentence_is_the_title(text: str, title: str) -> None:
    assert generated_title(text) == title


@pytest.mark.parametrize("text", ["see src/a.py for it", "version 1.2.3 of x", "use a?b:c and !d"])
def test_a_sign_within_a_word_ends_no_sentence(text: str) -> None:
    assert generated_title(f"{text}. Then more.") == f"{text}."


@pytest.mark.parametrize("end", [".", "!", "?", ". More follows.", "\nmore follows"])
def test_a_sentence_of_100_characters_is_whole(end: str) -> None:
    text = "a" * (100 - (end[0] in ".!?")) + end
    assert generated_title(text) == text[:100]


def test_a_sentence_of_101_characters_is_cut_at_80() -> None:
    assert generated_title("a" * 100 + ". More.") == "a" * 80 + "..."


def test_spaces_at_a_line_end_count_for_nothing() -> None:
    assert generated_title("a" * 100 + "   \nmore") == "a" * 100


def test_a_text_of_80_characters_without_a_sentence_is_whole() -> None:
    assert generated_title("a" * 80) == "a" * 80


def test_a_text_of_81_characters_without_a_sentence_is_cut_at_80() -> None:
    assert generated_title("a" * 81) == "a" * 80 + "..."


def test_what_is_cut_is_trimmed_before_the_dots() -> None:
    assert generated_title("a" * 79 + " " + "b" * 40) == "a" * 79 + "..."


@pytest.mark.parametrize(
    "marked",
    [
        "# Use WAL",
        "### Use WAL",
        "#Use WAL",
        "// Use WAL",
        "/// Use WAL",
        "/* Use WAL",
        "/** Use WAL",
        "-- Use WAL",
    ],
)
def test_heading_and_comment_marks_are_no_title_text(marked: str) -> None:
    assert generated_title(f"{marked}\nbecause") == "Use WAL"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("/**\n * Evicts the oldest.\n */", "Evicts the oldest."),
        ("#!/bin/sh\nset -e", "/bin/sh"),
        ("#\n\n# Use WAL", "Use WAL"),
        ("-- // # Use WAL", "Use WAL"),
        ("/usr/bin is gone", "/usr/bin is gone"),
        ("- a list", "- a list"),
    ],
)
def test_marks_in_a_row_and_signs_that_are_none(text: str, title: str) -> None:
    assert generated_title(text) == title


@pytest.mark.parametrize("text", ["#", "-- --", "//", "# #"])
def test_marks_alone_are_the_title(text: str) -> None:
    assert generated_title(text) == text


def test_a_marked_sentence_is_measured_without_its_marks() -> None:
    assert generated_title("## " + "a" * 99 + ". More.") == "a" * 99 + "."


@pytest.mark.parametrize("fence", ["```", "~~~", "````"])
def test_a_leading_code_block_is_passed_over_for_prose(fence: str) -> None:
    assert generated_title(f"{fence}python\nx = 1\n{fence}\n\nSets x. Why not.") == "Sets x."


def test_several_code_blocks_are_passed_over() -> None:
    assert generated_title("```\na\n```\n\n~~~\nb\n~~~\n# Both matter") == "Both matter"


def test_a_closing_fence_may_be_longer_and_another_fence_closes_nothing() -> None:
    assert generated_title("```\na\n~~~\nb\n`````\nProse") == "Prose"


@pytest.mark.parametrize("end", ["\n```", ""])
def test_code_without_prose_is_titled_by_its_first_line(end: str) -> None:
    assert generated_title(f"```python\n# sets x\nx = 1{end}") == "sets x"


def test_an_empty_code_block_is_its_own_title() -> None:
    assert generated_title("```\n```") == "```"


def test_code_within_a_line_is_prose() -> None:
    assert generated_title("```x = 1``` sets x\nmore") == "```x = 1``` sets x"


@given(st.text(st.characters(exclude_categories=()), min_size=1).filter(str.strip))
def test_any_text_has_a_title_of_one_line_and_at_most_100_characters(text: str) -> None:
    title = generated_title(text)
    assert (0 < len(title) <= 100, title == title.strip(), "\n" in title) == (True, True, False)
