import keyword

from lamella.domain.text.words import STOP_WORDS


def test_stop_words_are_lower_case_words() -> None:
    assert [word for word in STOP_WORDS if not (word.isascii() and word.isalpha() and word.islower())] == []


def test_keywords_of_code_are_looked_for() -> None:
    kept = {word for word in keyword.kwlist if word.lower() not in STOP_WORDS}
    assert kept >= {"if", "for", "while", "class", "None", "return", "try", "import", "lambda"}
