"""The text of a memory that is embedded."""

from datetime import UTC, datetime
from uuid import UUID

from lamella.domain.memories.observation import Draft
from lamella.domain.search.indexing import embedded_text
from tests.unit.support.tables import cases


class TestWhatIsEmbedded:
    @cases
    def test_who_when_the_title_unless_the_content_begins_with_it_and_the_content(
        self, title: str, content: str, embedded: str
    ) -> None:
        draft = Draft(content=content, title=title)
        observation = draft.observed(id=UUID(int=1), project="p", sequence=1, now=datetime(2026, 1, 2, tzinfo=UTC))
        assert embedded_text(observation) == (f"agent, 2 January 2026: {embedded}" if embedded else "")

    def test_keywords_are_embedded_after_the_content(self) -> None:
        draft = Draft(content="It hid limits.", title="Why no retry", keywords="backoff, repeat")
        observation = draft.observed(id=UUID(int=1), project="p", sequence=1, now=datetime(2026, 1, 2, tzinfo=UTC))
        assert embedded_text(observation) == (
            "agent, 2 January 2026: Why no retry\nIt hid limits.\nbackoff, repeat"
        )
