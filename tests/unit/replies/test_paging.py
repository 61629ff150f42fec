import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lamella.domain.errors import StaleCursorError
from lamella.domain.memories.observation import Draft
from lamella.domain.memories.query import Hit, Match
from lamella.domain.replies.answer import Answer
from lamella.domain.replies.budget import TokenBudget
from lamella.domain.replies.cursor import Cursor
from lamella.domain.replies.paging import Pager
from lamella.domain.replies.views import VIEWS, Detail, FullView, View
from lamella_adapters.tokenizers.character_classes import ClassTokenizer

DAWN = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
MARKER = re.compile(r"\[\.\.\.truncated at ~(\d+) tokens\]\Z")


def words(text: str) -> int:
    """Count one token for each word."""
    return max(len(text.split()), bool(text))


def superadditive(text: str) -> int:
    """Count more tokens for two texts together than for both separately."""
    return len(text) + len(text) ** 2 // 500


def capricious(text: str) -> int:
    """Count fewer tokens for some longer texts."""
    return len(text) + zlib.crc32(text.encode()) % 97 if text else 0


def bytes_of(text: str) -> int:
    """Count one token for each byte."""
    return len(text.encode())


ORDERLY: dict[Callable[[str], int], int] = {
    len: 250,
    words: 30,
    superadditive: 500,
    bytes_of: 250,
    ClassTokenizer().count: 120,
}
"""Tokenizers for which longer is never cheaper, each with a limit that has room for a footer and a little more."""

ALL = {**ORDERLY, capricious: 350}

contents = st.lists(
    st.one_of(
        st.text(st.sampled_from("ab \n-\u2500\u202e\u0301\U0001f1e9\u200d\U0001f468"), min_size=1, max_size=600),
        st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=200),
        st.just("x" * 2_000),
        st.just("---\n" * 300),
    ).filter(str.strip),
    min_size=1,
    max_size=8,
)


def answer(texts: list[str]) -> Answer:
    """Return an answer whose observations have these texts, newest first."""
    hits = []
    for number, text in enumerate(texts):
        then = DAWN - timedelta(hours=7 * number)
        observation = Draft(title=f"title {number}", content=text).observed(
            id=UUID(int=number + 1 << 96), project="p", sequence=len(texts) - number, now=then
        )
        hits.append(Hit(observation=observation, short_id=f"{number + 1:08x}", match=Match.RECENT))
    return Answer(hits=tuple(hits))


def footer(tokens: int, shown: int, following: Cursor | None) -> str:
    """Return a footer with the size, the number of results and the next position."""
    return f"~{tokens}" + (f" | shown {shown} | next: {following.item}.{following.offset}" if following else "")


def pager(view: View, limit: int, count: Callable[[str], int] = len) -> Pager:
    """Return a pager with a plain footer."""
    return Pager(view=view, budget=TokenBudget(limit, count), footer=footer)


def pages(pager: Pager) -> Iterator[tuple[Cursor, str]]:
    """Return every page with its cursor."""
    cursor: Cursor | None = Cursor()
    for _ in range(10_000):
        if cursor is None:
            return
        page = pager.page(cursor).text
        yield cursor, page
        following = re.search(r" \| next: (\d+)\.(\d+)\Z", page)
        cursor = Cursor(int(following[1]), int(following[2])) if following else None
    raise AssertionError("the pages never end")


def put_together(pages: Iterable[tuple[Cursor, str]], whole: str) -> str:
    """Return what pages of `whole` print, without footers, markers and the space that defuses part of a line."""
    built = ""
    for cursor, page in pages:
        body = page.rpartition("\n---\n")[0]
        if cursor > Cursor() and not cursor.offset:
            built += "\n"
        if cursor.offset and not whole.startswith(body[:1], len(built)):
            body = body.removeprefix(" ")
        built += MARKER.sub("", body)
    return built


@pytest.mark.no_cover
@pytest.mark.parametrize(("count", "limit"), ALL.items(), ids=lambda each: getattr(each, "__name__", None))
@settings(max_examples=20)
@given(texts=contents, detail=st.sampled_from(Detail))
def test_pages_stay_within_the_budget_and_print_everything_once(
    count: Callable[[str], int], limit: int, texts: list[str], detail: Detail
) -> None:
    view = VIEWS[detail](answer(texts), UTC)
    found = list(pages(pager(view, limit, count)))
    sizes = [count(page) for _, page in found]
    assert max(sizes) <= limit
    if count in ORDERLY:
        assert [int(page.rpartition("\n~")[2].split(" ")[0]) for _, page in found] == sizes
    if detail is not Detail.TIMELINE:  # It has headings that pages repeat.
        whole = "\n".join(view.item(number).text for number in range(len(view)))
        assert put_together(found, whole) == whole


@pytest.mark.no_cover
@settings(max_examples=15)
@given(texts=contents)
def test_all_pages_of_a_timeline_together_have_every_line_once(texts: list[str]) -> None:
    view = VIEWS[Detail.TIMELINE](answer(texts), UTC)
    lines = [
        line
        for _, page in pages(pager(view, 800))
        for line in page.rpartition("\n---\n")[0].split("\n")
        if " | " in line
    ]
    assert sorted(lines) == sorted(view.item(number).text for number in range(len(view)))


@pytest.mark.no_cover
@settings(max_examples=15)
@given(texts=contents)
def test_no_line_of_any_page_but_headers_and_footers_poses_as_ours(texts: list[str]) -> None:
    view = FullView(answer(texts), UTC)
    posing = [
        line
        for _, page in pages(pager(view, 250))
        for line in page.rpartition("\n---\n")[0].split("\n")
        if line.startswith(("---", "\u2500\u2500")) and not re.match(r"--- 0000000\d \| title", line)
    ]
    assert posing == []


def test_a_page_has_as_many_whole_items_as_fit() -> None:
    view = VIEWS[Detail.COMPACT](answer(["x" * 40] * 3), UTC)
    one = len(view.item(0).text)
    room = len("\n---\n~111 | shown 2 | next: 2.0")
    replies = [pager(view, limit).page(Cursor()).text for limit in (2 * one + 1 + room, 2 * one + room)]
    assert replies == [
        f"{view.item(0).text}\n{view.item(1).text}\n---\n~{len(replies[0])} | shown 2 | next: 2.0",
        f"{view.item(0).text}\n---\n~{len(replies[1])} | shown 1 | next: 1.0",
    ]


def test_a_page_is_filled_where_items_cost_less_together_than_alone() -> None:
    def in_thousands(text: str) -> int:
        """Count one token for each thousand characters, rounded up."""
        return -(-len(text) // 1_000)

    view = VIEWS[Detail.COMPACT](answer(["x"] * 9), UTC)
    assert pager(view, 3, in_thousands).page(Cursor()).text.count("\n[") == 8


def test_items_that_cost_more_together_than_alone_are_left_for_the_next_page() -> None:
    def dear_together(text: str) -> int:
        """Count many more tokens for two items than for both separately."""
        return len(text) + 1_000 * ("\n[" in text)

    view = VIEWS[Detail.COMPACT](answer(["x", "y"]), UTC)
    bodies = [page.rpartition("\n---\n")[0] for _, page in pages(pager(view, 500, dear_together))]
    assert bodies == [view.item(0).text, view.item(1).text]


def test_an_item_too_large_alone_is_cut_with_a_marker_that_tells_what_is_shown() -> None:
    view = FullView(answer(["x" * 500]), UTC)
    first, second, third = (page for _, page in pages(pager(view, 300)))
    body, _, tail = first.rpartition("\n---\n")
    marker = MARKER.search(body)
    assert marker is not None
    shown = body[: marker.start()]
    assert (int(marker[1]), tail) == (len(shown), f"~{len(first)} | shown 1 | next: 0.{len(shown)}")
    assert (len(first), second.startswith("x"), third.endswith(f"\n---\n~{len(third)}")) == (300, True, True)


def test_a_page_that_begins_within_a_line_of_dashes_is_defused_and_loses_none() -> None:
    view = FullView(answer(["-" * 700]), UTC)
    bodies = [page.rpartition("\n---\n")[0] for _, page in pages(pager(view, 300))]
    assert [body[:4] for body in bodies[1:]] == [" ---"] * (len(bodies) - 1)
    assert put_together(pages(pager(view, 300)), view.item(0).text) == view.item(0).text


def test_a_cut_splits_no_character() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    view = FullView(answer([family * 100]), UTC)
    ends = [MARKER.sub("", page.rpartition("\n---\n")[0])[-5:] for _, page in pages(pager(view, 250))]
    assert ends == [family] * len(ends)


def test_a_character_of_any_length_is_cut_rather_than_never_shown() -> None:
    view = FullView(answer(["a" + "\u0301" * 1_000]), UTC)
    assert put_together(pages(pager(view, 250)), view.item(0).text) == view.item(0).text


def test_a_cut_that_a_strange_tokenizer_makes_too_dear_is_made_earlier() -> None:
    def no_end_in_a(text: str) -> int:
        """Count many tokens if a truncated text ends in a certain way."""
        return len(text) + 1_000 * ("a[...truncated" in text)

    view = FullView(answer(["x" * 20 + "ab" + "\u0301" * 1_000]), UTC)
    body = pager(view, 250, no_end_in_a).page(Cursor()).text.rpartition("\n---\n")[0]
    assert MARKER.sub("", body).endswith("Z ---\n" + "x" * 20)


@pytest.mark.parametrize("cursor", [Cursor(1, 0), Cursor(2, 0), Cursor(0, 10_000)])
def test_a_cursor_that_is_not_there_is_out_of_date(cursor: Cursor) -> None:
    with pytest.raises(StaleCursorError):
        pager(FullView(answer(["x"]), UTC), 300).page(cursor)


def test_a_size_that_is_never_its_own_is_told_as_near_as_it_gets() -> None:
    def contrary(text: str) -> int:
        """Count a size that changes whenever it is stated."""
        return 100 + ("~101" not in text)

    reply = pager(FullView(answer(["x"]), UTC), 300, contrary).page(Cursor()).text
    assert reply.rpartition("\n---\n")[2] in {"~100", "~101"}
