"""Plans of searches."""

from collections.abc import Collection, Iterable, Mapping

import pytest

from lamella.domain.text.words import query_words
from lamella_adapters.fts5.plan import MOST_REPEATS, MOST_TOKENS, MOST_WORDS, Vocabulary, planned


class Everything(Vocabulary):
    """Vocabulary in which every token occurs in one row."""

    rows = 40

    def holders(self, tokens: Collection[str]) -> Mapping[str, int]:
        """See `Vocabulary.holders`."""
        return dict.fromkeys(tokens, 1)

    def between(self, first: str, end: str) -> Iterable[str]:  # noqa: ARG002 - nothing is near
        """See `Vocabulary.between`."""
        return ()


def phrases(question: str) -> set[tuple[str, ...]]:
    """Return the tokens of each term that a question ranks by."""
    return {term.tokens for term in planned(query_words(question), Everything()).terms}


@pytest.mark.parametrize("repeated", ["a.", "a_", "a-b.", "aB", "1a", "a::b->", "\u05d0\u20ac", "\u00e9."])
def test_no_phrase_is_longer_than_a_name_whatever_is_repeated(repeated: str) -> None:
    found = phrases(repeated * (4_000 // len(repeated)))
    assert 0 < len(found) <= 3 * MOST_WORDS
    assert max(map(len, found)) <= MOST_TOKENS


def test_names_that_repeat_a_token_too_often_together_are_looked_for_by_their_tokens() -> None:
    names = [".".join(["a"] * length) for length in range(2, MOST_TOKENS)]
    terms = planned(query_words(f"{' '.join(names)} b.a"), Everything()).terms
    assert sum(len(term.tokens) for term in terms) <= MOST_REPEATS + 2
    assert {term.tokens for term in terms} >= {("a",), ("a", "a"), ("b", "a")}


def test_a_longer_name_is_looked_for_in_pieces() -> None:
    path = "/".join(f"part{number}x" for number in range(MOST_TOKENS + 2))
    first, rest = path[: path.index("part16x") - 1], path[path.index("part16x") :]
    assert [word.forms for word in planned(query_words(path), Everything()).words] == [(first,), (rest,)]


def test_a_name_whose_parts_alone_are_too_many_is_looked_for_as_it_is_written() -> None:
    digest = "g1h2i3j4k5l6m7n8o9p0q1r2s3t4u5v6"
    assert phrases(digest) == {(digest,)}


def test_a_name_of_usual_length_is_looked_for_whole() -> None:
    path = "tests/unit/adapters/transcripts/claude_code/test_hostile.py"
    (word,) = planned(query_words(path), Everything()).words
    assert word == query_words(path)[0]
