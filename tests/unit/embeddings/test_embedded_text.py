"""The text of a memory that is embedded."""

from datetime import UTC, datetime
from uuid import UUID

from lamella.domain.memories.observation import Draft
from lamella.domain.search.indexing import embedded_text
from tests.unit.support.tables import cases


@cases
def test_author_date_title_content_and_keywords_are_embedded_each_once(
    title: str, content: str, keywords: str, embedded: str
) -> None:
    draft = Draft(content=content, title=title, keywords=keywords)
    observation = draft.observed(id=UUID(int=1), project="p", sequence=1, now=datetime(2026, 1, 2, tzinfo=UTC))
    assert embedded_text(observation) == (f"agent, 2 January 2026: {embedded}" if embedded else "")
