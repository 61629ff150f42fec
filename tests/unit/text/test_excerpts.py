import pytest

from lamella.domain.text.excerpts import excerpt, passages, rationale
from lamella.domain.text.languages.rationale import decides, gives_reason


@pytest.mark.parametrize(
    ("title", "content", "expected"),
    [
        ("Sessions are in Redis.", "Sessions are in Redis. Always.", ["Sessions are in Redis.", "Always."]),
        ("Sessions are in...", "Sessions are in\nRedis. Always.", ["Sessions are in Redis.", "Always."]),
        ("Cache", "It expires.", ["Cache", "It expires."]),
        ("", "It expires.\n\n- one\n- two", ["It expires.", "- one", "- two"]),
        ("Cache", "# Cache\n\nIt expires.", ["Cache", "It expires."]),
        ("Cache", "", ["Cache"]),
    ],
)
def test_passages_are_the_sentences_after_a_title_that_says_more(
    title: str, content: str, expected: list[str]
) -> None:
    assert passages(title, content) == expected


def test_of_a_rationale_gaps_are_marked_but_at_its_end() -> None:
    said = ["We use Redis.", "It is fast.", "It is old.", "We decided so in May.", "Hello.", "Because.", "Bye."]
    assert rationale(said) == ["We use Redis.", "…", "We decided so in May.", "…", "Because."]
    assert rationale([]) == []


@pytest.mark.parametrize(
    ("said", "most", "expected"),
    [
        (["Cache", "It expires.", "Soon."], 99, "Cache | It expires. Soon."),
        (["It expires.", "…", "Because."], 14, "It expires."),
        (["It expires.", "Soon."], 5, "It expires."),
        ([], 5, ""),
    ],
)
def test_an_excerpt_ends_with_a_sentence(said: list[str], most: int, expected: str) -> None:
    assert excerpt(said, most) == expected


@pytest.mark.parametrize(
    ("sentence", "reason", "decision"),
    [
        ("It stays because it is fast.", True, False),
        ("That's why it stays.", True, False),
        ("Wir bleiben bei SQLite, weil es genügt.", True, True),
        ("BESCHLOSSEN: keine Wiederholungen", False, True),
        ("Nous avons décidé de garder Redis.", False, True),
        ("Решили хранить в центах, потому что иначе округляет.", True, True),
        ("我们决定用 Redis,因为它快。", True, True),
        ("A becausement is no word.", False, False),
        ("It is fast.", False, False),
        ("Größe", False, False),
    ],
)
def test_reasons_and_decisions_are_known_by_their_phrases(sentence: str, reason: bool, decision: bool) -> None:
    assert (gives_reason(sentence), decides(sentence)) == (reason, decision)
