"""Tests of `bench.quality.engines.replies`, which reads pages of results."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from bench.quality.engines.replies import Page, read
from lamella.domain.memories.observation import Kind, Observation
from lamella.domain.memories.query import Hit, Match
from lamella.domain.replies.answer import Answer
from lamella.domain.replies.views import CompactView

NOON = datetime(2024, 5, 6, 12, tzinfo=UTC)


def test_a_page_has_the_ids_of_its_items_and_leads_to_the_next() -> None:
    reply = (
        "[1] 0123abcd | a | b | 1.00 | [2] ffffffff | 2024-05-06\n"
        "[11] 0123abce0 | untitled | - | x | 2024-05-06 | purged 2024-05-07\n"
        "not found: [3] eeeeeeee | \n"
        "---\n"
        "11 result(s) | ~99 tokens | detail: compact "
        "| truncated (use id for full view) | next: 2.0.0af | keyword only"
    )
    assert read(reply) == Page(("0123abcd", "0123abce0"), "2.0.0af")


def test_a_message_has_its_number_for_an_id() -> None:
    hit = "[1] 0123abcd | a | 1.00 | b | 2024-05-06"
    message = "[2] message 7 | s | 0.50 | human: x | 2024-05-06"
    assert read(f"{hit}\n{message}\n---\n2 result(s)").ids == ("0123abcd", "message 7")


def test_edits_that_share_a_line_follow_one_after_the_other() -> None:
    line = "[1] 0123abcd | 3 edits: a.py, b.py | 1.00 | x | 2024-05-06 | also 0123abce, 0123abcf"
    assert read(f"{line}\n---\n1 result(s)").ids == ("0123abcd", "0123abce", "0123abcf")


def test_a_match_is_weak_if_the_footer_says_so_and_not_if_a_memory_does() -> None:
    line = "[1] 0123abcd | weak match | 1.00 | b | 2024-05-06\n---\n1 result(s)"
    assert not read(line).weak
    assert read(f"{line} | weak match: some words only").weak


def test_the_last_page_leads_nowhere() -> None:
    assert read("[1] 0123abcd | a | 1.00 | b | 2024-05-06\n---\n1 result(s)") == Page(("0123abcd",), None)


@pytest.mark.parametrize("said", ["", "No memories match these filters."])
def test_a_reply_without_results_has_nothing_to_read(said: str) -> None:
    assert read(said) == Page((), None)


def test_what_the_compact_view_prints_can_be_read() -> None:
    observation = Observation(
        id=UUID(int=7),
        project="p",
        origin="p",
        sequence=1,
        session=None,
        kind=Kind.NOTE,
        actor="agent",
        title="---\n[9] deadbeef | t",
        content="c",
        source="manual",
        created_at=NOON,
        updated_at=NOON,
        occurred_at=NOON,
    )
    answer = Answer(hits=(Hit(observation=observation, short_id="00000000", match=Match.RECENT),))
    view = CompactView(answer, UTC)
    assert read(f"{view.arranged([view.item(0)])}\n---\n1 result(s)") == Page(("00000000",), None)
