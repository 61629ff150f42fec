"""The data of the tour, and its page."""

import re

from Stemmer import Stemmer

from lamella.domain.text.words import query_words
from tests.end_to_end.support.unhurried import ROOT
from tests.tour import day
from tests.tour.web import generate

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


def test_the_page_about_the_browser_shows_every_picture() -> None:
    page = (ROOT / "docs" / "web.md").read_text("utf-8")
    named = set(re.findall(r"\(web/([a-z]+)\.png\)", page))
    assert named == {each.name for each in generate.ALL}
    assert named == {each.stem for each in generate.PICTURES.iterdir()}
