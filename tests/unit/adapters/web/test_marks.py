"""Titles and snippets on pages, with the words of a question marked."""

from datetime import UTC, datetime
from uuid import UUID

from lamella.domain.memories.kind import Kind
from lamella.domain.memories.observation import CodeChange, Draft
from lamella.domain.memories.query import Hit, Match
from lamella_adapters.web.rendering.marks import Marks, excerpt
from tests.unit.support.tables import cases


def hit(title: str, content: str, path: str = "") -> Hit:
    changes = (CodeChange(path=path),) if path else ()
    draft = Draft(title=title, content=content, kind=Kind.CHANGE if path else Kind.NOTE, changes=changes)
    observation = draft.observed(id=UUID(int=1), project="p", sequence=1, now=datetime(2026, 1, 1, tzinfo=UTC))
    return Hit(observation=observation, short_id="0", match=Match.RECENT)


@cases
def test_words_are_marked_in_titles_and_snippets(question: str, found: Hit, title: str, snippet: str) -> None:
    marks = Marks.of(question)
    assert (marks.title(found), marks.snippet(found)) == (title, snippet)


@cases
def test_an_excerpt_goes_on_to_the_reason(found: Hit, text: str) -> None:
    assert excerpt(found) == text
