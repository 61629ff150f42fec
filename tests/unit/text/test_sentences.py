import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.text.sentences import first_sentence, sentences


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One. Two! Three?", ["One.", " Two!", " Three?", ""]),
        ("Version 1.2 of a.py is out.\n", ["Version 1.2 of a.py is out.", "\n", ""]),
        ("A line\nand another", ["A line\n", "and another"]),
        ("改了退出码。测试通过", ["改了退出码。", "测试通过"]),
        ("真的？是！", ["真的？", "是！", ""]),  # noqa: RUF001 - full-width signs end sentences too
    ],
)
def test_sentences_end_at_signs_and_line_feeds(text: str, parts: list[str]) -> None:
    assert list(sentences(text)) == parts


@given(st.text(st.sampled_from("a.!? \n。！？")))  # noqa: RUF001 - see above
def test_no_character_is_lost(text: str) -> None:
    assert "".join(sentences(text)) == text


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Mend it. Now.", "Mend it."),
        ("Hi!\nMend it. Now.", "Hi! Mend it."),
        ("1. Mend  it\nand more", "1. Mend it"),
        ("修好它。再测试", "修好它。"),
        ("a sentence that is longer than most", "a sentence that is long"),
    ],
)
def test_the_first_sentence_is_long_enough_and_on_one_line(text: str, sentence: str) -> None:
    assert first_sentence(text, least=8, most=23) == sentence
