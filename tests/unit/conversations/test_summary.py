from datetime import timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.conversations.message import Message, Role
from lamella.domain.conversations.summary import (
    FARTHEST,
    GROUP_MESSAGES,
    Summary,
    combined,
    fingerprint,
    groups,
    parts_after,
    parts_before,
    summarised,
    whole,
)
from tests.unit.support.stand_ins import DAWN
from tests.unit.support.tables import cases


def messages(*said: tuple[Role, str]) -> list[Message]:
    return [
        Message(number=number, session="s", role=role, text=text, at=DAWN + timedelta(minutes=number))
        for number, (role, text) in enumerate(said, start=7)
    ]


def test_parts_grow_with_their_distance() -> None:
    assert parts_before(1_234) == [range(1_220, 1_234), range(1_200, 1_220), range(1_200)]
    assert parts_after(1_251, 1_700) == [range(1_251, 1_260), range(1_260, 1_300), range(1_300, 1_700)]


def test_where_nothing_is_before_or_after_there_are_no_parts() -> None:
    assert parts_before(0) == parts_after(0, 0) == parts_after(20, 20) == []


def test_what_is_very_far_is_not_summarised() -> None:
    assert parts_before(10_000)[-1] == range(9_900 - FARTHEST, 9_900)
    assert parts_after(0, 10_000)[-1] == range(100, 100 + FARTHEST)


@given(st.integers(0, 5_000), st.integers(0, 5_000))
def test_parts_follow_one_another_and_are_made_of_whole_groups_but_at_the_ends(place: int, more: int) -> None:
    before, after = parts_before(place), parts_after(place, place + more)
    for parts in (before[::-1], after):
        assert len(parts) <= 3
        assert all(one.stop == other.start for one, other in pairwise(parts))
    assert not before or before[0].stop == place
    assert not after or after[0].start == place
    for parts in (before, after):
        for level, part in enumerate(parts[1:], start=1):
            inside = groups(part, level)
            assert [each for group in inside for each in group] == list(part)
            assert all(whole(group, level) for group in inside[:-1])
    assert all(whole(group, level) for level, part in enumerate(before) if level for group in groups(part, level))


def test_a_group_that_is_cut_is_not_whole() -> None:
    (first, *_, last) = groups(range(5, 130), 1)
    assert (first, last) == (range(5, 20), range(120, 130))
    assert [whole(each, 1) for each in (first, range(20, 40), last)] == [False, True, False]
    assert GROUP_MESSAGES == (20, 100)


def test_a_fingerprint_is_of_these_messages_and_no_others() -> None:
    assert fingerprint((1, 2)) == fingerprint((1, 2))
    assert len({fingerprint(each) for each in ((1, 2), (1, 3), (12,), (1,), ())}) == 5


LONG = "word " * 100


@cases
def test_a_summary_has_sentences_with_their_speakers_in_order_and_the_files(
    said: list[tuple[Role, str]], sentences: tuple[str, ...], files: tuple[str, ...]
) -> None:
    assert summarised(messages(*said)) == Summary(first=7, last=6 + len(said), sentences=sentences, files=files)


@cases
def test_files_are_told_by_their_names(text: str, files: tuple[str, ...]) -> None:
    assert summarised(messages((Role.TOOL, text))).files == files


def test_summaries_are_summarised_again() -> None:
    one = Summary(first=1, last=20, sentences=("User: Fix the upload.", "Assistant: Fixed it."), files=("a.py",))
    two = Summary(
        first=21,
        last=40,
        sentences=("User: And the upload tests?", "Assistant: Done.", "Assistant: Pushed the upload."),
        files=("b.py", "a.py"),
    )
    assert combined([one, two]) == Summary(
        first=1,
        last=40,
        sentences=(
            "User: Fix the upload.",
            "Assistant: Fixed it.",
            "User: And the upload tests?",
            "Assistant: Pushed the upload.",
        ),
        files=("a.py", "b.py"),
    )


@given(st.lists(st.tuples(st.sampled_from(Role), st.text(min_size=1)), min_size=1, max_size=6))
def test_any_messages_have_a_short_summary_that_is_always_the_same(said: list[tuple[Role, str]]) -> None:
    summary = summarised(messages(*said))
    assert summary == summarised(messages(*said))
    assert sum(map(len, summary.sentences)) < 4 * 220
