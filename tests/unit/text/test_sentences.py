from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.text.sentences import first_sentence, sentences
from tests.unit.support.tables import cases


@cases
def test_sentences_end_at_signs_and_line_feeds(text: str, parts: list[str]) -> None:
    assert list(sentences(text)) == parts


@given(st.text(st.sampled_from("a.!? \n。！？")))  # noqa: RUF001 - see above
def test_no_character_is_lost(text: str) -> None:
    assert "".join(sentences(text)) == text


@cases
def test_the_first_sentence_is_long_enough_and_on_one_line(text: str, sentence: str) -> None:
    assert first_sentence(text, least=8, most=23) == sentence
