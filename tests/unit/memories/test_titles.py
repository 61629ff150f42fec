from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.memories.titles import generated_title
from tests.unit.support.tables import cases


@cases
def test_a_title_is_the_first_sentence_of_prose(text: str, title: str) -> None:
    assert generated_title(text) == title


@given(st.text(st.characters(exclude_categories=()), min_size=1).filter(str.strip))
def test_any_text_has_a_title_of_one_line_and_at_most_100_characters(text: str) -> None:
    title = generated_title(text)
    assert (0 < len(title) <= 100, title == title.strip(), "\n" in title) == (True, True, False)
