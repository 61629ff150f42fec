import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.memories.query import Span
from lamella.domain.replies.snippets import _densest, around_match, beginning, beyond_title, passage
from tests.unit.support.tables import cases


def spans_of(content: str, *words: str) -> list[Span]:
    """Return the spans of `words` in `content`."""
    spans = [
        Span(match.start(), match.end(), number)
        for number, word in enumerate(words)
        for match in re.finditer(re.escape(word), content)
    ]
    return sorted(spans, key=lambda span: span.start)


@cases
def test_without_a_match_it_is_the_beginning_on_one_line_with_nothing_hidden(content: str, snippet: str) -> None:
    assert around_match(content, [], 100) == snippet


@cases
def test_a_match_beyond_the_window_is_shown_in_its_middle_between_dots(content: str, snippet: str) -> None:
    assert around_match(content, spans_of(content, "zebra"), 100) == snippet


@cases
def test_the_window_is_where_most_words_first_stand_together(earlier: str, later: str, shown: str) -> None:
    content = f"{'x ' * 60}{earlier}{' x' * 100} {later}{' x' * 100}"
    assert shown in around_match(content, spans_of(content, "zebra", "horse"), 100)


@cases
def test_long_and_nested_matches_are_shown_from_their_start(
    content: str, spans: list[tuple[int, int]], snippet: str
) -> None:
    assert around_match(content, [Span(*span, word) for word, span in enumerate(spans)], 100) == snippet


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


@cases
def test_beyond_a_title_is_what_follows_it(title: str, content: str, snippet: str) -> None:
    assert beyond_title(title, content, [], 100) == snippet


@cases
def test_beyond_a_title_the_sentence_with_most_of_the_words_comes_first(words: list[str], snippet: str) -> None:
    content = "Some ask, why. Why not? Cache tokens. Ana decided it. She had a reason, and a good one. Why else?"
    spans = spans_of(content.replace("ask, why", "ask, w.y").replace("Why n", "why n"), *words)
    assert beyond_title("Cache tokens.", content, spans, 100) == snippet


LONG = "Cache. It is " + "very " * 30 + "good for zebras " + "and others " * 20
MATCHED = "Cache. " + "x" * 30 + " zebras" + "y" * 50
BETWEEN = "Cache. " + "x " * 20 + "validate.everything booking.cents, invoice.number.again " + "y " * 20


@cases
def test_a_long_sentence_is_cut_at_words_around_its_match(content: str, words: list[str], snippet: str) -> None:
    assert beyond_title("Cache", content, spans_of(content, *words), 40) == snippet


FARM = "Cache. Zebras " + "are good " * 4 + "with horses, " + "and dogs " * 3 + "and wolves " + "and cats " * 9


@cases
def test_a_sentence_is_only_cut_less_where_that_shows_more_of_the_words(
    content: str, words: list[str], snippet: str
) -> None:
    assert beyond_title("Cache", content, spans_of(content, *words), 100, least=40) == snippet


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


@cases
def test_a_beginning_is_truncated_at_a_grapheme_boundary(text: str, length: int, shown: str) -> None:
    assert beginning(text, length) == shown


def test_a_passage_is_what_is_shown_around_a_match_without_marks() -> None:
    content = "a " * 200 + "zebra" + " b" * 200
    for spans in (spans_of(content, "zebra"), spans_of(content, "a"), []):
        shown = around_match(content, spans, 100)
        assert passage(content, spans, 100) == shown.removeprefix("...").removesuffix("...")
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
