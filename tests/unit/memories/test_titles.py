import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.memories.titles import generated_title

TITLES = {
    "Use WAL mode. It is faster.": "Use WAL mode.",
    "Does it work? Yes.": "Does it work?",
    "Done! Next.": "Done!",
    "First line\nsecond line": "First line",
    "First line\r\nsecond line": "First line",
    "Old line\rsecond line": "Old line",
    "用WAL模式。它更快。": "用WAL模式。",
    "动きますか？はい。": "动きますか？",  # noqa: RUF001 - full-width signs end sentences too
    # A sign within a word ends no sentence.
    "see src/a.py for it. Then more.": "see src/a.py for it.",
    "version 1.2.3 of x. Then more.": "version 1.2.3 of x.",
    "use a?b:c and !d. Then more.": "use a?b:c and !d.",
    # A sentence may have 100 characters; what has more, or no end, is cut at 80.
    "a" * 99 + ". More follows.": "a" * 99 + ".",
    "a" * 100 + "   \nmore": "a" * 100,
    "## " + "a" * 99 + ". More.": "a" * 99 + ".",
    "a" * 100 + ". More.": "a" * 80 + "...",
    "a" * 80: "a" * 80,
    "a" * 81: "a" * 80 + "...",
    "a" * 79 + " " + "b" * 40: "a" * 79 + "...",
    # Marks of headings and comments are no text, unless they are all there is.
    **{f"{mark}Use WAL\nbecause": "Use WAL" for mark in ("# ", "### ", "#", "// ", "/// ", "/* ", "/** ", "-- ")},
    "/**\n * Evicts the oldest.\n */": "Evicts the oldest.",
    "#!/bin/sh\nset -e": "/bin/sh",
    "#\n\n# Use WAL": "Use WAL",
    "-- // # Use WAL": "Use WAL",
    "/usr/bin is gone": "/usr/bin is gone",
    "- a list": "- a list",
    **{marks: marks for marks in ("#", "-- --", "//", "# #")},
    # Blocks of code are passed over for prose.
    **{f"{fence}python\nx = 1\n{fence}\n\nSets x. Why not.": "Sets x." for fence in ("```", "~~~", "````")},
    "```\na\n```\n\n~~~\nb\n~~~\n# Both matter": "Both matter",
    "```\na\n~~~\nb\n`````\nProse": "Prose",
    "```python\n# sets x\nx = 1\n```": "sets x",
    "```python\n# sets x\nx = 1": "sets x",
    "```\n```": "```",
    "```x = 1``` sets x\nmore": "```x = 1``` sets x",
}


@pytest.mark.parametrize(("text", "title"), TITLES.items())
def test_a_title_is_the_first_sentence_of_prose(text: str, title: str) -> None:
    assert generated_title(text) == title


@given(st.text(st.characters(exclude_categories=()), min_size=1).filter(str.strip))
def test_any_text_has_a_title_of_one_line_and_at_most_100_characters(text: str) -> None:
    title = generated_title(text)
    assert (0 < len(title) <= 100, title == title.strip(), "\n" in title) == (True, True, False)
