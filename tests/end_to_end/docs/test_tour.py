"""The data of the tour, and its page."""

from Stemmer import Stemmer

from lamella.domain.text.words import query_words
from tests.end_to_end.support.unhurried import ROOT
from tests.tour import day

_STEMMER = Stemmer("english")


def stems(text: str) -> set[str]:
    """Return the stems of the words in a text that say something."""
    return {_STEMMER.stemWord(word.forms[0].lower()) for word in query_words(text)}


def test_questions_are_in_other_words() -> None:
    texts = {memory.key: memory.text for memory in day.MEMORIES}
    assert (len(texts), len({key for _, key in day.QUESTIONS})) == (len(day.MEMORIES), len(day.QUESTIONS))
    shared = [stems(question) & stems(texts[key]) for question, key in day.QUESTIONS]
    assert [words for words in shared if len(words) > 1] == []
    assert 3 * shared.count(set()) > len(shared)


def test_the_tour_is_of_this_day() -> None:
    page = (ROOT / "docs" / "tour.md").read_text("utf-8")
    assert [question for question, _ in day.QUESTIONS if f"| {question} |" not in page] == []
