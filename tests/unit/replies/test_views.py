from datetime import UTC, datetime, timedelta, timezone
from uuid import UUID

import pytest
from attrs import evolve

from lamella.domain.memories.errors import Candidate
from lamella.domain.memories.observation import CodeChange, Draft, Observation  # noqa: F401 - for the table
from lamella.domain.memories.query import Hit, Match, Span
from lamella.domain.replies.answer import Answer
from lamella.domain.replies.views import VIEWS, CompactView, Detail, FullView, TimelineView, View
from tests.unit.support.tables import cases

EVENING = datetime(2024, 5, 6, 23, 30, 15, 999_999, tzinfo=UTC)
OSLO = timezone(timedelta(hours=2))
OBSERVATION = Draft(title="Use WAL", content="It is faster.\n  Much faster.").observed(
    id=UUID("0123abcd-4567-4899-8abc-def012345678"), project="p", sequence=1, now=EVENING
)


def answer(*observations: Observation, strength: float | None = None, spans: tuple[Span, ...] = ()) -> Answer:
    """An answer with these hits."""
    return Answer(
        hits=tuple(
            Hit(observation=each, short_id=each.id.hex[:8], match=Match.RECENT, strength=strength, spans=spans)
            for each in observations
        )
    )


def printed(view: View) -> str:
    """All items of a view."""
    return view.arranged([view.item(number) for number in range(len(view))])


def test_an_author_and_a_client_are_named_in_full_if_known() -> None:
    known = evolve(OBSERVATION, author="Ada\nLovelace", client="codex")
    assert printed(FullView(answer(known), UTC)).split("\n")[0] == (
        "--- 0123abcd | Use WAL | 2024-05-06T23:30:15Z | by Ada Lovelace | from codex ---"
    )
    for view in (CompactView, TimelineView):
        assert printed(view(answer(known), UTC)) == printed(view(answer(OBSERVATION), UTC))


def test_keywords_are_shown_in_full_alone() -> None:
    known = evolve(OBSERVATION, keywords="journal\u202e, durability")
    head, *text = printed(FullView(answer(OBSERVATION), UTC)).split("\n")
    shown = printed(FullView(answer(known), UTC)).split("\n")
    assert "keywords: journal\\u{202E}, durability" in shown
    assert [each for each in shown if not each.startswith("keywords")] == [head, *text]
    for view in (CompactView, TimelineView):
        assert printed(view(answer(known), UTC)) == printed(view(answer(OBSERVATION), UTC))


@cases
def test_a_view_prints_lines(view: View, lines: str) -> None:
    assert printed(view) == lines


@cases
def test_snippets_of_40_and_150_characters_say_what_the_title_does_not(
    content: str, spans: tuple[Span, ...], compact: str, timeline: str
) -> None:
    said = answer(evolve(OBSERVATION, content=content), spans=spans)
    assert [printed(view(said, UTC)).split(" | ")[3] for view in (CompactView, TimelineView)] == [
        compact,
        timeline,
    ]


def test_at_the_same_moment_the_one_saved_first_is_first() -> None:
    later = evolve(OBSERVATION, sequence=2, title="later")
    titles = [
        line.split(" | ")[1] for line in printed(TimelineView(answer(later, OBSERVATION), UTC)).split("\n")[1:]
    ]
    assert titles == ["Use WAL", "later"]


@pytest.mark.parametrize("detail", Detail)
def test_what_was_asked_for_and_is_not_there_follows_the_results(detail: Detail) -> None:
    candidates = (Candidate(id="beef0001", title="One\n"), Candidate(id="beef0002", title=""))
    asked = evolve(
        answer(OBSERVATION), missing=("dead", "x\ny\u202e", "z" * 99), ambiguous=(("beef", candidates),)
    )
    assert printed(VIEWS[detail](asked, UTC)).split("\n")[-2:] == [
        "ambiguous: beef could be beef0001 (One); beef0002 (untitled)",
        f"not found: dead, x y\\u{{202E}}, {'z' * 80}",
    ]
