"""Ranking that all storages share: FTS5's tokens, phrases, BM25, and the reason of a match.

The tokens come from FTS5's own tokenizer (through APSW), because a second implementation of Unicode 6.1 word
splitting and Porter stemming would differ on 2 to 3 % of tokens. BM25 computed here from these tokens agrees with
FTS5's to the last bit, as long as both add up the terms in the same order: that of `terms`.
"""

import math
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import cast

import apsw
from attrs import frozen

from lamella.domain.memories.query import Match, Span
from lamella.domain.search.weights import COLUMN_WEIGHTS
from lamella.domain.text.words import Word
from lamella_adapters.fts5.tokens import TOKENIZER, holds, idf, occurrences, tokens_by, utf8

K1, B = 1.2, 0.75
"""BM25's constants, as FTS5 fixes them (sqlite.org/fts5.html, "The bm25() function")."""

ESSENTIAL_SHARE = 0.03
"""Maximum share of the rows that contain an essential term; measured as the best place to split a query."""

LARGE_PROJECT = 1_000
"""Minimum rows to treat words in half of them as stop words; in fewer rows, half may be a handful."""

_thread = threading.local()


@frozen
class Phrase:
    """A form of a query word, as text for FTS5 and as the tokens of that text."""

    text: str
    tokens: tuple[str, ...]


def tokens(text: str) -> list[str]:
    """Return the tokens that FTS5 indexes for `text`."""
    return tokens_by(_tokenizer(), text)


def phrases(words: Sequence[Word]) -> tuple[Phrase, ...]:
    """Return every form of `words` that has tokens, without repeating forms with equal tokens."""
    unique = {tuple(tokens(form)): form for word in words for form in reversed(word.forms)}
    unique.pop((), None)
    return tuple(Phrase(form, made) for made, form in unique.items())


def essential(hits: int, rows: int) -> bool:
    """Return True if a term that `hits` of `rows` contain is rare enough to carry a query."""
    return hits <= ESSENTIAL_SHARE * rows


def terms(found: Sequence[Phrase], hits: Callable[[Phrase], int], rows: int) -> list[Phrase]:
    """Return the phrases to rank a query by, rarest first, then by tokens.

    Phrases in no row are left out. In a large project, phrases in half of the rows or more are its own stop words
    and are left out too, unless no others remain. Every storage adds up scores in this order, because
    floating-point sums, and so ties, depend on it.

    Args:
        found: The phrases of the query.
        hits: Function that returns the number of rows with a phrase.
        rows: Number of rows in the project.
    """
    present = sorted((each for each in found if hits(each)), key=lambda each: (hits(each), each.tokens))
    if rows < LARGE_PROJECT:
        return present
    return [each for each in present if 2 * hits(each) < rows] or present


def rarity(word: str, hits: Callable[[str], int], rows: int) -> float:
    """Return the rarity of `word` in `rows`, or 0 if no row contains a token of it.

    `hits` returns the number of rows that contain a token. The rarest of several tokens counts. The formula is
    Lucene's (`BM25Similarity.idf`), which is never negative.
    """
    found = [count for token in tokens(word) if (count := hits(token))]
    if not found:
        return 0.0
    rarest = min(*found, rows)
    return math.log(1 + (rows - rarest + 0.5) / (rarest + 0.5))


def highest_score(hits: float, rows: int) -> float:
    """Return the maximum that a term can add to a score, as its frequency saturates at `K1 + 1`."""
    return (K1 + 1) * idf(hits, rows)


def bm25(columns: Sequence[Sequence[str]], terms: Sequence[tuple[Phrase, float]], average_length: float) -> float:
    """Return the score of a row with these tokens by column, for `terms` and their idf in the given order."""
    norm = length_norm(sum(map(len, columns)), average_length)
    score = 0.0
    for phrase, weight in terms:
        frequency = 0.0
        for column_weight, column in zip(COLUMN_WEIGHTS, columns, strict=True):
            for _ in occurrences(column, phrase.tokens):
                frequency += column_weight
        score += gain(weight, frequency, norm)
    return score


def length_norm(length: int, average_length: float) -> float:
    """Return BM25's normalisation for the length of a row in tokens, to pass to `gain`."""
    return K1 * (1 - B + B * length / average_length)


def gain(idf: float, frequency: float, norm: float) -> float:
    """Return the share of a term in a score; `frequency` sums the column weights of its occurrences."""
    return idf * ((frequency * (K1 + 1)) / (frequency + norm))


def explain(words: Sequence[Word], content: str, others: Sequence[str]) -> tuple[Match, tuple[Span, ...]]:
    """Return the reason why an observation matched, and the spans of the matches in its content.

    `others` are its other texts: title, sub column and heading. Its context does not count, because that is the
    text of other observations.
    """
    places, character = _places(content), _character_of(content)
    content_tokens = [token for _, _, token in places]
    folded = content.lower()
    spans: list[Span] = []
    matched: list[Word] = []

    # Tokenised only once a word is not in the content.
    elsewhere: list[list[str]] = []
    for number, word in enumerate(words):
        forms = [made for form in word.forms if (made := _form_tokens(form))]
        here = [
            Span(character(places[at][0]), character(places[at + len(form) - 1][1]), number)
            for form in forms
            for at in occurrences(content_tokens, form)
        ]
        if not here:
            spans += _literally(word, content, folded, number)
            elsewhere = elsewhere or [tokens(text) for text in others]
        if here or not forms or any(holds(column, form) for form in forms for column in elsewhere):
            matched.append(word)
        spans += here
    spans.sort(key=attrgetter("start", "end"))
    return _match(words, matched), tuple(spans)


def _match(words: Sequence[Word], matched: Sequence[Word]) -> Match:
    if len(matched) == len(words):
        return Match.ALL_WORDS
    return Match.IDENTIFIER if any(word.identifier for word in matched) else Match.SOME_WORDS


@lru_cache(maxsize=4_096)
def _form_tokens(form: str) -> tuple[str, ...]:
    """Return the tokens of a form; cached because every hit of a query is compared with them."""
    return tuple(tokens(form))


def _literally(word: Word, content: str, folded: str, number: int) -> Iterator[Span]:
    """Yield the spans of forms inside longer tokens, such as in unspaced scripts and identifiers."""
    for form in word.forms:
        if form.lower() in folded:
            for match in re.finditer(re.escape(form), content, re.IGNORECASE):
                yield Span(match.start(), match.end(), number)


def _places(text: str) -> list[tuple[int, int, str]]:
    """Return the tokens of `text`, each after the byte offsets of its begin and end."""
    made = _tokenizer()(utf8(text), apsw.FTS5_TOKENIZE_DOCUMENT, None, include_colocated=False)
    return cast("list[tuple[int, int, str]]", made)


def _character_of(text: str) -> Callable[[int], int]:
    """Return a function from byte offsets of FTS5 to character offsets of `text`."""
    if text.isascii():
        return lambda offset: offset
    encoded = utf8(text)
    return lambda offset: len(encoded[:offset].decode(errors="replace"))


def _tokenizer() -> apsw.FTS5Tokenizer:
    """Return the thread's own FTS5 tokenizer, because a connection serves one thread at a time."""
    if not hasattr(_thread, "tokenizer"):
        _thread.connection = apsw.Connection(":memory:")
        _thread.tokenizer = _thread.connection.fts5_tokenizer(*TOKENIZER)
    tokenizer: apsw.FTS5Tokenizer = _thread.tokenizer
    return tokenizer
