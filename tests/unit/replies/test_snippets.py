import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.memories.query import Span
from lamella.domain.replies.snippets import (
    COMPACT_CHARACTERS,
    TIMELINE_CHARACTERS,
    _densest,
    around_match,
    beginning,
    beyond_title,
    passage,
)


def spans_of(content: str, *words: str) -> list[Span]:
    """Return the spans of `words` in `content`."""
    spans = [
        Span(match.start(), match.end(), number)
        for number, word in enumerate(words)
        for match in re.finditer(re.escape(word), content)
    ]
    return sorted(spans, key=lambda span: span.start)


def test_the_views_have_snippets_of_100_and_150_characters() -> None:
    assert (COMPACT_CHARACTERS, TIMELINE_CHARACTERS) == (100, 150)


def test_without_a_match_it_is_the_beginning() -> None:
    assert around_match("x" * 101, [], 100) == "x" * 100


def test_line_breaks_and_runs_of_spaces_are_one_space() -> None:
    assert around_match(" a\r\n\n  b\tc ", [], 100) == "a b c"


def test_a_cut_at_a_space_is_trimmed() -> None:
    assert around_match("x" * 99 + " y", [], 100) == "x" * 99


def test_hidden_characters_are_shown_and_counted_once() -> None:
    assert around_match("\u202e" * 101, [], 100) == "\\u{202E}" * 100


def test_a_match_within_the_first_100_characters_keeps_the_beginning() -> None:
    content = "x" * 94 + " zebra" + " y" * 100
    assert around_match(content, spans_of(content, "zebra"), 100) == content[:100]


def test_a_later_match_is_shown_in_its_middle_between_dots() -> None:
    content = "x" * 200 + " zebra " + "y" * 200
    assert around_match(content, spans_of(content, "zebra"), 100) == f"...{'x' * 47} zebra {'y' * 46}..."


def test_a_match_at_the_end_has_dots_on_one_side() -> None:
    content = "x" * 200 + " zebra"
    assert around_match(content, spans_of(content, "zebra"), 100) == f"...{'x' * 94} zebra"


def test_a_match_that_straddles_the_border_is_no_match_within() -> None:
    content = "x" * 97 + " zebra" + " y" * 100
    assert "zebra" in around_match(content, spans_of(content, "zebra"), 100)


def test_white_space_does_not_move_the_window() -> None:
    content = "x" * 50 + "\n" * 500 + "zebra"
    assert around_match(content, spans_of(content, "zebra"), 100) == "x" * 50 + " zebra"


def test_the_window_is_where_most_words_stand_together() -> None:
    content = "x " * 60 + "zebra" + " x" * 100 + " horse zebra" + " x" * 100
    snippet = around_match(content, spans_of(content, "zebra", "horse"), 100)
    assert "horse zebra" in snippet


def test_of_equal_places_the_first_is_shown() -> None:
    content = "x " * 60 + "zebra one" + " x" * 100 + " zebra two"
    assert "zebra one" in around_match(content, spans_of(content, "zebra"), 100)


def test_repeats_of_one_word_weigh_no_more_than_one() -> None:
    content = "x " * 60 + "zebra one" + " x" * 100 + " zebra zebra zebra"
    assert "zebra one" in around_match(content, spans_of(content, "zebra"), 100)


def test_a_match_inside_another_does_not_move_the_window() -> None:
    content = "x" * 150 + "z" * 40 + "y" * 200
    nested = [Span(150, 190, 0), Span(155, 160, 1)]
    assert around_match(content, nested, 100) == f"...{'x' * 30}{'z' * 40}{'y' * 30}..."


def test_a_match_longer_than_the_window_is_shown_from_its_start() -> None:
    content = "x" * 150 + " " + "z" * 300 + " y"
    assert around_match(content, [Span(151, 451, 0)], 100) == f"...{'z' * 100}..."


def test_a_long_match_at_the_very_start_has_nothing_before_it() -> None:
    content = "z" * 300
    assert around_match(content, [Span(0, 300, 0)], 100) == f"{'z' * 100}..."


def test_a_span_inside_a_longer_one_counts_on_its_own() -> None:
    content = "z" * 300
    assert around_match(content, [Span(0, 300, 0), Span(5, 10, 1)], 100) == "z" * 100


class Looked(list[Span]):
    """Spans that count how many of them were looked at."""

    looked_at = 0

    def __getitem__(self, at: Any) -> Any:
        found = super().__getitem__(at)
        self.looked_at += len(found) if isinstance(at, slice) else 1
        return found


def test_of_ten_times_the_matches_ten_times_as_many_are_looked_at() -> None:
    def looked_at(matches: int) -> int:
        content = "." * 200 + " a" * matches
        spans = Looked(spans_of(content, "a"))
        around_match(content, spans, 100)
        return spans.looked_at

    assert looked_at(5_000) < looked_at(500) * 15


@given(st.text(" \nab\u202e", max_size=400), st.lists(st.integers(0, 399), max_size=6), st.integers(1, 150))
def test_whatever_matches_it_is_at_most_the_window_and_shows_a_match(
    content: str, places: list[int], characters: int
) -> None:
    spans = [Span(at, at + 1, number) for number, at in enumerate(sorted(places)) if content[at : at + 1].strip()]
    snippet = around_match(content, spans, characters)
    inner = re.sub(r"\\u\{202E\}", "\u202e", snippet).removeprefix("...").removesuffix("...")
    assert len(inner) <= characters
    assert not spans or any(content[span.start] in inner for span in spans)


@pytest.mark.parametrize(
    ("title", "content", "snippet"),
    [
        ("Cache tokens.", "Cache tokens. Ana decided it. She had a reason.", "Ana decided it."),
        (
            "Cache tokens",
            "## cache  tokens!\n\nAna decided\nit, last May.\nOther line.",
            "Ana decided it, last May.",
        ),
        ("Cache tokens", "Cache tokens\nAna decided it.", "Ana decided it."),
        ("Cache tok...", "Cache tokens for long, because. Ana decided it.", "...tokens for long, because."),
        (f"Cache {'t' * 25}...", f"Cache {'t' * 40}. Ana decided it.", f"...{'t' * 15}."),
        ("Cache tokens", "Cache tokens for long. Ana decided it.", "...for long."),
        ("Cache tokens. Ana", "Why not? Cache tokens. Ana decided it.", "...decided it."),
        ("Cache tokens.", "Why not? Cache tokens.", "Why not?"),
        ("Cache tokens", "```\nCODE = 1\n```\nCache tokens", "CODE = 1"),
        ("Why we cache tokens", "We cache tokens.", "-"),
        ("Cache tokens", "Cache tokens.", "-"),
        ("Cache tokens", "Cache tokens.\nAsked:\n- Is it quick?", "- Is it quick?"),
        ("Cache tokens", "Cache tokens.\n\u95ee\uff1a\nWhy?", "Why?"),
        ("Cache tokens", "Cache tokens.\nAsked:", "-"),
        ("Session: Cache it.", "Asked:\n- Cache it.\nChanged:\n- a.py +1 -1", "- a.py +1 -1"),
        ("--all", "--all", "-"),
        ("", "Cache tokens. Ana decided it.", "Cache tokens."),
        ("...", "Cache tokens.", "Cache tokens."),
        ("\u4f60\u597d\u3002", "\u4f60\u597d\u3002\u4e16\u754c\u3002", "\u4e16\u754c\u3002"),
        ("Cache", "Cache.\n\u202ehidden", "\\u{202E}hidden"),
    ],
)
def test_beyond_a_title_is_what_follows_it(title: str, content: str, snippet: str) -> None:
    assert beyond_title(title, content, [], 100) == snippet


@pytest.mark.parametrize(
    ("words", "snippet"),
    [
        (["tokens"], "Ana decided it."),
        (["reason"], "She had a reason, and a good one."),
        (["decided", "reason", "good"], "She had a reason, and a good one."),
        (["tokens", "why"], "Why not?"),
    ],
)
def test_beyond_a_title_the_sentence_with_most_of_the_words_comes_first(words: list[str], snippet: str) -> None:
    content = "Some ask, why. Why not? Cache tokens. Ana decided it. She had a reason, and a good one. Why else?"
    spans = spans_of(content.lower().replace("some ask, why", "some ask, w.y").replace("why e", "w.y e"), *words)
    assert beyond_title("Cache tokens.", content, spans, 100) == snippet


def test_a_long_sentence_is_cut_between_words_around_its_match() -> None:
    content = "Cache. It is " + "very " * 30 + "good for zebras " + "and others " * 20
    assert (
        beyond_title("Cache", content, spans_of(content, "zebras"), 40)
        == "...very good for zebras and others and..."
    )
    assert beyond_title("Cache", content, spans_of(content, "is"), 40) == f"It is{' very' * 7}..."
    assert beyond_title("Cache", content, [], 40) == f"It is{' very' * 7}..."
    assert beyond_title("Cache", "Cache " + "x" * 50, [], 40) == f"...{'x' * 40}..."
    matched = "Cache. " + "x" * 30 + " zebras" + "y" * 50
    assert beyond_title("Cache", matched, spans_of(matched, "zebras"), 40) == f"{'x' * 30} zebrasyyy..."


def test_a_cut_beside_long_words_on_both_sides_leaves_more_than_the_match() -> None:
    content = "Cache. " + "x " * 20 + "validate.everything booking.cents, invoice.number.again " + "y " * 20
    shown = beyond_title("Cache", content, spans_of(content, "booking"), 40)
    assert shown == "...idate.everything booking.cents,..."


def test_a_sentence_is_only_cut_less_where_that_shows_more_of_the_words() -> None:
    content = (
        "Cache. Zebras " + "are good " * 4 + "with horses, " + "and dogs " * 3 + "and wolves " + "and cats " * 9
    )

    def shown(*words: str) -> str:
        return beyond_title("Cache", content, spans_of(content, *words), 100, least=40)

    assert shown() == "Zebras are good are good are good are..."
    assert shown("Zebras") == "Zebras are good are good are good are..."
    assert shown("Zebras", "horses") == "Zebras are good are good are good are good with horses, and..."
    assert shown("Zebras", "horses", "wolves").endswith("and dogs and wolves and...")
    assert shown("horses") == "...are good with horses, and dogs and..."
    assert beyond_title("Cache", "Cache. " + "x" * 60, [], 100, least=40) == "x" * 60
    assert beyond_title("Cache", "Cache. " + "x" * 61, [], 100, least=40) == "x" * 40 + "..."


def test_words_that_the_title_says_do_not_choose_the_sentence() -> None:
    content = "Zebras eat. Zebras eat hay and drink. Horses are others. Dogs bark."
    assert beyond_title("Zebras eat.", content, spans_of(content, "Zebras", "eat", "Horses"), 100) == (
        "Horses are others."
    )


@given(
    st.text("a. \n", max_size=20),
    st.text("ab. \n\u202e", min_size=1, max_size=400),
    st.lists(st.integers(0, 399), max_size=6),
    st.integers(1, 150),
    st.none() | st.integers(1, 150),
)
def test_whatever_the_title_no_snippet_is_longer_than_the_window(
    title: str, content: str, places: list[int], characters: int, least: int | None
) -> None:
    spans = [Span(at, at + 1, number) for number, at in enumerate(sorted(places)) if content[at : at + 1].strip()]
    snippet = beyond_title(title, content, spans, characters, least=least)
    inner = re.sub(r"\\u\{202E\}", "\u202e", snippet).removeprefix("...").removesuffix("...")
    assert 0 < len(inner) <= characters
    assert snippet == "-" or inner.strip(". ") in " ".join(content.split())


def test_a_beginning_has_at_most_so_many_characters_and_splits_none_that_is_seen_as_one() -> None:
    assert [beginning("abc", length) for length in (2, 3, 4)] == ["ab", "abc", "abc"]
    assert beginning("ab\u202ecd", 4) == "ab\\u{202E}c"
    assert beginning("a" * 9 + "e\u0301", 10) == "a" * 9
    assert beginning("ends in \\u{12", 80) == "ends in \\u{12"


def test_a_passage_is_what_is_shown_around_a_match_without_marks() -> None:
    content = "a " * 200 + "zebra" + " b" * 200
    for spans in (spans_of(content, "zebra"), spans_of(content, "a"), []):
        shown = around_match(content, spans, 100)
        assert passage(content, spans, 100) == shown.removeprefix("...").removesuffix("...")


def test_a_passage_shows_hidden_characters_and_is_one_line() -> None:
    assert passage(" a\u202e\n b ", [], 100) == "a\\u{202E} b"


def densest_by_looking_at_each(spans: list[Span], characters: int) -> list[Span]:
    """Return the run with most words, found from each span anew."""
    best = spans[:1]
    for first, span in enumerate(spans):
        run = [each for each in spans[first:] if each.end <= span.start + characters]
        if len({each.word for each in run}) > len({each.word for each in best}):
            best = run
    return best


@given(
    st.lists(
        st.builds(lambda at, size, word: Span(at, at + size, word), *map(st.integers, (0, 1, 0), (30, 15, 3)))
    ),
    st.integers(1, 20),
)
def test_the_densest_run_is_that_with_most_words(spans: list[Span], characters: int) -> None:
    spans.sort(key=lambda span: (span.start, span.end))
    assert list(_densest(spans, characters)) == densest_by_looking_at_each(spans, characters)
