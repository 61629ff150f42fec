import keyword

from lamella.domain.text.words import STOP_WORDS, query_words
from tests.unit.support.tables import cases


def test_stop_words_are_lower_case_words() -> None:
    assert [word for word in STOP_WORDS if not (word.isascii() and word.isalpha() and word.islower())] == []


def test_keywords_of_code_are_looked_for() -> None:
    kept = {word for word in keyword.kwlist if word.lower() not in STOP_WORDS}
    assert kept >= {"if", "for", "while", "class", "None", "return", "try", "import", "lambda"}


@cases
def test_the_id_of_a_commit_is_looked_for_by_its_beginnings_too(id: str, forms: tuple[str, ...]) -> None:
    (word,) = query_words(id)
    assert word.forms == forms
