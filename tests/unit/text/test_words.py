import keyword

from lamella.domain.text.words import STOP_WORDS, query_words


def test_stop_words_are_lower_case_words() -> None:
    assert [word for word in STOP_WORDS if not (word.isascii() and word.isalpha() and word.islower())] == []


def test_keywords_of_code_are_looked_for() -> None:
    kept = {word for word in keyword.kwlist if word.lower() not in STOP_WORDS}
    assert kept >= {"if", "for", "while", "class", "None", "return", "try", "import", "lambda"}


def test_the_id_of_a_commit_is_looked_for_by_its_beginnings_too() -> None:
    (word,) = query_words("3dcffafb12")
    assert word.forms == ("3dcffafb12", "3 dcffafb 12", "3dcffaf", "3dcffafb", "3dcffafb1")
    assert [len(query_words(each)[0].forms) for each in ("3dcffaf", "deadbeef", "12345678", "3dcffafg12")] == [
        2,
        1,
        1,
        2,
    ]
