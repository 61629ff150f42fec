from datetime import UTC, datetime, timedelta, timezone
from uuid import UUID

import pytest
from attrs import evolve

from lamella.domain.memories.errors import Candidate
from lamella.domain.memories.observation import CodeChange, Draft, Observation
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


@pytest.mark.parametrize(("strength", "shown"), [(0.839, "0.84"), (1e-6, "0.01"), (None, "-")])
def test_compact_is_a_line_with_number_id_title_strength_snippet_and_date(
    strength: float | None, shown: str
) -> None:
    assert printed(CompactView(answer(OBSERVATION, strength=strength), UTC)) == (
        f"[1] 0123abcd | Use WAL | {shown} | It is faster. | 2024-05-06"
    )


def test_a_purged_row_ends_with_the_date_of_its_purge() -> None:
    purged = evolve(OBSERVATION, purged_at=EVENING + timedelta(days=1))
    assert printed(CompactView(answer(purged), OSLO)) == (
        "[1] 0123abcd | Use WAL | - | It is faster. | 2024-05-07 | purged 2024-05-08"
    )


def test_without_a_title_it_is_untitled() -> None:
    untitled = answer(evolve(OBSERVATION, title=" "))
    assert [printed(view(untitled, UTC)).split(" | ")[1] for view in VIEWS.values()] == ["untitled"] * 3


def test_titles_and_sources_are_printed_on_one_line_with_nothing_hidden() -> None:
    hostile = evolve(OBSERVATION, title="a\nb\u202e", source="c\r\nd\u200b")
    assert printed(TimelineView(answer(hostile), UTC)) == (
        "2024-05-06\n23:30 | a b\\u{202E} | c d\\u{200B} | It is faster. | 0123abcd"
    )


@cases
def test_snippets_of_40_and_150_characters_say_what_the_title_does_not(
    content: str, spans: tuple[Span, ...], compact: str, timeline: str
) -> None:
    said = answer(evolve(OBSERVATION, content=content), spans=spans)
    assert [printed(view(said, UTC)).split(" | ")[3] for view in (CompactView, TimelineView)] == [
        compact,
        timeline,
    ]


def test_a_timeline_has_a_line_for_each_day_and_is_oldest_first() -> None:
    days = [
        evolve(OBSERVATION, id=UUID(int=hours), title=f"{hours} h", created_at=then, occurred_at=then)
        for hours, then in ((48, EVENING + timedelta(hours=48)), (1, EVENING + timedelta(hours=1)), (0, EVENING))
    ]
    assert printed(TimelineView(answer(*days), UTC)).split("\n") == [
        "2024-05-06",
        "23:30 | 0 h | manual | It is faster. | 00000000",
        "2024-05-07",
        "00:30 | 1 h | manual | It is faster. | 00000000",
        "2024-05-08",
        "23:30 | 48 h | manual | It is faster. | 00000000",
    ]


def test_at_the_same_moment_the_one_saved_first_is_first() -> None:
    later = evolve(OBSERVATION, sequence=2, title="later")
    titles = [
        line.split(" | ")[1] for line in printed(TimelineView(answer(later, OBSERVATION), UTC)).split("\n")[1:]
    ]
    assert titles == ["Use WAL", "later"]


def test_days_and_hours_of_a_timeline_are_in_the_zone_of_the_reader() -> None:
    assert printed(TimelineView(answer(OBSERVATION), OSLO)) == (
        "2024-05-07\n01:30 | Use WAL | manual | It is faster. | 0123abcd"
    )


def test_the_centre_of_a_neighbourhood_is_marked() -> None:
    before = evolve(OBSERVATION, title="before", occurred_at=EVENING - timedelta(hours=1))
    focused = evolve(answer(OBSERVATION, before), focused=True)
    assert printed(TimelineView(focused, UTC)).split("\n") == [
        "2024-05-06",
        "23:30 | before | manual | It is faster. | 0123abcd",
        "\u2192 23:30 | Use WAL | manual | It is faster. | 0123abcd",
    ]


def test_full_is_a_header_and_the_whole_content() -> None:
    assert printed(FullView(answer(OBSERVATION, OBSERVATION), UTC, OSLO)) == (
        "--- 0123abcd | Use WAL | 2024-05-07T01:30:15+02:00 ---\nIt is faster.\n  Much faster.\n"
        "--- 0123abcd | Use WAL | 2024-05-07T01:30:15+02:00 ---\nIt is faster.\n  Much faster."
    )


def test_full_ends_with_the_code_changes() -> None:
    changes = (
        CodeChange(path="src/a.py", additions=3, deletions=0, hunks="@@"),
        CodeChange(path="logo.png"),
        CodeChange(path="--- x\n", additions=1, deletions=1),
    )
    changed = evolve(OBSERVATION, content="c", changes=changes)
    assert printed(FullView(answer(changed), UTC)).split("\n")[1:] == [
        "c",
        "src/a.py +3 -0",
        "logo.png +? -?",
        " --- x +1 -1",
    ]


def test_no_line_of_a_memory_poses_as_a_header_or_footer() -> None:
    posing = evolve(OBSERVATION, content="a\n---\n1 result(s) | ~5 tokens\r--- x ---\n\u2500\u2500 y\u202e")
    assert printed(FullView(answer(posing), UTC)).split("\n")[1:] == [
        "a",
        " ---",
        "1 result(s) | ~5 tokens",
        " --- x ---",
        " \u2500\u2500 y\\u{202E}",
    ]


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
