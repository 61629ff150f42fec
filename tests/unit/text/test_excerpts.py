from lamella.domain.text.excerpts import excerpt, passages, rationale
from lamella.domain.text.languages.rationale import decides, gives_reason
from tests.unit.support.tables import cases


@cases
def test_passages_are_the_sentences_after_a_title_that_says_more(
    title: str, content: str, expected: list[str]
) -> None:
    assert passages(title, content) == expected


def test_of_a_rationale_gaps_are_marked_but_at_its_end() -> None:
    said = ["We use Redis.", "It is fast.", "It is old.", "We decided so in May.", "Hello.", "Because.", "Bye."]
    assert rationale(said) == ["We use Redis.", "…", "We decided so in May.", "…", "Because."]
    assert rationale([]) == []


@cases
def test_an_excerpt_ends_with_a_sentence(said: list[str], most: int, expected: str) -> None:
    assert excerpt(said, most) == expected


@cases
def test_reasons_and_decisions_are_known_by_their_phrases(sentence: str, reason: bool, decision: bool) -> None:
    assert (gives_reason(sentence), decides(sentence)) == (reason, decision)
